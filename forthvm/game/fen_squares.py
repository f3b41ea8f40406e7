"""The pieces of a position as lists of squares, as in draughts: `W31-50,K5:B1-20`.

Owns the form of such lists.  fen.py reads and writes the other fields of a line.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .fen_form import FenField
    from .short_notation import ShortNotation

__all__ = ["SquareError", "read_squares", "write_squares"]

_ITEM = re.compile(r"[^,]+")
_SHORTEST_RANGE = 3


class SquareError(Exception):
    """A list is wrong: the index where, and what was expected there."""

    def __init__(self, at: int, expected: str) -> None:
        """Note the place and the expectation."""
        super().__init__(expected)
        self.at, self.expected = at, expected


def _letters(field: FenField) -> dict[str, str]:
    """Return the letters of the types that have one, and "" for the other type."""
    plain, *pairs = field.words
    return {**dict(zip(pairs[1::2], pairs[::2], strict=True)), plain: ""}


def write_squares(
    field: FenField, notation: ShortNotation, take: Callable[[str, str, str], bool]
) -> str:
    """Return the lists of all players, with `:` between them.

    Args:
        field: The field of the line.
        notation: The notation, which has the numbers of the squares.
        take: Whether a piece is on a square, by square, player and type; then it is written.
    """
    lists = []
    for text, player, _, _ in field.entries:
        found = [
            (number, letter)
            for number, square in enumerate(notation.squares, 1)
            for kind, letter in _letters(field).items()
            if take(square, player, kind)
        ]
        lists.append(text + ",".join(_items(found)))
    return ":".join(lists)


def _items(found: list[tuple[int, str]]) -> Iterator[str]:
    """Yield numbers with their letters; a range for several numbers without a letter."""

    def run_of(entry: tuple[int, tuple[int, str]]) -> tuple[str, int]:
        at, (number, letter) = entry
        return letter, number - at  # equal in a run of numbers

    for (letter, _), run in groupby(enumerate(found), run_of):
        numbers = [number for _, (number, _) in run]
        if not letter and len(numbers) >= _SHORTEST_RANGE:
            yield f"{numbers[0]}-{numbers[-1]}"
        else:
            yield from (f"{letter}{number}" for number in numbers)


def read_squares(
    field: FenField, notation: ShortNotation, text: str, is_square: Callable[[str], bool]
) -> Iterator[tuple[int, str, str]]:
    """Yield the pieces of a list, each with its index in the text, square and type.

    Args:
        field: The field of the line.
        notation: The notation, which has the numbers of the squares.
        text: The list, such as `31-50,K5`.
        is_square: Whether a text is the name of a square, which may stand for its number.

    Raises:
        SquareError: The list is wrong.
    """
    numbered = {number: square for square, number in notation.squares.items()}
    letters = {letter: kind for kind, letter in _letters(field).items() if letter}
    for item in _ITEM.finditer(text):
        squares = item[0].strip()
        at = item.start() + item[0].find(squares)
        letter = next((each for each in letters if squares.startswith(each)), "")
        kind = letters.get(letter, field.words[0])
        for square in _squares_of(squares.removeprefix(letter), numbered, is_square, at):
            yield at, square, kind


def _squares_of(
    text: str, numbered: Mapping[str, str], is_square: Callable[[str], bool], at: int
) -> Iterator[str]:
    """Yield the squares of `5`, `31-50` or `c3`."""
    first, dash, last = (part.strip().lstrip("0") for part in text.partition("-"))
    if not dash and first not in numbered and is_square(first):
        yield first
        return
    last = last if dash else first
    if first not in numbered or last not in numbered or int(first) > int(last):
        raise SquareError(at, f"a square from 1 to {len(numbered)}, or a range such as 3-7")
    for number in range(int(first), int(last) + 1):
        yield numbered[str(number)]
