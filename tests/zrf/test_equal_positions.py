"""Positions of rule files are equal, whatever the order of the moves that led to them."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.study.position_graph import explore
from tests.kit.games import play

GAMES = Path(__file__).parent / "games"
ORDERS = {
    "tictactoe": (
        ("X mark a1", "O mark b2", "X mark c3"),
        ("X mark c3", "O mark b2", "X mark a1"),
    ),
    "breakthrough": (
        ("pawn a2 - a3", "pawn a7 - a6", "pawn b2 - b3"),
        ("pawn b2 - b3", "pawn a7 - a6", "pawn a2 - a3"),
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_order_of_moves(name: str) -> None:
    game = forthvm.load(GAMES / f"{name}.zrf")
    positions = []
    for moves in ORDERS[name]:
        position = game.start()
        play(position, *moves)
        positions.append(position)
    assert positions[0] == positions[1]
    assert positions[0].key == positions[1].key


@pytest.mark.slow
def test_occurrences_make_a_difference() -> None:
    """A position that has occurred before is nearer to a draw."""
    position = forthvm.load(GAMES / "chess.zrf").start()
    first = position.key
    play(position, "Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8")
    assert position.key != first


@pytest.mark.slow
def test_all_positions_of_a_game_of_drops() -> None:
    """Tic-tac-toe has 5,478 positions, a number that is widely published."""
    graph = explore(forthvm.load(GAMES / "tictactoe.zrf").start(), max_positions=10_000)
    assert len(graph.turns) == 5_478
