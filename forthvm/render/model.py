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
    "Store",
    "grid_layout",
    "infer_layout",
]


_MAX_COMPLETE_LENGTH = 16
"""Maximum length of an array of which all values are shown."""


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
    """From the top, beginning with 0; None for a board position beside the board."""
    column: int | None = None
    piece: PieceView | None = None
    in_last_move: bool = False
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
        if len(self.values) <= _MAX_COMPLETE_LENGTH:
            return f"{self.name} = {' '.join(map(str, self.values))}"
        nonzero = (f"[{at}] {value}" for at, value in enumerate(self.values) if value)
        return f"{self.name}: {', '.join(nonzero)}"


class Store(Value, kw_only=True):
    """The pieces that a player of a rule file has beside the board."""

    owner: Owner
    counts: tuple[tuple[str, int], ...]
    """Piece types with their numbers."""

    @property
    def text(self) -> str:
        """The owner, the types, and the numbers above 1: `Store of White: Bishop, 2 Pawn`."""
        pieces = [name if count == 1 else f"{count} {name}" for name, count in self.counts]
        return f"Store of {self.owner.name}: {', '.join(pieces)}"


class Diagram(Value, kw_only=True):
    """The contents of a picture of a position.

    Attributes:
        squares: The board positions, with the pieces on them.
        types: The names of all piece types of the game.
        owners: The players that can own pieces.
        stores: The pieces that players of a rule file have beside the board.
        quantities: The shown board variables.
        row_labels: The labels of the rows, from the top down.
        column_labels: The labels of the columns.
        turn: The player to move; None if the game is over.
        last_move: The text of the last move; None if no move was made.
    """

    squares: tuple[Square, ...]
    types: tuple[str, ...]
    owners: tuple[Owner, ...]
    stores: tuple[Store, ...] = ()
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
    """The (row, column) of each board position; None for a board position beside the board."""

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
    rectangle that they span.  Otherwise all positions are beside the board.

    Args:
        names: The name of each position, in order.
        top_down: Whether row 1 is the top row, as after `$flipGrid ON`.
    """
    matches = [_SQUARE.match(name) for name in names]
    squares = [(ord(match[1].lower()), int(match[2])) if match else None for match in matches]
    on_board = [square for square in squares if square]
    without_board = Layout(coordinates=(None,) * len(names), row_labels=(), column_labels=())
    if not on_board:
        return without_board
    letters = {letter for letter, _ in on_board}
    numbers = {number for _, number in on_board}
    columns = range(min(letters), max(letters) + 1)
    rows = range(min(numbers), max(numbers) + 1)
    area = len(columns) * len(rows)
    has_duplicates = len(set(on_board)) < len(on_board)
    if has_duplicates or 2 * len(on_board) < len(names) or 4 * len(on_board) < area:
        return without_board
    rows_downward = list(rows) if top_down else list(reversed(rows))
    coordinates = tuple(
        (rows_downward.index(square[1]), square[0] - columns[0]) if square else None
        for square in squares
    )
    is_upper_case = all(match[1].isupper() for match in matches if match)
    column_labels = [chr(code).upper() if is_upper_case else chr(code) for code in columns]
    return Layout(
        coordinates=coordinates,
        row_labels=tuple(map(str, rows_downward)),
        column_labels=tuple(column_labels),
    )
