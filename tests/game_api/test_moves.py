"""Moves and the list of legal moves, which is generated when first used."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.game import (
    Called,
    Captured,
    Continued,
    Created,
    Game,
    Moved,
    OwnerChanged,
    Passed,
    Piece,
    Position,
    TypeChanged,
)
from tests.game_api.conftest import Loader
from tests.kit.boards import grid, steps
from tests.kit.games import load_text, texts

RED_CELL, BLUE_CELL = 2049, 4097
"""Contents of a board cell with a piece of the first type, owned by the first or second player."""


def play(position: Position, *moves: str) -> Position:
    """Make moves given by their exact texts; return the position."""
    for move in moves:
        assert move in texts(position)
        position.push(move)
    return position


def test_the_changes_of_a_jump(chain: Game) -> None:
    """Red's only move is a partial move: a jump over b1, and a call that counts it."""
    (move,) = chain.start().legal_moves
    assert str(move) == "Man a1 - c1 x b1"
    red, blue = Piece("Man", "Red", 0, RED_CELL), Piece("Man", "Blue", 0, BLUE_CELL)
    assert [change for change in move.changes if not isinstance(change, Continued)] == [
        Moved("a1", "c1", red, None),
        Captured("b1", blue),
        Called("note", (7,)),
    ]
    assert move.is_partial
    assert not move.is_pass
    assert move.captures == ("b1",)
    assert (move.from_square, move.to_square) == ("a1", "c1")
    assert [part.kind for part in move.parts] == ["move", "capture"]
    assert move.index == 0


def test_move_types_are_numbered_by_first_mention(chain: Game) -> None:
    """Steps have the type 1, jumps the type 2."""
    position = chain.start()
    assert position.legal_moves[0].type == 2
    play(position, "Man a1 - c1 x b1", "Man c1 - e1 x d1", "Man f1 - d1 x e1")
    assert [(str(move), move.type) for move in position.legal_moves] == [
        ("Man d1 - c1", 1),
        ("Man g1 - f1", 1),
    ]


def test_the_text_of_a_partial_move_in_version_140(load: Loader) -> None:
    """The text begins with `partial 0`; the changes are those of version 150."""
    (move,) = load("chain", axiom=140).start().legal_moves
    assert str(move) == "partial 0 Man a1 - c1 x b1"
    assert [part.kind for part in move.parts] == ["partial", "move", "capture"]
    assert move.is_partial


def test_the_changes_of_a_drop(effects: Game) -> None:
    """A drop has a target but no origin; squares are listed in index order."""
    moves = effects.start().legal_moves
    assert texts(effects.start()) == [
        f"Red stone {column}{row}" for row in (3, 2, 1) for column in "abc"
    ]
    assert moves[4].changes == (Created("b2", Piece("stone", "Red", 0, RED_CELL)),)
    assert (moves[4].from_square, moves[4].to_square) == (None, "b2")
    assert moves[4].captures == ()


def test_changes_of_type_and_owner(load: Loader) -> None:
    """Flips changes owners, and Jumps changes types."""
    position = load("Flips").start()
    change_types = set()
    for ply in range(24):
        moves = position.generated_moves
        for move in moves:
            change_types |= {type(change) for change in move.changes}
        if position.result is not None:
            break
        position.push(moves[7 * ply % len(moves)])
    assert {Created, OwnerChanged, Passed} <= change_types
    position = load("Jumps").start()
    change_types = set()
    for ply in range(24):
        moves = position.generated_moves
        for move in moves:
            change_types |= {type(change) for change in move.changes}
            assert move.is_partial == any(isinstance(c, Continued) for c in move.changes)
        if position.result is not None:
            break
        position.push(moves[7 * ply % len(moves)])
    assert {Moved, Captured, TypeChanged, Continued} <= change_types


def test_forced_pass_is_a_move(load: Loader) -> None:
    """The script Forced sets $passTurnForced, so that a player without another move passes."""
    position = load("Forced").start()
    for ply in range(50):
        if position.result is not None:
            break
        if texts(position) == ["Pass"]:
            assert position.legal_moves[0].is_pass
            position.push(position.legal_moves[0])
            assert position.history[-1].text == "Pass"
            return
        position.push(position.legal_moves[7 * ply % len(position.legal_moves)])
    pytest.fail("no player had to pass")


def test_list_is_a_sequence(effects: Game) -> None:
    """The list supports indexes, slices, membership and equality."""
    position = effects.start()
    moves = position.legal_moves
    assert len(moves) == 9
    assert str(moves[-1]) == "Red stone c1"
    assert [str(move) for move in moves[1:3]] == ["Red stone b3", "Red stone c3"]
    assert moves[0] in moves
    assert moves == position.copy().legal_moves
    assert next(reversed(moves)) == moves[8]
    for index in (9, -10):
        with pytest.raises(IndexError):
            moves[index]


def test_list_is_lazy(effects: Game) -> None:
    """Moves are generated when the list is first used, and texts when a text is first read."""
    position = effects.start()
    state = position._state
    moves = position.legal_moves
    assert state.moves is None
    assert state.code is None
    assert len(moves) == 9
    assert state.moves is not None
    assert state.texts is None
    assert str(moves[3]) == "Red stone a2"
    assert state.texts is not None


def test_moves_can_be_read_after_their_position_changed(chain: Game) -> None:
    """Text and changes can be read after the move was made."""
    position = chain.start()
    (move,) = position.legal_moves
    position.push(move)
    assert str(move) == "Man a1 - c1 x b1"
    assert move.captures == ("b1",)
    assert str(position.legal_moves[0]) == "Man c1 - e1 x d1"


def test_moves_of_equal_positions_are_equal(effects: Game) -> None:
    """Equal moves have equal hashes, and `push` accepts them."""
    first, second = effects.start(), effects.start()
    assert first.legal_moves[2] == second.legal_moves[2]
    assert first.legal_moves[2] != second.legal_moves[3]
    assert len({first.legal_moves[2], second.legal_moves[2], second.legal_moves[3]}) == 2
    second.push(first.legal_moves[2])
    assert second.history[0].index == 2


def test_a_game_parses_move_texts(chain: Game) -> None:
    """No position is needed to split a text into parts."""
    assert [part.kind for part in chain._loaded.parse("Man a1 - c1 x b1 hop")] == [
        "move",
        "capture",
        "text",
    ]


SHRINKING_BOARD = grid(4, 4, "right") + steps("pawn", "right")
SHRINKING_BOARD += """\
{board-setup {setup} White pawn a4 {setup} Black pawn b3 board-setup}
: OnNextTurn ( -- ) %d $positions ! ;
"""
"""After the first turn the script overwrites the number of board positions."""


@pytest.mark.parametrize("positions", [0, -1, -(2**31)])
def test_a_board_without_positions_has_no_moves(tmp_path: Path, positions: int) -> None:
    position = load_text(tmp_path, SHRINKING_BOARD % positions, name="shrinking.4th").start()
    position.push(position.legal_moves[0])
    assert not position.legal_moves
