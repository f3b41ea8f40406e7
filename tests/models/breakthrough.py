"""Breakthrough in plain Python, on boards of any size.

Pieces step one square forward, straight or diagonally, and capture diagonally only.  The player
who reaches the far row or captures the last enemy piece wins.  This model does not use forthvm or a
script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["State", "over", "perft", "start", "successors"]


@dataclass(frozen=True)
class State:
    """A position.  `squares[0]` is the top row; 0 is empty, 1 moves up and begins, 2 moves down."""

    rows: int
    columns: int
    squares: tuple[int, ...]
    mover: int = 1


def start(rows: int = 8, columns: int = 8, ranks: int = 2) -> State:
    """The first position: each side fills its nearest `ranks` rows."""
    middle = (0,) * columns * (rows - 2 * ranks)
    return State(rows, columns, (2,) * columns * ranks + middle + (1,) * columns * ranks)


def over(state: State) -> bool:
    """Whether a player has reached the far row or lost all pieces."""
    top = state.squares[: state.columns]
    bottom = state.squares[-state.columns :]
    return 1 in top or 2 in bottom or 1 not in state.squares or 2 not in state.squares


def _moves(state: State) -> Iterator[tuple[int, int]]:
    """Yield source and target of each move, as indexes in `squares`."""
    ahead = -1 if state.mover == 1 else 1
    for at, owner in enumerate(state.squares):
        if owner != state.mover:
            continue
        row, column = divmod(at, state.columns)
        if not 0 <= row + ahead < state.rows:
            continue
        for sideways in (-1, 0, 1):
            if not 0 <= column + sideways < state.columns:
                continue
            target = at + ahead * state.columns + sideways
            if state.squares[target] == 0 or (sideways and state.squares[target] != state.mover):
                yield at, target


def successors(state: State) -> list[State]:
    """The states after each legal move; an empty list if the game is over."""
    if over(state):
        return []
    found = []
    for source, target in _moves(state):
        squares = list(state.squares)
        squares[source], squares[target] = 0, state.mover
        found.append(State(state.rows, state.columns, tuple(squares), 3 - state.mover))
    return found


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plies."""
    states = successors(state)
    return len(states) if depth == 1 else sum(perft(after, depth - 1) for after in states)
