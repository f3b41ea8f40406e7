"""Tests of attacks.4th and perpetual-check.4th, parts of the library that any game can LOAD.

Owns a small game of kings, rooks, knights and men that step ahead, and a second model of attacks
and checks in Python.  The games in docs/guides/rules-many-games-need.md and shogi use them, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.game import Game, Position
from tests.kit.games import load_text

SCRIPT = r"""
{board 5 6 {grid} board}
{directions
    -1 0 {direction} n  1  0 {direction} s   0 1 {direction} e    0 -1 {direction} w
    -1 1 {direction} ne 1 -1 {direction} sw -1 -1 {direction} nw  1  1 {direction} se
    -2 1 {direction} nne 2 -1 {direction} ssw  1 2 {direction} ese -1 -2 {direction} wnw
directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
LOAD Attacks.4TH
' n ' s line-ways  ' e ' w line-ways  ' ne ' sw line-ways  ' nw ' se line-ways
' nne ' ssw leap-ways  ' ese ' wnw leap-ways
: try-square ( pos -- )
    DUP friend-at? IF DROP EXIT ENDIF
    from OVER safe-move? IF from SWAP move add-move ELSE DROP ENDIF
;
' try-square IS try-target
: go ( -- ) prepare from all-targets ;
{moves goes {move} go moves}
{pieces
    {piece} king {moves} goes  {piece} dragon {moves} goes
    {piece} hook {moves} goes  {piece} man {moves} goes
pieces}
' king IS royal
255 0 king reaches   240 15 dragon reaches   256 1024 + 0 hook reaches   1 0 man reaches
{board-setup
    {setup} White king a1 {setup} White dragon b1 {setup} White hook c1 {setup} White man d2
    {setup} Black king f5 {setup} Black dragon e5 {setup} Black hook d5 {setup} Black man c4
board-setup}
: OnGenerateMoves ( -- ) forget-facts ;
: OnForget ( -- ) forget-attacks ;
: OnIsGameOver ( -- result )
    current-player in-check? IF ^" check" ENDIF
    stalemate? IF #LossScore ELSE #UnknownScore ENDIF
;
"""
AHEAD = {"White": 1, "Black": -1}
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
Board = dict[tuple[int, int], tuple[str, str]]


@pytest.fixture(params=["axiom", str(Path(__file__).parent / "v151")], ids=["bundled", "own"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    """Loads the game with the bundled library, and with a user's own one."""
    return load_text(tmp_path / "game", SCRIPT, library=request.param)


def board_of(position: Position) -> Board:
    """Return player and type by file and rank."""
    return {
        ("abcdef".index(name[0]), int(name[1:])): (str(piece.player), piece.type)
        for name, piece in position.board.occupied()
    }


def targets(board: Board, square: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the squares that a piece reaches."""
    player, kind = board[square]
    ahead = AHEAD[player]
    steps = {
        "king": STRAIGHT + DIAGONAL,
        "dragon": DIAGONAL,
        "hook": [(ahead, 2 * ahead), (2 * ahead, -ahead)],
        "man": [(0, ahead)],
    }[kind]
    for dx, dy in steps:
        yield from line(board, square, dx, dy, 1)
    for dx, dy in STRAIGHT if kind == "dragon" else []:
        yield from line(board, square, dx, dy, 9)


def line(
    board: Board, square: tuple[int, int], dx: int, dy: int, most: int
) -> Iterator[tuple[int, int]]:
    x, y = square
    for _ in range(most):
        x, y = x + dx, y + dy
        if not (0 <= x < 6 and 1 <= y <= 5):
            return
        yield x, y
        if (x, y) in board:
            return


def in_check(board: Board, player: str) -> bool:
    king = next(square for square, piece in board.items() if piece == (player, "king"))
    return any(
        king in targets(board, square) for square, piece in board.items() if piece[0] != player
    )


def legal(board: Board, player: str) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    found = set()
    for square, piece in board.items():
        if piece[0] != player:
            continue
        for target in targets(board, square):
            if target in board and board[target][0] == player:
                continue
            after = {at: other for at, other in board.items() if at != square} | {target: piece}
            if not in_check(after, player):
                found.add((square, target))
    return found


@pytest.mark.slow
def test_moves_and_checks_are_those_of_the_model(game: Game) -> None:
    chance, checks, compared = random.Random(3), 0, 0
    for _ in range(25):
        position = game.start()
        while position.result is None and position.ply < 40:
            board, player = board_of(position), str(position.turn)
            assert (position.comment == "check") == in_check(board, player)
            found = {
                (square(text.split()[1]), square(text.split()[3]))
                for text in map(str, position.legal_moves)
            }
            assert found == legal(board, player)
            checks += in_check(board, player)
            compared += 1
            position.push(chance.choice(list(position.legal_moves)))
    assert checks > 10
    assert compared > 300


def square(name: str) -> tuple[int, int]:
    return "abcdef".index(name[0]), int(name[1:])


def test_a_player_without_a_king_is_never_in_check(game: Game) -> None:
    setup = [("White", "man", "a1"), ("Black", "dragon", "a5"), ("Black", "king", "f5")]
    position = game.start(setup=setup, turn="White")
    assert [str(move) for move in position.legal_moves] == ["man a1 - a2"]


def test_check_reports_nothing(game: Game) -> None:
    assert not check_files([game.path]).findings


def test_too_many_ways_are_an_error(tmp_path: Path) -> None:
    line = "' n ' s leap-ways\n"
    with pytest.raises(forthvm.ForthVMError, match="too many ways: the limit is 32"):
        load_text(tmp_path, SCRIPT.replace("' nne", 16 * line + "' nne"), name="many.4th")
