"""Tables and columns as lines of text.

Owns the layout of tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.width import text_width
from forthvm.core.text.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["columned", "table", "table_lines"]

_GAP = 2  # blanks between columns
_UNLIMITED = 100_000
_MIN_NAME = 10


def table_lines(
    rows: Sequence[Sequence[str]],
    width: int = _UNLIMITED,
    *,
    numbers: bool = False,
) -> list[str]:
    """Return a table without borders and colours, with names in the first column.

    If the table is wider than `width`, names are truncated to ten characters or more.

    Args:
        rows: The cells, the same number in each row; a heading is a row, too.
        width: Width of the output in characters.
        numbers: Whether to align the columns after the first to the right.

    >>> table_lines([["game", "plies"], ["chess", "80"], ["tic-tac-toe", "9"]], numbers=True)
    ['game         plies', 'chess           80', 'tic-tac-toe      9']
    """
    if not rows:
        return []
    name_width, *widths = (max(map(text_width, column)) for column in zip(*rows, strict=True))
    room = width - sum(widths) - _GAP * len(widths)
    name_width = max(_MIN_NAME, min(name_width, room))
    return [
        (" " * _GAP)
        .join(
            [
                _padded(_cut(name, name_width), name_width),
                *(
                    _padded(cell, cell_width, right=numbers)
                    for cell, cell_width in zip(cells, widths, strict=True)
                ),
            ]
        )
        .rstrip()
        for name, *cells in rows
    ]


def _cut(text: str, width: int) -> str:
    """Return a text, shortened with an ellipsis if it is wider than `width`."""
    if text_width(text) <= width:
        return text
    while text_width(text) >= width:
        text = text[:-1]
    return f"{text}…"


def _padded(text: str, width: int, *, right: bool = False) -> str:
    blanks = " " * (width - text_width(text))
    return blanks + text if right else text + blanks


def table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return names with descriptions as aligned columns, the last one wrapped to the width.

    The last column begins in the middle of the width or further left.  If the names of a row
    extend into the last column, the description begins on the next line.
    """
    if not rows:
        return []
    max_indent = width // 2
    names = ["  ".join(row[:-1]) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    if sum(widths) + 2 * len(widths) <= max_indent:
        names = [
            "  ".join(
                f"{cell:{cell_width}}" for cell, cell_width in zip(row[:-1], widths, strict=True)
            )
            for row in rows
        ]
    indent = min(max_indent, max(map(len, names)) + 2)
    lines: list[str] = []
    for name, row in zip(names, rows, strict=True):
        description = wrapped(row[-1], width - indent)
        if len(name) + 2 > indent:
            lines.append(name)
        else:
            lines.append(f"{name:{indent}}{description.pop(0)}".rstrip())
        lines += [" " * indent + text for text in description]
    return lines


def columned(cells: Sequence[str], width: int, *, measure: Callable[[str], int] = len) -> list[str]:
    """Return lines with texts in columns of equal width; the texts of a column follow each other.

    Args:
        cells: The texts.
        width: Width of a line.
        measure: Returns the width of a text on the screen.
    """
    size = max(map(measure, cells), default=0) + _GAP
    columns = max(1, (width + _GAP) // size)
    rows = -(-len(cells) // columns)
    padded = [cell + " " * (size - measure(cell)) for cell in cells]
    return ["".join(padded[row::rows]).rstrip() for row in range(rows)]
