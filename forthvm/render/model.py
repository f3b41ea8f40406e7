"""The contents of a picture: board positions, pieces, owners, variables.

Owns the values that the text and SVG renderers draw, and the layout inferred from names of board
positions if a script has no grid.  It must not know how a VM or a position stores these facts;
position_diagram.py reads them.
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
    "Quantity",
    "Square",
    "grid_layout",
    "infer_layout",
]


_LONG = 16
"""Maximum length of an array that is shown in full."""


class Owner(Value, kw_only=True):
    """A player, as shown in a picture."""

    name: str
    index: int
    neutral: bool = False
    chance: bool = False


class PieceView(Value, kw_only=True):
    """A piece on the board or beside it."""

    type: str
    owner: Owner
    attribute: int = 0
    """Bits 16 to 31 of the board cell, whose meaning the script defines."""


class Square(Value, kw_only=True):
    """A board position with its piece."""

    name: str
    row: int | None = None
    """From the top, beginning with 0; None: beside the board."""
    column: int | None = None
    piece: PieceView | None = None
    last: bool = False
    """Whether the text of the last move contains the position's name."""
    marked: bool = False
    """Whether the caller has marked the position."""


class Quantity(Value, kw_only=True):
    """A board variable or array with a value other than 0."""

    name: str
    values: tuple[int, ...]

    @property
    def text(self) -> str:
        """Name and values; for a long array, only values other than 0, with their indices."""
        if len(self.values) <= _LONG:
            return f"{self.name} = {' '.join(map(str, self.values))}"
        nonzero = (f"[{at}] {value}" for at, value in enumerate(self.values) if value)
        return f"{self.name}: {', '.join(nonzero)}"


class Diagram(Value, kw_only=True):
    """The contents of a picture of a position."""

    squares: tuple[Square, ...]
    types: tuple[str, ...]
    owners: tuple[Owner, ...]
    quantities: tuple[Quantity, ...] = ()
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    turn: str | None = None
    last_move: str | None = None

    @property
    def board(self) -> tuple[Square, ...]:
        """The board positions that have a row and a column."""
        return tuple(square for square in self.squares if square.row is not None)

    @property
    def beside(self) -> tuple[Square, ...]:
        """The board positions that are drawn beside the board."""
        return tuple(square for square in self.squares if square.row is None)


class Layout(Value, kw_only=True):
    """The (row, column) of each board position, None for a position beside the board."""

    coordinates: tuple[tuple[int, int] | None, ...]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]


_SQUARE = re.compile(r"([A-Za-z])(\d{1,2})\Z")


def grid_layout(names: Sequence[str], rows: int, columns: int) -> Layout:
    """Return the layout of a script's grid; its positions come first, by row from the top."""
    size = rows * columns
    coordinates = tuple(divmod(at, columns) if at < size else None for at in range(len(names)))
    return Layout(
        coordinates=coordinates,
        row_labels=tuple(names[row * columns][1:] for row in range(rows)),
        column_labels=tuple(names[column][:1] for column in range(columns)),
    )


def infer_layout(names: Sequence[str], *, top_down: bool = False) -> Layout:
    """Infer a layout from names such as a1 … i9; the board is extended to a rectangle.

    At least half of all names must have this form, and they must fill at least a quarter of the
    rectangle that they span.  Otherwise there is no board, since other positions may have names
    such as a1 and z9.

    Args:
        names: The name of each position, in order.
        top_down: Whether row 1 is the top row, as after `$flipGrid ON`.
    """
    matches = [_SQUARE.match(name) for name in names]
    parsed = [
        (ord(match[1].lower()), int(match[2]), match[1]) if match else None for match in matches
    ]
    found = [square for square in parsed if square]
    letters = sorted({square[0] for square in found})
    numbers = sorted({square[1] for square in found})
    if not found:
        return Layout(coordinates=(None,) * len(names), row_labels=(), column_labels=())
    columns = range(letters[0], letters[-1] + 1)
    rows = range(numbers[0], numbers[-1] + 1)
    area = len(columns) * len(rows)
    duplicates = len({square[:2] for square in found}) < len(found)
    if duplicates or 2 * len(found) < len(names) or 4 * len(found) < area:
        return Layout(coordinates=(None,) * len(names), row_labels=(), column_labels=())
    order = list(rows) if top_down else list(reversed(rows))
    coordinates = tuple(
        (order.index(square[1]), square[0] - columns[0]) if square else None for square in parsed
    )
    upper = all(square[2].isupper() for square in found)
    labels = tuple(chr(code).upper() if upper else chr(code) for code in columns)
    return Layout(coordinates=coordinates, row_labels=tuple(map(str, order)), column_labels=labels)
