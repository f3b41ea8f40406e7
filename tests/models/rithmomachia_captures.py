"""Rithmomachia: the captures after a move.

Owns sections 4 to 6 of `rules/rithmomachia.md` with the options `siege`, `ambush`,
`eruption`, `pyramid-total` and `pyramid-dies`.  The kinds of captures (siege, equality, ambush,
eruption) are explained in rithmomachia.py.

Interpretations where that page has no rule:
- `pyramid-dies = whole` refers to a match, which section 5 defines for arithmetic captures only.
  With `siege = natural`, besieged parts are therefore captured one by one.
- `siege = natural` names four run directions for each class; `moves = straight` adds none.
- A move that captures a pyramid's total, or all its remaining parts, captures the whole pyramid.
  Section 5 says so only for a pyramid with one part.
- In a sandwich, every part and the total may attack, whatever the directions of their moves.
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
    all_empty,
    diagonals,
    intact,
    kinds,
    neighbours,
    orthogonals,
    paths,
    ray,
)
from tests.models.rithmomachia_options import Options

__all__ = ["Captures", "Reason", "captures", "reasons"]

Attacker = tuple[str, tuple[int, ...]]  # the square and the usable numbers of an own piece
Line = list[tuple[int, tuple[int, ...]]]  # indexes in a row or column with the pieces' numbers

_INDEX: Final = {
    name: index for names in (COLUMNS, map(str, ROWS)) for index, name in enumerate(names)
}


@dataclass
class Captures:
    """The captures of one move: pieces by square, parts of the pyramid, or the whole pyramid."""

    pieces: dict[str, Piece] = field(default_factory=dict)
    parts: tuple[Piece, ...] = ()
    whole_pyramid: bool = False


def captures(board: Board, parts: Parts, side: str, options: Options) -> Captures:
    """Return the captures of the side that has just moved."""
    return _Attack(board, parts, side, options).captures()


@cache
def _around(square: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the orthogonal and the diagonal neighbours on the board."""
    straight = tuple(name for name in orthogonals(square) if name is not None)
    return straight, tuple(name for name in diagonals(square) if name is not None)


@cache
def _facing(square: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of neighbours on opposite sides."""
    adjacent = neighbours(square)
    pairs = ((0, 1), (2, 3), (4, 7), (5, 6))  # north-south, west-east, ne-sw, se-nw
    return tuple(
        (first, second)
        for first, second in ((adjacent[a], adjacent[b]) for a, b in pairs)
        if first is not None and second is not None
    )


class Reason(NamedTuple):
    """A reason for a capture: the victim's square and part, the kind of capture, the attackers.

    `part` is empty except for a part of a pyramid.  `by` has the squares of the attackers with
    the number that each of them uses; it is empty for a siege.
    """

    square: str
    part: str
    how: str
    by: frozenset[tuple[str, int]] = frozenset()


def reasons(board: Board, parts: Parts, side: str, options: Options) -> set[Reason]:
    """Return all reasons for the captures of the side that has just moved."""
    return set(_Attack(board, parts, side, options).reasons())


class _Attack:
    """Finds the captures of the side that has just moved."""

    def __init__(self, board: Board, parts: Parts, side: str, options: Options) -> None:
        self.board, self.parts, self.side, self.options = board, parts, side, options
        self.own: dict[str, Piece] = {}
        self.enemies: dict[str, Piece] = {}
        self.numbers: dict[str, tuple[int, ...]] = {}
        self.columns: dict[str, Line] = {}  # own pieces by column, with the indexes of their rows
        self.rows: dict[str, Line] = {}  # own pieces by row, with the indexes of their columns
        for name, piece in board.items():
            if piece.side != side:
                self.enemies[name] = piece
                continue
            self.own[name] = piece
            self.numbers[name] = numbers = self._numbers(piece)
            column, row = name[0], name[1:]
            self.columns.setdefault(column, []).append((_INDEX[row], numbers))
            self.rows.setdefault(row, []).append((_INDEX[column], numbers))
        self.reach = self._reach()

    def _total(self, side: str) -> list[int]:
        """Return a pyramid's total in a list, which is empty if the total does not count."""
        if self.options.pyramid_total == "intact" and not intact(self.parts, side):
            return []
        return [sum(part.value for part in self.parts[side])]

    def _numbers(self, piece: Piece, usable: set[str] | None = None) -> tuple[int, ...]:
        """Return the numbers with which a piece attacks.

        For a pyramid these are the numbers of the parts of the `usable` classes, and the total.
        """
        if piece.kind != "P":
            return (piece.value,)
        found = [
            part.value
            for part in self.parts[piece.side]
            if usable is None or part.kind in usable or "P" in usable
        ]
        return (*found, *self._total(piece.side)) if found else ()

    def _reach(self) -> dict[str, list[Attacker]]:
        """Return for each enemy square the own pieces that could move there if it were empty."""
        found: dict[str, list[Attacker]] = {name: [] for name in self.enemies}
        moves, board = self.options.moves, self.board
        for name, piece in self.own.items():
            reached: dict[str, set[str]] = {}
            for kind in kinds(piece, self.parts, self.options):
                for goal, between in paths(name, kind, moves):
                    if goal in found and all_empty(between, board):
                        reached.setdefault(goal, set()).add(kind)
            for goal, usable in reached.items():
                found[goal].append((name, self._numbers(piece, usable)))
        return found

    # --- siege -----------------------------------------------------------------------------

    def besieged(self, square: str) -> bool:
        """Return whether own pieces and edges surround a square orthogonally or diagonally."""
        own = self.own
        for adjacent in _around(square):
            for name in adjacent:
                if name not in own:
                    break
            else:
                return True
        return False

    def cut_off(self, square: str, kind: str) -> bool:
        """Return whether every run of a class from a square is blocked (`siege = natural`)."""
        steps = DIAGONAL if kind == "R" else ORTHOGONAL
        return all(self._blocked(ray(square, step), RUN[kind]) for step in steps)

    def _blocked(self, line: tuple[str, ...], reach: int) -> bool:
        for name in line[:reach]:
            if name in self.board:
                return name in self.own
        return len(line) < reach

    # --- arithmetic ------------------------------------------------------------------------

    def equal(self, square: str, victim: int) -> bool:
        """Return whether equality captures a number on a square (section 6)."""
        return any(victim in numbers for _, numbers in self.reach[square])

    def ambushed(self, square: str, victim: int) -> bool:
        """Return whether an ambush captures a number on a square (section 6)."""
        for (_, first_numbers), (_, second_numbers) in self._pairs(square):
            for x in first_numbers:
                for y in second_numbers:
                    if _combines(x, y, victim):
                        return True
        return False

    def _pairs(self, square: str) -> Iterator[tuple[Attacker, Attacker]]:
        """Yield the pairs of own pieces that can ambush a square."""
        if self.options.ambush == "sandwich":
            for first, second in _facing(square):
                if first in self.own and second in self.own:
                    yield (first, self.numbers[first]), (second, self.numbers[second])
            return
        yield from combinations(self.reach[square], 2)

    def erupts(self, square: str, victim: int) -> bool:
        """Return whether an eruption captures a number on a square (section 6)."""
        may_divide = self.options.eruption == "both"
        column, row = square[0], square[1:]
        for victim_index, line in (
            (_INDEX[row], self.columns.get(column, ())),
            (_INDEX[column], self.rows.get(row, ())),
        ):
            for index, numbers in line:
                count = abs(victim_index - index) + 1
                for value in numbers:
                    if value * count == victim or (may_divide and victim * count == value):
                        return True
        return False

    def matched(self, square: str, victim: int) -> bool:
        """Return whether equality, ambush or eruption captures a number on a square."""
        return (
            self.equal(square, victim)
            or self.ambushed(square, victim)
            or self.erupts(square, victim)
        )

    # --- all captures ----------------------------------------------------------------------

    def captures(self) -> Captures:
        found = Captures()
        for square, piece in self.enemies.items():
            if piece.kind == "P":
                self._capture_pyramid(square, piece, found)
            elif self._sieged(square, piece.kind) or self.matched(square, piece.value):
                found.pieces[square] = piece
        return found

    def _sieged(self, square: str, kind: str) -> bool:
        if self.options.siege == "natural":
            return self.cut_off(square, kind)
        return self.besieged(square)

    def _capture_pyramid(self, square: str, piece: Piece, found: Captures) -> None:
        parts = self.parts[piece.side]
        natural = self.options.siege == "natural"
        matched = [part for part in parts if self.matched(square, part.value)]
        all_parts = (
            (not natural and self.besieged(square))
            or any(self.matched(square, total) for total in self._total(piece.side))
            or (bool(matched) and self.options.pyramid_dies == "whole")
        )
        found.parts = tuple(
            part
            for part in parts
            if all_parts or part in matched or (natural and self.cut_off(square, part.kind))
        )
        found.whole_pyramid = len(found.parts) == len(parts)
        if found.whole_pyramid:
            found.pieces[square] = piece

    # --- reasons ---------------------------------------------------------------------------

    def reasons(self) -> Iterator[Reason]:
        """Yield every reason, several of one kind included."""
        for square, piece in self.enemies.items():
            units = [("", piece.kind, piece.value)]
            if piece.kind == "P":
                units = [(str(p)[1:], p.kind, p.value) for p in self.parts[piece.side]]
                if len(units) > 1:  # a single part equals the total: one reason is enough
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
        for (first, first_numbers), (second, second_numbers) in self._pairs(square):
            for x in first_numbers:
                for y in second_numbers:
                    if _combines(x, y, victim):
                        yield "ambush", {(first, x), (second, y)}
        for name, value in self._eruptions(square, victim):
            yield "eruption", {(name, value)}

    def _eruptions(self, square: str, victim: int) -> Iterator[tuple[str, int]]:
        may_divide = self.options.eruption == "both"
        for name, numbers in self.numbers.items():
            if (name[0] == square[0]) != (name[1:] == square[1:]):
                columns = abs(ord(name[0]) - ord(square[0]))
                rows = abs(int(name[1:]) - int(square[1:]))
                count = columns + rows + 1
                for value in numbers:
                    if value * count == victim or (may_divide and victim * count == value):
                        yield name, value


def _combines(x: int, y: int, victim: int) -> bool:
    """Return whether sum, positive difference, product or exact quotient equals the victim."""
    low, high = min(x, y), max(x, y)
    return victim in (x + y, high - low, x * y) or victim * low == high
