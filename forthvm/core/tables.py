"""Tables and columns as lines of text.

Owns their layout.  It must not know what the cells mean.  rich computes tables of figures and is
imported only then, since that takes longer than most commands.  Names with texts beside them are
laid out here: rich breaks long paths within a word, and has no line of its own for a long name.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from forthvm.core.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["columned", "table", "table_lines"]

_GAP = 2
_UNLIMITED = 100_000
_LEAST_NAME = 10


def table_lines(
    rows: Sequence[Sequence[str]],
    width: int = _UNLIMITED,
    *,
    numbers: bool = False,
) -> list[str]:
    """A table without borders and colours, whose first column holds names.

    Only names are cut where the table is too wide, and never to fewer than ten characters.

    Args:
        rows: The cells, as many in each row; a heading is a row, too.
        width: Columns of the output.
        numbers: The columns after the first are aligned to the right.

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
    table.add_column(min_width=_LEAST_NAME)
    for _ in rows[0][1:]:
        table.add_column(justify="right" if numbers else "left", no_wrap=True)
    for name, *cells in rows:
        table.add_row(Text(name, no_wrap=True, overflow="ellipsis"), *map(Text, cells))
    figures = zip(*(cells for _, *cells in rows), strict=True)
    least = _LEAST_NAME + sum(_GAP + max(map(cell_len, column)) for column in figures)
    output = StringIO()
    console = Console(file=output, width=max(width, least), color_system=None, legacy_windows=False)
    console.print(table, crop=False)
    return [line.rstrip() for line in output.getvalue().splitlines()]


def table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Names with texts: aligned columns, the last one wrapped to the width.

    The text of a row whose other columns are long begins on the next line, so that one long name
    does not move all texts to the right edge.
    """
    if not rows:
        return []
    most = width // 2
    heads = ["  ".join(row[:-1]) for row in rows]
    sizes = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    if sum(sizes) + 2 * len(sizes) <= most:
        heads = [
            "  ".join(f"{cell:{size}}" for cell, size in zip(row[:-1], sizes, strict=True))
            for row in rows
        ]
    indent = min(most, max(map(len, heads)) + 2)
    lines: list[str] = []
    for head, row in zip(heads, rows, strict=True):
        texts = wrapped(row[-1], width - indent)
        if len(head) + 2 > indent:
            lines.append(head)
        else:
            lines.append(f"{head:{indent}}{texts.pop(0)}".rstrip())
        lines += [" " * indent + rest for rest in texts]
    return lines


def columned(cells: Sequence[str], width: int, *, measure: Callable[[str], int] = len) -> list[str]:
    """Cells in as many columns of equal width as fit, filled downwards.

    Args:
        cells: Their texts.
        width: Of a line.
        measure: Gives the width of a text on the screen, where that is not its length.
    """
    wide = max(map(measure, cells), default=0) + 2
    across = max(1, (width + 2) // wide)
    down = -(-len(cells) // across)
    padded = [cell + " " * (wide - measure(cell)) for cell in cells]
    return ["".join(padded[row::down]).rstrip() for row in range(down)]
