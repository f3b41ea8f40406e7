"""A position as something to look at: places, pieces, owners, what lies beside the board.

Owns the values that the text and SVG renderers draw, and the layout worked out from
position names where a script has no grid.  It must not know how a virtual machine or a
position stores any of this; `source.py` reads it from there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from forthvm.core.value import Value

__all__ = [
    "Diagram",
    "Layout",
    "Owner",
    "PieceView",
    "Place",
    "Quantity",
    "grid_layout",
    "infer_layout",
]


_LONG = 16
"""An array of more numbers is not shown in full."""


class Owner(Value, kw_only=True):
    """A player as far as a picture cares."""

    name: str
    index: int
    neutral: bool = False
    chance: bool = False


class PieceView(Value, kw_only=True):
    """A piece on a place."""

    type: str
    owner: Owner
    attribute: int = 0
    """Bits 16 to 31 of its cell, which scripts use as they like."""


class Place(Value, kw_only=True):
    """A position of the game with what stands there."""

    name: str
    row: int | None = None
    """From the top, 0 up; None: beside the board."""
    column: int | None = None
    piece: PieceView | None = None
    last: bool = False
    """The last move touched it."""
    marked: bool = False
    """Something is to be said about it."""


class Quantity(Value, kw_only=True):
    """A board variable or array that holds something."""

    name: str
    values: tuple[int, ...]

    @property
    def text(self) -> str:
        """Name and values; of a long array those that are not 0, with their places."""
        if len(self.values) <= _LONG:
            return f"{self.name} = {' '.join(map(str, self.values))}"
        held = (f"[{at}] {value}" for at, value in enumerate(self.values) if value)
        return f"{self.name}: {', '.join(held)}"


class Diagram(Value, kw_only=True):
    """Everything that a picture of a position shows."""

    places: tuple[Place, ...]
    types: tuple[str, ...]
    owners: tuple[Owner, ...]
    quantities: tuple[Quantity, ...] = ()
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    turn: str | None = None
    last_move: str | None = None

    @property
    def board(self) -> tuple[Place, ...]:
        """The places that have a row and a column."""
        return tuple(place for place in self.places if place.row is not None)

    @property
    def beside(self) -> tuple[Place, ...]:
        """The places that lie outside the board."""
        return tuple(place for place in self.places if place.row is None)


class Layout(Value, kw_only=True):
    """Where positions lie: (row, column) by position, None beside the board."""

    spots: tuple[tuple[int, int] | None, ...]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]


_SQUARE = re.compile(r"([A-Za-z])(\d{1,2})\Z")


def grid_layout(names: Sequence[str], rows: int, columns: int) -> Layout:
    """The layout of a script's grid: its positions come first, row by row from the top."""
    size = rows * columns
    spots = tuple(divmod(at, columns) if at < size else None for at in range(len(names)))
    return Layout(
        spots=spots,
        row_labels=tuple(names[row * columns][1:] for row in range(rows)),
        column_labels=tuple(names[column][:1] for column in range(columns)),
    )


def infer_layout(names: Sequence[str], *, top_down: bool = False) -> Layout:
    """A layout from names such as a1 … i9; boards that are no rectangle are made so.

    The names must be most of the positions, and fill at least a quarter of the rectangle
    that they span, else nothing is laid out: a few flags that happen to be called a1 and
    z9 are no board.

    Args:
        names: the name of each position, in order.
        top_down: row 1 is the top row, as after `$flipGrid ON`.
    """
    matches = [_SQUARE.match(name) for name in names]
    squares = [
        (ord(match[1].lower()), int(match[2]), match[1]) if match else None for match in matches
    ]
    found = [square for square in squares if square]
    letters = sorted({square[0] for square in found})
    numbers = sorted({square[1] for square in found})
    if not found:
        return Layout(spots=(None,) * len(names), row_labels=(), column_labels=())
    columns = range(letters[0], letters[-1] + 1)
    rows = range(numbers[0], numbers[-1] + 1)
    room = len(columns) * len(rows)
    twice = len({square[:2] for square in found}) < len(found)
    if twice or 2 * len(found) < len(names) or 4 * len(found) < room:
        return Layout(spots=(None,) * len(names), row_labels=(), column_labels=())
    order = list(rows) if top_down else list(reversed(rows))
    spots = tuple(
        (order.index(square[1]), square[0] - columns[0]) if square else None for square in squares
    )
    upper = all(square[2].isupper() for square in found)
    labels = tuple(chr(code).upper() if upper else chr(code) for code in columns)
    return Layout(spots=spots, row_labels=tuple(map(str, order)), column_labels=labels)
