"""Rithmomachia: what falls after a move.

Owns sections 4 to 6 of `rules/rithmomachia.md` with the options `siege`, `ambush`,
`eruption`, `pyramid-total` and `pyramid-dies`; must not know how captures are counted.

Readings, where the page is silent:
- `pyramid-dies = whole` speaks of a match, which section 5 says of arithmetic only: under
  `siege = natural` besieged parts still go one by one.
- `siege = natural` names four run directions for each class, so `moves = straight` adds none.
- A pyramid is captured whole by siege, by its total, by `pyramid-dies = whole`, or by the
  value of its one remaining part (section 5); else it is gone with its last part, which
  `pyramid-count` counts as parts.
- In a sandwich any part may be used, and the total: how the pieces move does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from models.rithmomachia_board import (
    DIAGONAL,
    ORTHOGONAL,
    RUN,
    Board,
    Parts,
    Piece,
    diagonals,
    goals,
    intact,
    neighbours,
    orthogonals,
    walk,
)
from models.rithmomachia_options import Options

__all__ = ["Catch", "captures"]

Attackers = list[tuple[str, tuple[int, ...]]]  # own pieces' squares with the numbers they use


@dataclass
class Catch:
    """What one move takes: pieces by square, parts of the pyramid, or the whole pyramid."""

    pieces: dict[str, Piece] = field(default_factory=dict)
    parts: tuple[Piece, ...] = ()
    whole: bool = False


def captures(board: Board, parts: Parts, side: str, options: Options) -> Catch:
    """What the side that has just moved takes on that board."""
    return _Hunt(board, parts, side, options).catch()


@cache
def _in_line(square: str) -> tuple[tuple[str, int], ...]:
    """Squares of the same row or column, with the count that eruption uses."""
    return tuple(
        (name, far) for step in ORTHOGONAL for far, name in enumerate(walk(square, step), start=2)
    )


@cache
def _facing(square: str) -> tuple[tuple[str, str], ...]:
    """Pairs of neighbours on exactly opposite sides."""
    around = neighbours(square)
    pairs = ((0, 1), (2, 3), (4, 7), (5, 6))  # north and south, ..., ne and sw, se and nw
    return tuple(
        (one, two)
        for one, two in ((around[a], around[b]) for a, b in pairs)
        if one is not None and two is not None
    )


class _Hunt:
    """A position seen by the side that has just moved."""

    def __init__(self, board: Board, parts: Parts, side: str, options: Options) -> None:
        self.board, self.parts, self.side, self.options = board, parts, side, options
        self.mine = {name: piece for name, piece in board.items() if piece.side == side}
        self.theirs = {name: piece for name, piece in board.items() if piece.side != side}
        self.numbers = {name: self._numbers(piece) for name, piece in self.mine.items()}
        self.reach = self._reach()

    def _total(self, side: str) -> list[int]:
        """A pyramid's total, as long as it may be used."""
        if self.options.pyramid_total == "intact" and not intact(self.parts, side):
            return []
        return [sum(part.value for part in self.parts[side])]

    def _numbers(self, piece: Piece, kinds: set[str] | None = None) -> tuple[int, ...]:
        """Numbers that a piece strikes with, of a pyramid those of parts of these classes."""
        if piece.kind != "P":
            return (piece.value,)
        usable = [
            part.value
            for part in self.parts[piece.side]
            if kinds is None or part.kind in kinds or "P" in kinds
        ]
        return (*usable, *self._total(piece.side)) if usable else ()

    def _reach(self) -> dict[str, Attackers]:
        """For each enemy's square the own pieces that could move there."""
        found: dict[str, dict[str, set[str]]] = {name: {} for name in self.theirs}
        for name, piece in self.mine.items():
            for goal, kind in goals(name, piece, self.board, self.parts, self.options):
                if goal in found:
                    found[goal].setdefault(name, set()).add(kind)
        return {
            goal: [(name, self._numbers(self.mine[name], kinds)) for name, kinds in who.items()]
            for goal, who in found.items()
        }

    # --- siege -----------------------------------------------------------------------------

    def besieged(self, square: str) -> bool:
        """All four orthogonal or all four diagonal neighbours are own pieces or off the board."""
        return any(
            all(name is None or name in self.mine for name in around)
            for around in (orthogonals(square), diagonals(square))
        )

    def cut_off(self, square: str, kind: str) -> bool:
        """`siege = natural`: every run of that class is closed."""
        steps = DIAGONAL if kind == "R" else ORTHOGONAL
        return all(self._closed(walk(square, step), RUN[kind]) for step in steps)

    def _closed(self, line: tuple[str, ...], reach: int) -> bool:
        for name in line[:reach]:
            if name in self.board:
                return name in self.mine
        return len(line) < reach

    # --- arithmetic ------------------------------------------------------------------------

    def equal(self, square: str, victim: int) -> bool:
        return any(victim in numbers for _, numbers in self.reach[square])

    def ambushed(self, square: str, victim: int) -> bool:
        return any(
            _makes(x, y, victim) for one, two in self._pairs(square) for x in one for y in two
        )

    def _pairs(self, square: str) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Numbers of every two own pieces that lie in ambush."""
        if self.options.ambush == "sandwich":
            for one, two in _facing(square):
                if one in self.mine and two in self.mine:
                    yield self.numbers[one], self.numbers[two]
            return
        for (_, x), (_, y) in combinations(self.reach[square], 2):
            yield x, y

    def erupts(self, square: str, victim: int) -> bool:
        both = self.options.eruption == "both"
        return any(
            value * far == victim or (both and victim * far == value)
            for name, far in _in_line(square)
            if name in self.mine
            for value in self.numbers[name]
        )

    def matched(self, square: str, victim: int) -> bool:
        """Whether some arithmetic takes that number on that square."""
        tests: tuple[Callable[[str, int], bool], ...] = (self.equal, self.ambushed, self.erupts)
        return any(test(square, victim) for test in tests)

    # --- together --------------------------------------------------------------------------

    def catch(self) -> Catch:
        found = Catch()
        for square, piece in self.theirs.items():
            if piece.kind == "P":
                self._catch_pyramid(square, piece, found)
            elif self._sieged(square, piece.kind) or self.matched(square, piece.value):
                found.pieces[square] = piece
        return found

    def _sieged(self, square: str, kind: str) -> bool:
        if self.options.siege == "natural":
            return self.cut_off(square, kind)
        return self.besieged(square)

    def _catch_pyramid(self, square: str, piece: Piece, found: Catch) -> None:
        parts = self.parts[piece.side]
        natural = self.options.siege == "natural"
        matched = [part for part in parts if self.matched(square, part.value)]
        found.whole = (
            (not natural and self.besieged(square))
            or any(self.matched(square, total) for total in self._total(piece.side))
            or (bool(matched) and (self.options.pyramid_dies == "whole" or len(parts) == 1))
        )
        found.parts = tuple(
            part
            for part in parts
            if found.whole or part in matched or (natural and self.cut_off(square, part.kind))
        )
        if found.whole or len(found.parts) == len(parts):
            found.pieces[square] = piece


def _makes(x: int, y: int, victim: int) -> bool:
    """Sum, positive difference, product or exact quotient of the two is the victim's number."""
    low, high = min(x, y), max(x, y)
    return victim in (x + y, high - low, x * y) or victim * low == high
