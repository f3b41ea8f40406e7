"""Reversi as played today (Othello's opening and rules) in plain Python.

Owns the well-known rules, for boards of any even size.  It does not use forthvm or a script.
Squares are pairs (column, row) with a1 = (0, 0).  Black begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["BLACK", "WHITE", "State", "end", "flips", "moves", "perft", "play", "position", "start"]

Square = tuple[int, int]

BLACK: Final = "Black"
WHITE: Final = "White"
_DIRECTIONS: Final = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)


@cache
def _rays(size: int) -> dict[Square, tuple[tuple[Square, ...], ...]]:
    """For each square, the lines from it of at least two squares; shorter lines turn no disc."""
    found = {}
    for column in range(size):
        for row in range(size):
            lines = [
                [(column + x * k, row + y * k) for k in range(1, size)] for x, y in _DIRECTIONS
            ]
            inside = [
                [square for square in line if min(square) >= 0 and max(square) < size]
                for line in lines
            ]
            found[column, row] = tuple(tuple(line) for line in inside if len(line) > 1)
    return found


@dataclass(frozen=True)
class State:
    """The discs by square, and the player to move."""

    discs: Mapping[Square, str]
    mover: str = BLACK
    size: int = 8


def other(player: str) -> str:
    """The opponent."""
    return WHITE if player == BLACK else BLACK


def position(
    black: Iterable[str], white: Iterable[str], mover: str = BLACK, size: int = 8
) -> State:
    """A state with discs on squares given by name."""
    owners = {name: BLACK for name in black} | {name: WHITE for name in white}
    discs = {(ord(name[0]) - ord("a"), int(name[1]) - 1): owner for name, owner in owners.items()}
    return State(discs, mover, size)


def start(size: int = 8) -> State:
    """The first position: two discs of each side in the middle; on 8 x 8, White has d4 and e5."""
    low, high = size // 2 - 1, size // 2
    discs = {(low, low): WHITE, (high, high): WHITE, (low, high): BLACK, (high, low): BLACK}
    return State(discs, BLACK, size)


def flips(state: State, square: Square) -> list[Square]:
    """The discs that a disc on a square would turn over; a move that turns no disc is illegal."""
    discs, mover = state.discs, state.mover
    if square in discs:
        return []
    found: list[Square] = []
    for ray in _rays(state.size)[square]:
        line: list[Square] = []
        for target in ray:
            owner = discs.get(target)
            if owner == mover:
                found += line
                break
            if owner is None:
                break
            line.append(target)
    return found


def moves(state: State) -> dict[Square | None, list[Square]]:
    """Each move with the discs that it turns over; None is the pass of a player without moves."""
    found: dict[Square | None, list[Square]] = {
        square: turned for square in _rays(state.size) if (turned := flips(state, square))
    }
    return found or {None: []}


def play(state: State, square: Square | None, turned: Iterable[Square]) -> State:
    """The state after a move."""
    discs = dict(state.discs)
    if square is not None:
        discs.update(dict.fromkeys((square, *turned), state.mover))
    return State(discs, other(state.mover), state.size)


def end(state: State) -> str | None:
    """The winner, empty for a draw, None while a player can move."""
    for player in (state.mover, other(state.mover)):
        if None not in moves(State(state.discs, player, state.size)):
            return None
    discs = list(state.discs.values())
    margin = discs.count(BLACK) - discs.count(WHITE)
    return "" if margin == 0 else BLACK if margin > 0 else WHITE


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` moves, passes included."""
    found = moves(state)
    if None in found and end(state) is not None:
        return 0
    if depth == 1:
        return len(found)
    return sum(perft(play(state, square, line), depth - 1) for square, line in found.items())
