"""Compare Chess960 with python-chess: set-ups, moves, short texts, FEN and results."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import forthvm
from forthvm.core.errors import PositionError
from forthvm.game import Game, Move, Position
from tests.kit.messages import raises
from tests.models.placements import QUICK, THOROUGH

if TYPE_CHECKING:
    from chess import Board
    from chess import Move as BoardMove

chess: Any = pytest.importorskip("chess", reason="python-chess is not installed")

LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
# From the table of perft counts of Chess960 in the Chess Programming Wiki.
PUBLISHED = [
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12189]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002]),
]
# Kings and rooks that change places, stay where they are, or uncover an attack by castling.
CASTLING = [
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "4k3/8/8/8/8/8/8/6KR w H - 0 1",
    "4k3/8/8/8/8/8/8/1RK5 w B - 0 1",
    "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
    "4k3/8/8/8/8/8/8/rRK5 w B - 0 1",
    "4k3/8/8/8/8/8/8/2q1RK1R w H - 0 1",
    "2r1k3/8/8/8/8/8/8/R3K2R w HA - 0 1",
    "4k3/8/8/8/8/8/8/R1N2K1R w HA - 0 1",
    "1rk4r/8/8/8/8/8/8/4K3 b hb - 0 1",
]


@pytest.fixture(scope="module")
def game() -> Game:
    return forthvm.load("chess-960")


def in_uci(move: Move) -> str:
    """Return a move as origin, target and the letter of a promotion."""
    letters = [LETTERS[str(part.name)] for part in move.parts if part.kind == "change"]
    return f"{move.from_square}{move.to_square}{''.join(letters)}"


def check(position: Position, board: Board) -> None:
    """Compare the text of a position, and its moves with their short texts."""
    assert position.to_fen() == board.shredder_fen(en_passant="legal")
    ours = {in_uci(move): move.short for move in position.legal_moves}
    assert ours == {board.uci(move): board.san(move) for move in board.legal_moves}


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [range(at, 960, 32) for at in range(32)])
def test_every_number_has_its_set_up(numbers: range) -> None:
    for number in numbers:
        position = forthvm.load("chess-960", settings={"start": number}).start()
        board = chess.Board.from_chess960_pos(number)
        assert position.to_fen() == board.shredder_fen()


@pytest.mark.slow
def test_the_default_is_drawn_by_the_seed() -> None:
    starts = [forthvm.load("chess-960", seed=seed).start().to_fen() for seed in (1, 2, 3, 1)]
    assert len(set(starts)) == 3
    assert starts[0] == starts[3]


@pytest.mark.parametrize("fen", [*CASTLING, *(fen for fen, _ in PUBLISHED)])
def test_positions(game: Game, fen: str) -> None:
    check(Position.from_fen(game, fen), chess.Board(fen, chess960=True))


# Rights without their rook, on the square of the king, and on the other side of another rook.
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/P7/4K3 w H - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w E - 0 1",
        "4k3/8/8/8/8/8/8/R3K2N w HA - 0 1",
        "4k3/8/8/8/8/8/8/r3K2r w HA - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b gb - 0 1",
    ],
)
def test_rights_without_their_rook(game: Game, fen: str) -> None:
    position, board = Position.from_fen(game, fen), chess.Board(fen, chess960=True)
    check(position, board)
    for move in position.legal_moves:
        after, board_after = position.copy(), board.copy()
        after.push(move.text)
        board_after.push_uci(in_uci(move))
        assert after.to_fen() == board_after.shredder_fen(en_passant="legal")


@pytest.mark.parametrize(("fen", "counts"), PUBLISHED)
def test_published_numbers_of_move_sequences(game: Game, fen: str, counts: list[int]) -> None:
    position = Position.from_fen(game, fen)
    assert [forthvm.perft(position, depth) for depth in (1, 2, 3)] == counts


@pytest.mark.parametrize("number", [0, 362, 518, 959])
def test_letters_of_chess_mean_the_outermost_rooks(game: Game, number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    assert Position.from_fen(game, board.fen()).to_fen() == board.shredder_fen()


@pytest.mark.parametrize(
    "fen",
    [
        "1r2k1r1/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/R2RKN1R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/1KR2R2 w K - 0 1",
    ],
)
def test_letters_of_chess_mean_rooks_on_their_side_of_the_king(game: Game, fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    assert Position.from_fen(game, fen).to_fen() == board.shredder_fen()


@pytest.mark.parametrize("rights", ["K", "q"])
def test_letters_of_chess_without_a_rook_on_their_side(game: Game, rights: str) -> None:
    with raises(PositionError, "fen.no-rook", rights=rights):
        Position.from_fen(game, f"4kr2/8/8/8/8/8/8/1R2K3 w {rights} - 0 1")


def likelihood(board: Board, move: BoardMove) -> float:
    """Prefer castling, and moves that prepare it; avoid moves that make it impossible."""
    if board.is_castling(move):
        return 50
    rare = {chess.KING: 0.03, chess.ROOK: 0.1}.get(board.piece_type_at(move.from_square), 1.0)
    return rare * (3 if chess.square_rank(move.from_square) in (0, 7) else 1)


def is_over(board: Board) -> bool:
    return bool(
        board.is_checkmate()
        or board.is_stalemate()
        or board.is_insufficient_material()
        or board.is_fifty_moves()
        or board.is_repetition(3)
    )


@pytest.mark.slow
@pytest.mark.parametrize("positions", [QUICK, pytest.param(THOROUGH, marks=pytest.mark.slow)])
def test_random_games(positions: int) -> None:
    chooser, compared, castlings = random.Random("960"), 0, 0
    while compared < positions:
        number = chooser.randrange(960)
        position = forthvm.load("chess-960", settings={"start": number}).start()
        board = chess.Board.from_chess960_pos(number)
        while position.result is None:
            assert not is_over(board)
            check(position, board)
            moves = list(board.legal_moves)
            move = chooser.choices(moves, [likelihood(board, each) for each in moves])[0]
            castlings += board.is_castling(move)
            position.push(board.san(move))
            board.push(move)
            compared += 1
        assert is_over(board)
        assert (position.result.cause == "checkmate") == board.is_checkmate()
    assert castlings
