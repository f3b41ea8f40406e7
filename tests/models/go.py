"""Go in plain Python, on boards of any size: area scoring, positional superko, two passes.

Owns the rules: a stone captures enemy groups without liberties; a move that recreates an earlier
board is illegal; suicide is illegal or, as by the rules of Tromp and Taylor, legal.  It does not
use forthvm or a script.  Points are pairs (column, row) with a1 = (0, 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

__all__ = ["BLACK", "WHITE", "Rules", "State", "group"]

Point = tuple[int, int]
Board = frozenset[tuple[Point, str]]

BLACK: Final = "Black"
WHITE: Final = "White"
_LAST_PASSES: Final = 2


@dataclass(frozen=True)
class Rules:
    """The size of the board, the points that White is given, and whether suicide is legal."""

    columns: int = 9
    rows: int = 9
    komi: float = 7
    suicide: bool = False


@cache
def neighbours(point: Point, columns: int, rows: int) -> tuple[Point, ...]:
    """The points next to a point."""
    column, row = point
    around = (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)
    return tuple((x, y) for x, y in around if 0 <= x < columns and 0 <= y < rows)


def group(rules: Rules, stones: Mapping[Point, str], point: Point) -> tuple[set[Point], set[Point]]:
    """The points connected with a point that have the same owner or are also empty; their border.

    For a stone, the points of the border that are empty are the liberties.
    """
    owner = stones.get(point)
    members, border, waiting = {point}, set[Point](), [point]
    while waiting:
        for other in neighbours(waiting.pop(), rules.columns, rules.rows):
            if stones.get(other) != owner:
                border.add(other)
            elif other not in members:
                members.add(other)
                waiting.append(other)
    return members, border


@dataclass(frozen=True)
class State:
    """A position; `earlier` has all boards of the game, also the current one."""

    rules: Rules = Rules()
    stones: Mapping[Point, str] = field(default_factory=dict)
    turn: str = BLACK
    passes: int = 0
    earlier: frozenset[Board] = frozenset([frozenset()])

    def owners(self) -> dict[str, str]:
        """The owner of each point that is not empty, by the name of the point."""
        return {_name(point): owner for point, owner in self.stones.items()}

    def legal(self) -> dict[str, State]:
        """The states after each legal move, by the point of the move, and after `Pass`."""
        other = WHITE if self.turn == BLACK else BLACK
        found = {"Pass": State(self.rules, self.stones, other, self.passes + 1, self.earlier)}
        for point in self.points():
            if point in self.stones or (after := self._stones_after(point, other)) is None:
                continue
            board = frozenset(after.items())
            if board not in self.earlier:
                found[_name(point)] = State(self.rules, after, other, 0, self.earlier | {board})
        return found

    def points(self) -> list[Point]:
        """All points of the board."""
        return [(x, y) for x in range(self.rules.columns) for y in range(self.rules.rows)]

    def _stones_after(self, point: Point, other: str) -> dict[Point, str] | None:
        """The stones after a move, None if it is an illegal suicide."""
        after = {**self.stones, point: self.turn}
        for next_to in neighbours(point, self.rules.columns, self.rules.rows):
            if after.get(next_to) == other:
                _remove_without_liberties(self.rules, after, next_to)
        if _remove_without_liberties(self.rules, after, point) and not self.rules.suicide:
            return None
        return after

    def areas(self) -> dict[str, int]:
        """The area of each player."""
        areas = {BLACK: 0, WHITE: 0}
        for point in self.points():
            owner = self.stones.get(point)
            if owner is None:
                border = group(self.rules, self.stones, point)[1]
                owners = {self.stones[other] for other in border}
                owner = owners.pop() if len(owners) == 1 else None
            if owner:
                areas[owner] += 1
        return areas

    def winner(self) -> str | None:
        """The winner after two passes, an empty text for a draw, None before."""
        if self.passes < _LAST_PASSES:
            return None
        areas = self.areas()
        margin = areas[BLACK] - areas[WHITE] - self.rules.komi
        return "" if margin == 0 else BLACK if margin > 0 else WHITE


def _remove_without_liberties(rules: Rules, stones: dict[Point, str], point: Point) -> bool:
    """Remove the group of a stone if it has no liberty; return whether it was removed."""
    members, border = group(rules, stones, point)
    if any(other not in stones for other in border):
        return False
    for member in members:
        del stones[member]
    return True


def _name(point: Point) -> str:
    column, row = point
    return "abcdefghjklmnopqrst"[column] + str(row + 1)
