"""Reversi as played today (Othello's opening and rules) in plain Python.

Owns the well-known rules.  It must not know forthvm or any script.  Squares are pairs
(column, row) with a1 = (0, 0).  Black begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["BLACK", "WHITE", "State", "end", "flips", "moves", "perft", "play", "position", "start"]

Square = tuple[int, int]

BLACK: Final = "Black"
WHITE: Final = "White"
_SQUARES: Final = tuple((column, row) for row in range(8) for column in range(8))
_WAYS: Final = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)


def _ray(square: Square, way: Square) -> tuple[Square, ...]:
    line = [(square[0] + way[0] * k, square[1] + way[1] * k) for k in range(1, 8)]
    return tuple(one for one in line if one in _SQUARES)


# Where a disc could turn others, two or more squares are needed.
_RAYS: Final = {
    square: tuple(ray for way in _WAYS if len(ray := _ray(square, way)) > 1) for square in _SQUARES
}


@dataclass(frozen=True)
class State:
    """The discs by square, and who is to move."""

    discs: Mapping[Square, str]
    mover: str = BLACK


def other(player: str) -> str:
    """The opponent."""
    return WHITE if player == BLACK else BLACK


def position(black: Iterable[str], white: Iterable[str], mover: str = BLACK) -> State:
    """Discs on squares given by name."""
    owners = {name: BLACK for name in black} | {name: WHITE for name in white}
    return State({(ord(n[0]) - ord("a"), int(n[1]) - 1): who for n, who in owners.items()}, mover)


def start() -> State:
    """White on d5 and e4 where row 1 is the bottom, that is on the diagonal from top left."""
    return position(("d4", "e5"), ("d5", "e4"))


def flips(state: State, square: Square) -> list[Square]:
    """The discs that the mover would turn over by a disc there; none: he may not."""
    discs, mover = state.discs, state.mover
    if square in discs:
        return []
    found: list[Square] = []
    for ray in _RAYS[square]:
        line: list[Square] = []
        for one in ray:
            owner = discs.get(one)
            if owner == mover:
                found += line
                break
            if owner is None:
                break
            line.append(one)
    return found


def moves(state: State) -> dict[Square | None, list[Square]]:
    """Each move with what it turns over; None is the pass of a player who has no other."""
    found: dict[Square | None, list[Square]] = {
        square: turned for square in _SQUARES if (turned := flips(state, square))
    }
    return found or {None: []}


def play(state: State, square: Square | None, turned: Iterable[Square]) -> State:
    """The state after a move."""
    discs = dict(state.discs)
    if square is not None:
        discs.update(dict.fromkeys((square, *turned), state.mover))
    return State(discs, other(state.mover))


def end(state: State) -> str | None:
    """Who has won, empty for a draw, None while somebody can move."""
    for player in (state.mover, other(state.mover)):
        if None not in moves(State(state.discs, player)):
            return None
    discs = list(state.discs.values())
    margin = discs.count(BLACK) - discs.count(WHITE)
    return "" if margin == 0 else BLACK if margin > 0 else WHITE


def perft(state: State, depth: int) -> int:
    """Sequences of `depth` moves, a pass counting as one."""
    found = moves(state)
    if None in found and end(state) is not None:
        return 0
    if depth == 1:
        return len(found)
    return sum(perft(play(state, square, line), depth - 1) for square, line in found.items())
