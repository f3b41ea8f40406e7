"""Rithmomachia: what falls after a move.

Owns sections 4 to 6 of `rules/rithmomachia.md` with the options `siege`, `ambush`,
`eruption`, `pyramid-total` and `pyramid-dies`; must not know how captures are counted.

Readings, where the page is silent:
- `pyramid-dies = whole` speaks of a match, which section 5 says of arithmetic only: under
  `siege = natural` besieged parts still go one by one.
- `siege = natural` names four run directions for each class, so `moves = straight` adds none.
- A pyramid is captured whole whenever one move leaves nothing of it, by its total or by all
  the parts that it had left; section 5 says so of one part.
- In a sandwich any part may be used, and the total: how the pieces move does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from tests.models.rithmomachia_board import (
    COLUMNS,
    DIAGONAL,
    ORTHOGONAL,
    ROWS,
    RUN,
    Board,
    Parts,
    Piece,
    diagonals,
    free,
    intact,
    kinds,
    neighbours,
    orthogonals,
    walk,
    ways,
)
from tests.models.rithmomachia_options import Options

__all__ = ["Catch", "Reason", "captures", "reasons"]

Attacker = tuple[str, tuple[int, ...]]  # an own piece's square with the numbers it uses
Lined = list[tuple[int, tuple[int, ...]]]  # places along a row or column, and numbers there

_PLACE: Final = {
    name: place for names in (COLUMNS, map(str, ROWS)) for place, name in enumerate(names)
}


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
def _around(square: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The straight neighbours and the slanting ones, those on the board."""
    straight = tuple(name for name in orthogonals(square) if name is not None)
    return straight, tuple(name for name in diagonals(square) if name is not None)


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


class Reason(NamedTuple):
    """Why a piece falls: its square, of a pyramid the part unless it is the total, and how.

    `by` holds the attackers' squares with the number that each brings, none in a siege.
    """

    square: str
    part: str
    how: str
    by: frozenset[tuple[str, int]] = frozenset()


def reasons(board: Board, parts: Parts, side: str, options: Options) -> set[Reason]:
    """All reasons for what the side that has just moved takes on that board."""
    return set(_Hunt(board, parts, side, options).reasons())


class _Hunt:
    """A position seen by the side that has just moved."""

    def __init__(self, board: Board, parts: Parts, side: str, options: Options) -> None:
        self.board, self.parts, self.side, self.options = board, parts, side, options
        self.mine: dict[str, Piece] = {}
        self.theirs: dict[str, Piece] = {}
        self.numbers: dict[str, tuple[int, ...]] = {}
        self.columns: dict[str, Lined] = {}  # own pieces by column, with their rows
        self.rows: dict[str, Lined] = {}  # and by row, with their columns
        for name, piece in board.items():
            if piece.side != side:
                self.theirs[name] = piece
                continue
            self.mine[name] = piece
            self.numbers[name] = numbers = self._numbers(piece)
            column, row = name[0], name[1:]
            self.columns.setdefault(column, []).append((_PLACE[row], numbers))
            self.rows.setdefault(row, []).append((_PLACE[column], numbers))
        self.reach = self._reach()

    def _total(self, side: str) -> list[int]:
        """A pyramid's total, as long as it may be used."""
        if self.options.pyramid_total == "intact" and not intact(self.parts, side):
            return []
        return [sum(part.value for part in self.parts[side])]

    def _numbers(self, piece: Piece, usable: set[str] | None = None) -> tuple[int, ...]:
        """Numbers that a piece strikes with, of a pyramid those of parts of these classes."""
        if piece.kind != "P":
            return (piece.value,)
        found = [
            part.value
            for part in self.parts[piece.side]
            if usable is None or part.kind in usable or "P" in usable
        ]
        return (*found, *self._total(piece.side)) if found else ()

    def _reach(self) -> dict[str, list[Attacker]]:
        """For each enemy's square the own pieces that could move there."""
        found: dict[str, list[Attacker]] = {name: [] for name in self.theirs}
        moves, board = self.options.moves, self.board
        for name, piece in self.mine.items():
            reached: dict[str, set[str]] = {}
            for kind in kinds(piece, self.parts, self.options):
                for goal, between in ways(name, kind, moves):
                    if goal in found and free(between, board):
                        reached.setdefault(goal, set()).add(kind)
            for goal, usable in reached.items():
                found[goal].append((name, self._numbers(piece, usable)))
        return found

    # --- siege -----------------------------------------------------------------------------

    def besieged(self, square: str) -> bool:
        """All four orthogonal or all four diagonal neighbours are own pieces or off the board."""
        mine = self.mine
        for around in _around(square):
            for name in around:
                if name not in mine:
                    break
            else:
                return True
        return False

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
        """Section 6, equality."""
        return any(victim in numbers for _, numbers in self.reach[square])

    def ambushed(self, square: str, victim: int) -> bool:
        """Section 6, ambush."""
        for (_, one), (_, two) in self._pairs(square):
            for x in one:
                for y in two:
                    if _makes(x, y, victim):
                        return True
        return False

    def _pairs(self, square: str) -> Iterator[tuple[Attacker, Attacker]]:
        """Every two own pieces that lie in ambush."""
        if self.options.ambush == "sandwich":
            for one, two in _facing(square):
                if one in self.mine and two in self.mine:
                    yield (one, self.numbers[one]), (two, self.numbers[two])
            return
        yield from combinations(self.reach[square], 2)

    def erupts(self, square: str, victim: int) -> bool:
        """Section 6, eruption."""
        both = self.options.eruption == "both"
        column, row = square[0], square[1:]
        for here, line in (
            (_PLACE[row], self.columns.get(column, ())),
            (_PLACE[column], self.rows.get(row, ())),
        ):
            for there, numbers in line:
                count = abs(here - there) + 1
                for value in numbers:
                    if value * count == victim or (both and victim * count == value):
                        return True
        return False

    def matched(self, square: str, victim: int) -> bool:
        """Whether some arithmetic takes that number on that square."""
        return (
            self.equal(square, victim)
            or self.ambushed(square, victim)
            or self.erupts(square, victim)
        )

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
        all_go = (
            (not natural and self.besieged(square))
            or any(self.matched(square, total) for total in self._total(piece.side))
            or (bool(matched) and self.options.pyramid_dies == "whole")
        )
        found.parts = tuple(
            part
            for part in parts
            if all_go or part in matched or (natural and self.cut_off(square, part.kind))
        )
        found.whole = len(found.parts) == len(parts)
        if found.whole:
            found.pieces[square] = piece

    # --- telling why -----------------------------------------------------------------------

    def reasons(self) -> Iterator[Reason]:
        """Every reason there is, more than one of a kind included."""
        for square, piece in self.theirs.items():
            units = [("", piece.kind, piece.value)]
            if piece.kind == "P":
                units = [(str(p)[1:], p.kind, p.value) for p in self.parts[piece.side]]
                if len(units) > 1:  # a single part is the total as well: told once
                    units += [("", "P", total) for total in self._total(piece.side)]
            if self.options.siege == "adjacent" and self.besieged(square):
                yield Reason(square, "", "siege")
            for part, kind, value in units:
                if self.options.siege == "natural" and kind != "P" and self.cut_off(square, kind):
                    yield Reason(square, part, "siege")
                for how, by in self._arithmetic(square, value):
                    yield Reason(square, part, how, frozenset(by))

    def _arithmetic(self, square: str, victim: int) -> Iterator[tuple[str, set[tuple[str, int]]]]:
        for name, numbers in self.reach[square]:
            if victim in numbers:
                yield "equality", {(name, victim)}
        for (first, one), (second, two) in self._pairs(square):
            for x in one:
                for y in two:
                    if _makes(x, y, victim):
                        yield "ambush", {(first, x), (second, y)}
        for name, value in self._eruptions(square, victim):
            yield "eruption", {(name, value)}

    def _eruptions(self, square: str, victim: int) -> Iterator[tuple[str, int]]:
        both = self.options.eruption == "both"
        for name, numbers in self.numbers.items():
            if (name[0] == square[0]) != (name[1:] == square[1:]):
                far = abs(ord(name[0]) - ord(square[0])) + abs(int(name[1:]) - int(square[1:])) + 1
                for value in numbers:
                    if value * far == victim or (both and victim * far == value):
                        yield name, value


def _makes(x: int, y: int, victim: int) -> bool:
    """Sum, positive difference, product or exact quotient of the two is the victim's number."""
    low, high = min(x, y), max(x, y)
    return victim in (x + y, high - low, x * y) or victim * low == high
