"""Rithmomachia: the proper (glorious) victories.

Owns section 8 of `rules/rithmomachia.md`: progressions, arrangements, and whether a side has
a Magna, Major or Excellentissima.

Each victory is a set of pieces in the enemy's half.  For a Magna, three numbers form an arithmetic,
geometric or harmonic progression.  For a Major or Excellentissima, the triples of four numbers form
progressions of two or of all three types.

Interpretations where that page has no rule:
- The arrangement concerns only the squares; the values of a set may be on them in any order.
- A line may have any slope (`any direction`); equal distances are equal steps.
- With `line`, four pieces must form a line; with `line-or-corner`, a line or a square.
- `glory-own` applies to sets of three and to sets of four pieces.
- `pyramid-total` concerns attackers and victims; a set may always use the total.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise, product

from tests.models.rithmomachia_board import OTHER, Board, Parts, Piece, territory
from tests.models.rithmomachia_options import Options

__all__ = ["arranged_four", "arranged_three", "glory", "progression", "rank_of_four"]

MAJOR, EXCELLENTISSIMA = 2, 3  # results of `rank_of_four`


@cache
def progression(first: int, second: int, third: int) -> str:
    """Return the progression of three numbers: arithmetic, geometric, harmonic, or empty."""
    a, b, c = sorted((first, second, third))
    if not a < b < c:
        return ""
    if a + c == 2 * b:
        return "arithmetic"
    if a * c == b * b:
        return "geometric"
    return "harmonic" if b * (a + c) == 2 * a * c else ""


@cache
def rank_of_four(values: tuple[int, int, int, int]) -> int:
    """Return the number of types of progression among the triples of four numbers."""
    return len({progression(*three) for three in combinations(values, 3)} - {""})


# --- arrangements ------------------------------------------------------------------------------


@cache
def _point(square: str) -> tuple[int, int]:
    return ord(square[0]), int(square[1:])


def _even_line(squares: tuple[str, ...]) -> bool:
    """Return whether the squares are at equal steps on a straight line of any slope."""
    points = sorted(_point(square) for square in squares)
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)}
    return len(steps) == 1


def _corner(squares: tuple[str, ...]) -> bool:
    """Return whether one of three squares is a right-angled corner with legs of equal length."""
    points = [_point(square) for square in squares]
    for x, y in points:
        row = [abs(px - x) for px, py in points if py == y and px != x]
        column = [abs(py - y) for px, py in points if px == x and py != y]
        if row and row == column:
            return True
    return False


def arranged_three(squares: tuple[str, ...], arrangement: str) -> bool:
    """Return whether three squares satisfy the option `arrangement`."""
    if arrangement == "free" or _even_line(squares):
        return True
    return arrangement == "line-or-corner" and _corner(squares)


def arranged_four(squares: tuple[str, ...], arrangement: str) -> bool:
    """Return whether four squares satisfy the option `arrangement`."""
    if arrangement == "free" or _even_line(squares):
        return True
    if arrangement == "line":
        return False
    columns, rows = ({_point(square)[n] for square in squares} for n in (0, 1))
    upright = len(columns) == len(rows) == 2
    return upright and max(columns) - min(columns) == max(rows) - min(rows)


# --- sets of pieces ------------------------------------------------------------------------------


def glory(board: Board, parts: Parts, side: str, options: Options) -> str:
    """Return the highest proper victory of a side, or an empty string."""
    if options.glory == "off":
        return ""
    enemy_pyramid = any(piece.kind == "P" and piece.side != side for piece in board.values())
    if options.glory_needs_pyramid == "on" and enemy_pyramid:
        return ""
    return _EnemyTerritory(board, parts, side, options).best()


class _EnemyTerritory:
    """The pieces in the enemy's territory, and the sets that they form."""

    def __init__(self, board: Board, parts: Parts, side: str, options: Options) -> None:
        self.options = options
        inside = territory(OTHER[side])
        pieces = {name: piece for name, piece in board.items() if name in inside}
        self.own = {name for name, piece in pieces.items() if piece.side == side}
        self.numbers = {name: _numbers(piece, parts) for name, piece in pieces.items()}

    def best(self) -> str:
        # A Major or Excellentissima contains a progression of three pieces of either side.
        triples = list(self._progressions()) if self.own else []
        if self.options.glory == "all":
            ranks = {rank for triple in triples for rank in self._ranks(*triple)}
            if EXCELLENTISSIMA in ranks:
                return "Victoria Excellentissima"
            if MAJOR in ranks:
                return "Victoria Major"
        return "Victoria Magna" if any(self._magna(*triple) for triple in triples) else ""

    def _progressions(self) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Yield squares and values of all progressions of three pieces, in any arrangement."""
        by_number: dict[int, list[str]] = {}
        for name, numbers in self.numbers.items():
            for number in numbers:
                by_number.setdefault(number, []).append(name)
        for values in combinations(sorted(by_number), 3):
            if progression(*values):
                for squares in product(*(by_number[value] for value in values)):
                    if len(set(squares)) == 3:
                        yield squares, values

    def _enough_own(self, squares: tuple[str, ...]) -> bool:
        return sum(square in self.own for square in squares) >= self.options.glory_own

    def _magna(self, squares: tuple[str, ...], values: tuple[int, ...]) -> bool:
        return (
            (self.options.magna == "any" or progression(*values) == "arithmetic")
            and self._enough_own(squares)
            and arranged_three(squares, self.options.arrangement)
        )

    def _ranks(self, squares: tuple[str, ...], values: tuple[int, ...]) -> Iterator[int]:
        """Yield the ranks of the arranged sets of four that contain these three pieces."""
        for name, numbers in self.numbers.items():
            four = (*squares, name)
            if name in squares or not self._enough_own(four):
                continue
            if arranged_four(four, self.options.arrangement):
                for number in numbers:
                    yield rank_of_four((*values, number))  # type: ignore[arg-type]


def _numbers(piece: Piece, parts: Mapping[str, tuple[Piece, ...]]) -> set[int]:
    """Return the numbers that a piece may use; a pyramid has its total and its parts' numbers."""
    if piece.kind != "P":
        return {piece.value}
    values = [part.value for part in parts[piece.side]]
    return {sum(values), *values}
