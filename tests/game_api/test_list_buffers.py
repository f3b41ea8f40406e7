"""Texts, squares and board cells read in one call, compared with reading them one by one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Game, Position
from tests.kit.boards import grid
from tests.kit.cases import each_case
from tests.kit.files import write
from tests.kit.random_games import random_game

from .conftest import GOLDEN, Loader

LEVELS = ("140", "150", "151")
MANY = grid(40, 26, players="WHITE_PLAYER Black")
MANY += """\
{directions 0 1 {direction} e 1 0 {direction} s directions}
: put empty? verify drop add-move ;
: change e verify empty? verify from here move Black change-owner 2 change-type add-move ;
: step s verify from here move add-move ;
{moves puts {move} put moves}
{moves steps {move} step {move} change moves}
{pieces
    {piece} FIRST_NAME {moves} steps {drops} puts
    {piece} LONG_NAME {moves} steps
pieces}
{board-setup
    {setup} WHITE_PLAYER FIRST_NAME b2 {setup} WHITE_PLAYER LONG_NAME f6
    {setup} Black FIRST_NAME b4 {setup} Black LONG_NAME g3
board-setup}
"""
"""More than 1,000 moves: drops on every empty square, steps and changes."""


def check_lists(position: Position) -> None:
    """Check what is read in one call against what is read move by move."""
    game, moves = position.game, position.generated_moves
    with position._in_memory() as native:
        texts = tuple(native.move_text(address) for address in native.move_list())
    assert moves.texts == texts
    index = {None: -1, **game._loaded.position_index}
    assert moves.from_indices.tolist() == [index[move.from_square] for move in moves]
    assert moves.to_indices.tolist() == [index[move.to_square] for move in moves]
    for view in (moves.from_indices, moves.to_indices):
        assert (view.format, view.itemsize, view.ndim, view.readonly) == ("i", 4, 1, True)
    assert [game._loaded.roster.piece(cell) for cell in position.cells[: len(game.positions)]] == [
        position.board[name] for name in game.positions
    ]


def check_random_game(game: Game, plies: int) -> None:
    """Check the lists of the positions of a random game."""
    for position in random_game(game.start(), plies, random.Random(3)):
        check_lists(position)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.4th")))
def test_golden_games(load: Loader, name: str) -> None:
    for level in LEVELS:
        try:
            game = load(name, axiom=level)
            game.start()
        except forthvm.ForthVMError:
            continue  # the script needs another version of the library
        check_random_game(game, 6)


@each_case("name", ["breakthrough", "draughts", "rithmomachia", "splut", "ur", "yonin-shogi"])
def test_bundled_games(name: str) -> None:
    check_random_game(forthvm.load(name, seed=2), 4)


@pytest.mark.parametrize("name", ["english-draughts", "reversi"])
def test_movements_of_rule_files(name: str) -> None:
    """Moves of rule files are stored as edits; the text says which edits are a movement."""
    path = Path(__file__).parents[1] / "zrf" / "games" / f"{name}.zrf"
    check_random_game(forthvm.load(path), 3)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "latin-1"])
@pytest.mark.parametrize("level", LEVELS)
def test_many_moves_with_odd_names(tmp_path: Path, encoding: str, level: str) -> None:
    """Names with signs of texts and outside ASCII; a long name."""
    letters = {"ascii": "=-x??", "utf-8": "Dame♛ñ", "latin-1": "Reißer"}[encoding]
    text = MANY.replace("FIRST_NAME", letters).replace("LONG_NAME", f"{letters}-{'long' * 40}")
    text = text.replace("WHITE_PLAYER", f"White-{letters}")
    path = write(tmp_path / "many.4th", text.encode(encoding))
    position = forthvm.load(path, axiom=level).start()
    assert len(position.legal_moves) > 1000
    assert f"White-{letters} {letters} a1" in position.legal_moves.texts
    change = f"{letters} b2 - c2 = Black = {letters}-{'long' * 40}"
    assert any(text.startswith(change) for text in position.legal_moves.texts)
    check_lists(position)
    position.push(position.legal_moves[-1])
    check_lists(position)


def test_texts_in_two_encodings_are_decoded_one_by_one(tmp_path: Path) -> None:
    """A list may contain texts in UTF-8 and texts that are not valid UTF-8."""
    text = MANY.encode().replace(b"FIRST_NAME", "Reißer".encode("latin-1"))
    path = write(tmp_path / "mixed.4th", text.replace(b"LONG_NAME", "ñ".encode()))
    texts = forthvm.load(path).start().legal_moves.texts
    assert {"Reißer b2 - b1", "ñ f6 - f5"} <= set(texts)


def test_empty_lists(load: Loader) -> None:
    position = load("three").start()
    while position.legal_moves:
        position.push(position.legal_moves[0])
    assert position.legal_moves.texts == ()
    assert len(position.legal_moves.from_indices) == len(position.legal_moves.to_indices) == 0


def test_numpy_uses_the_buffers_without_a_copy() -> None:
    numpy = pytest.importorskip("numpy")
    position = forthvm.load("breakthrough").start()
    for view in (position.legal_moves.from_indices, position.legal_moves.to_indices):
        for numbers in (numpy.frombuffer(view, dtype=numpy.int32), numpy.asarray(view)):
            assert numbers.dtype == numpy.int32
            assert numbers.tolist() == view.tolist()
            assert numpy.shares_memory(numbers, numpy.asarray(view))


def test_lists_longer_than_the_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The buffer for the addresses of moves is made when a game is loaded."""
    monkeypatch.setattr("forthvm.core.bindings.games._CAPACITY", 4)
    position = forthvm.load("tictactoe").start()
    assert [move.to_square for move in position.legal_moves] == list(position.game.positions)
    position.push(position.legal_moves[8])
    assert len(position.legal_moves) == 8
