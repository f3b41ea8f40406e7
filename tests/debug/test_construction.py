"""A move word by word, and the words behind a square."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.debug.explain.construction import construction
from forthvm.debug.explain.square_code import square_code
from tests.kit.games import loaded


@pytest.fixture
def position() -> forthvm.Position:
    return loaded("tictactoe").start()


def test_stages_are_the_tokens_of_the_definition(position: forthvm.Position) -> None:
    """The definition is `: put ( -- ) empty? verify drop add-move ;`."""
    built = construction(position, position.parse("b2").index)
    tokens = [stage.location.text[stage.location.column - 1 :].split()[0] for stage in built.stages]
    assert tokens == ["empty?", "verify", "drop", "add-move"]
    assert [stage.here for stage in built.stages] == ["b2"] * 4
    assert [stage.stack for stage in built.stages] == [(), (-1,), (), ()]
    assert [stage.changed for stage in built.stages] == [(), (), (), ("b2",)]
    assert "(create)" in built.stages[-1].code
    assert built.omitted == 0


def test_the_position_is_unchanged(position: forthvm.Position) -> None:
    before = position.copy()
    construction(position, 0)
    square_code(position, "a1")
    assert position == before


def test_there_is_no_such_move(position: forthvm.Position) -> None:
    with pytest.raises(IndexError):
        construction(position, 9)


def test_the_words_of_a_square(position: forthvm.Position) -> None:
    (word,) = square_code(position, "b2")
    assert (word.word, word.moves) == ("put", ("X mark b2",))
    assert ": put" in word.location.text
