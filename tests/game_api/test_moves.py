"""Moves: order, texts, effects, and lists that are made no earlier than somebody looks."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
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


def texts(position: Position) -> list[str]:
    """The texts of the legal moves."""
    return [str(move) for move in position.legal_moves]


def play(position: Position, *moves: str) -> Position:
    """The position after these moves, given exactly."""
    for move in moves:
        assert move in texts(position)
        position.push_text(move)
    return position


def test_a_jump(chain: Game) -> None:
    """Red's only move: a jump over b1 that goes on, and a call that counts it."""
    (move,) = chain.start().legal_moves
    assert str(move) == "Man a1 - c1 x b1"
    red, blue = Piece("Man", "Red", 0, 2049), Piece("Man", "Blue", 0, 4097)
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


def test_move_types(chain: Game) -> None:
    """Types are numbered by first mention: steps 1, jumps 2."""
    position = chain.start()
    assert position.legal_moves[0].type == 2
    play(position, "Man a1 - c1 x b1", "Man c1 - e1 x d1", "Man f1 - d1 x e1")
    assert [(str(move), move.type) for move in position.legal_moves] == [
        ("Man d1 - c1", 1),
        ("Man g1 - f1", 1),
    ]


def test_140_text_of_a_partial_move(load: Loader) -> None:
    """140 writes `partial 0` first; nothing else differs."""
    (move,) = load("chain", axiom=140).start().legal_moves
    assert str(move) == "partial 0 Man a1 - c1 x b1"
    assert [part.kind for part in move.parts] == ["partial", "move", "capture"]
    assert move.is_partial


def test_drops(effects: Game) -> None:
    """A drop has a target and no origin; squares come in index order from the top left."""
    moves = effects.start().legal_moves
    assert texts(effects.start()) == [
        f"Red stone {column}{row}" for row in (3, 2, 1) for column in "abc"
    ]
    assert moves[4].changes == (Created("b2", Piece("stone", "Red", 0, 2049)),)
    assert (moves[4].from_square, moves[4].to_square) == (None, "b2")
    assert moves[4].captures == ()


def test_changes_of_type_and_owner(load: Loader) -> None:
    """Flips changes owners, Jumps types; every effect of all moves is told by name."""
    position = load("Flips").start()
    seen = set()
    for ply in range(24):
        moves = position.legal_moves
        for move in moves:
            seen |= {type(change) for change in move.changes}
        if position.result is not None:
            break
        position.push(moves[7 * ply % len(moves)])
    assert {Created, OwnerChanged, Passed} <= seen
    position = load("Jumps").start()
    seen = set()
    for ply in range(24):
        moves = position.legal_moves
        for move in moves:
            seen |= {type(change) for change in move.changes}
            assert move.is_partial == any(isinstance(c, Continued) for c in move.changes)
        if position.result is not None:
            break
        position.push(moves[7 * ply % len(moves)])
    assert {Moved, Captured, TypeChanged, Continued} <= seen


def test_forced_pass_is_a_move(load: Loader) -> None:
    """Forced is Stuck with $passTurnForced: at ply 8 of its recording Up can only pass."""
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
    pytest.fail("nobody had to pass")


def test_list_is_a_sequence(effects: Game) -> None:
    """Indexes from both ends, slices, membership, equality."""
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
    """Nothing is generated until somebody looks: generation here draws random numbers."""
    position = effects.start()
    state = position.state
    moves = position.legal_moves
    assert state.moves is None
    assert state.code is None
    assert len(moves) == 9
    assert state.moves is not None
    assert state.texts is None
    assert str(moves[3]) == "Red stone a2"
    assert state.texts is not None


def test_moves_outlive_their_position(chain: Game) -> None:
    """A move still knows what it does after the position has gone on."""
    position = chain.start()
    (move,) = position.legal_moves
    position.push(move)
    assert str(move) == "Man a1 - c1 x b1"
    assert move.captures == ("b1",)
    assert str(position.legal_moves[0]) == "Man c1 - e1 x d1"


def test_equal_moves(effects: Game) -> None:
    """Moves of equal positions are equal, and can be keys."""
    one, two = effects.start(), effects.start()
    assert one.legal_moves[2] == two.legal_moves[2]
    assert one.legal_moves[2] != two.legal_moves[3]
    assert len({one.legal_moves[2], two.legal_moves[2], two.legal_moves[3]}) == 2
    two.push(one.legal_moves[2])
    assert two.history[0].index == 2


def test_game_parses_texts(chain: Game) -> None:
    """Without a position a text is still taken apart."""
    assert [part.kind for part in chain.parse("Man a1 - c1 x b1 hop")] == [
        "move",
        "capture",
        "text",
    ]


LEAST = r"""
{board 4 4 {grid} board}
{directions 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: step ( -- ) right verify empty? verify from here move add-move ;
{moves steps {move} step moves}
{pieces {piece} pawn {moves} steps pieces}
{board-setup {setup} White pawn a4 {setup} Black pawn b3 board-setup}
: OnNextTurn ( -- ) %d $positions ! ;
"""


@pytest.mark.parametrize("positions", [0, -1, -(2**31)])
def test_a_board_without_positions_has_no_moves(tmp_path: Path, positions: int) -> None:
    script = tmp_path / "least.4th"
    script.write_text(LEAST % positions, encoding="utf-8")
    position = forthvm.load(script).start()
    position.push(position.legal_moves[0])
    assert not position.legal_moves
