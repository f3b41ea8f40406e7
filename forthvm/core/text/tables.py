"""Tables and columns as lines of text.

Owns the layout of tables.  It must not know what the cells mean.  rich lays out tables of figures;
it is imported only when needed, because the import takes longer than most commands.  This file
lays out tables of names with descriptions itself: rich breaks long paths within a word, and
cannot put a long name on a line of its own.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from forthvm.core.text.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["columned", "table", "table_lines"]

_GAP = 2
_UNLIMITED = 100_000
_MIN_NAME = 10


def table_lines(
    rows: Sequence[Sequence[str]],
    width: int = _UNLIMITED,
    *,
    numbers: bool = False,
) -> list[str]:
    """Return a table without borders and colours, with names in the first column.

    If the table is too wide, only the names are cut; at least ten characters of each remain.

    Args:
        rows: The cells, the same number in each row; a heading is a row, too.
        width: Width of the output in characters.
        numbers: Align the columns after the first to the right.

    >>> table_lines([["game", "plies"], ["chess", "80"], ["tic-tac-toe", "9"]], numbers=True)
    ['game         plies', 'chess           80', 'tic-tac-toe      9']
    """
    if not rows:
        return []
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, _GAP, 0, 0))
    table.add_column(min_width=_MIN_NAME)
    for _ in rows[0][1:]:
        table.add_column(justify="right" if numbers else "left", no_wrap=True)
    for name, *cells in rows:
        table.add_row(Text(name, no_wrap=True, overflow="ellipsis"), *map(Text, cells))
    columns = zip(*(cells for _, *cells in rows), strict=True)  # without the names
    min_width = _MIN_NAME + sum(_GAP + max(map(cell_len, column)) for column in columns)
    output = StringIO()
    console = Console(
        file=output, width=max(width, min_width), color_system=None, legacy_windows=False
    )
    console.print(table, crop=False)
    return [line.rstrip() for line in output.getvalue().splitlines()]


def table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return names with descriptions as aligned columns, the last one wrapped to the width.

    The last column begins in the middle of the width or further left.  If the names of a row
    extend into the last column, the description begins on the next line.
    """
    if not rows:
        return []
    max_indent = width // 2
    heads = ["  ".join(row[:-1]) for row in rows]
    sizes = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    if sum(sizes) + 2 * len(sizes) <= max_indent:
        heads = [
            "  ".join(f"{cell:{size}}" for cell, size in zip(row[:-1], sizes, strict=True))
            for row in rows
        ]
    indent = min(max_indent, max(map(len, heads)) + 2)
    lines: list[str] = []
    for head, row in zip(heads, rows, strict=True):
        texts = wrapped(row[-1], width - indent)
        if len(head) + 2 > indent:
            lines.append(head)
        else:
            lines.append(f"{head:{indent}}{texts.pop(0)}".rstrip())
        lines += [" " * indent + text for text in texts]
    return lines


def columned(cells: Sequence[str], width: int, *, measure: Callable[[str], int] = len) -> list[str]:
    """Return texts arranged in columns of equal width, filled downwards.

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
