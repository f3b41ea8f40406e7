"""The layout of boards in rows and columns: from a script's grid, or from names such as a1 … h8.

Owns the value `Layout`; rectangles.py makes layouts from rectangles in pixels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Layout", "grid_layout", "infer_layout"]


@dataclass(frozen=True, kw_only=True)
class Layout:
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
        column_labels=tuple(_column_label(names[column:size:columns]) for column in range(columns)),
    )


def _column_label(names: Sequence[str]) -> str:
    """Return the letter with which the names of a column's squares begin, from the top.

    If the script has renamed the squares of one of two rows, the label is `a/f`, with the letter of
    the lower row first.
    """
    letters = [name[:1] for name in reversed(names)]
    return "/".join(dict.fromkeys(letters if len(letters) == 2 else letters[:1]))


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
