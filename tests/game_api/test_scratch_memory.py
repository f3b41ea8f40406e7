"""Scratch memory: what a script declares by `{scratch ... scratch}` is no part of a position.

Owns a small game whose move word counts its runs.  See native/vm/scratch_memory.h.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.engines.position_arrays import random_playouts
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.kit.messages import raises

# A pawn steps one or two squares to the right; `runs` and `places` change with each list.
GAME = grid(2, 9, "right")
GAME += """\
%(begin)s
VARIABLE runs
100 [] places
%(end)s
: note ( -- ) runs ++ here runs @ 99 AND places ! ;
: go ( -- ) from here move add-move ;
: step ( -- ) note right verify go right verify go ;
{moves steps {move} step moves}
{pieces {piece} pawn {moves} steps pieces}
{board-setup {setup} White pawn a1 {setup} Black pawn a2 board-setup}
: end? ( -- ? ) i1 not-empty-at? i2 not-empty-at? OR ;
: OnIsGameOver ( -- result ) end? IF #LossScore ELSE #UnknownScore ENDIF ;
"""


def load(folder: Path, *, declared: bool = True) -> forthvm.Game:
    marks = {"begin": "{scratch", "end": "scratch}"} if declared else {"begin": "", "end": ""}
    return load_text(folder, GAME % marks, name="declared.4th" if declared else "plain.4th")


def played(game: forthvm.Game, *, look: bool) -> forthvm.Position:
    """The position after a move there and a move by Black, with more lists on the way."""
    position = game.start()
    position.push(position.legal_moves[0])
    if look:
        for move in position.legal_moves:
            position.push(move)
            assert position.legal_moves is not None
            position.pop()
    position.push(position.legal_moves[0])
    return position


def test_scratch_memory_is_not_compared(tmp_path: Path) -> None:
    game = load(tmp_path)
    one, two = played(game, look=False), played(game, look=True)
    other = game.start()
    assert one == two
    assert one.key == two.key
    assert one != other


def test_scratch_memory_is_not_saved(tmp_path: Path) -> None:
    game = load(tmp_path)
    position = played(game, look=True)
    assert position.variables["runs"] > 0
    text = position.to_json()
    assert text == played(game, look=False).to_json()
    assert forthvm.Position.from_json(game, text) == position
    begin, end = game._loaded.vm.token("runs"), game._loaded.vm.token("note")
    document = json.loads(text)
    assert not [at for at, _ in document["memory"] if begin <= at < end]


def test_the_list_and_the_moves_are_the_same_without_the_declaration(tmp_path: Path) -> None:
    declared, plain = load(tmp_path), load(tmp_path, declared=False)
    for depth in range(1, 5):
        assert forthvm.perft(declared.start(), depth) == forthvm.perft(plain.start(), depth)
    text = [str(move) for move in declared.start().legal_moves]
    assert text == [str(move) for move in plain.start().legal_moves]


def test_playouts_draw_each_move_with_equal_probability(tmp_path: Path) -> None:
    """Without complete lists: the declaration promises that move words are independent."""
    games = 2000
    rewards = random_playouts(load(tmp_path).start(), games, seed=1)
    expected = random_playouts(load(tmp_path, declared=False).start(), games, seed=2)
    assert rewards.keys() == expected.keys()
    for player, reward in rewards.items():
        assert reward == pytest.approx(expected[player], abs=0.06)


def test_too_many_sections_are_an_error(tmp_path: Path) -> None:
    with raises(ForthVMError, "scratch-memory.too-many-sections"):
        load_text(tmp_path, "{scratch scratch} " * 17, name="many.4th")
