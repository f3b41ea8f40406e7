"""Noughts and crosses in plain Python: a state is the nine squares and the player to move.

This model does not use forthvm or a script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["LINES", "State", "perft", "start", "successors", "winner"]

LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


@dataclass(frozen=True)
class State:
    """A position; `squares` lists the rows: 0 is empty, 1 and 2 are the players in turn order."""

    squares: tuple[int, ...]
    mover: int = 1


def start() -> State:
    """The empty board."""
    return State((0,) * 9)


def winner(squares: Sequence[int]) -> int:
    """The player who has three in a line, 0 for none."""
    for a, b, c in LINES:
        if squares[a] and squares[a] == squares[b] == squares[c]:
            return squares[a]
    return 0


def successors(state: State) -> list[State]:
    """The states after each legal move; an empty list if the game is over."""
    if winner(state.squares):
        return []
    return [
        State((*state.squares[:i], state.mover, *state.squares[i + 1 :]), 3 - state.mover)
        for i, mark in enumerate(state.squares)
        if not mark
    ]


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plies."""
    states = successors(state)
    return len(states) if depth == 1 else sum(perft(after, depth - 1) for after in states)
