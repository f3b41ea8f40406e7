"""Tables of figures as lines of text.

Owns their layout, which rich computes.  It must not know what the cells mean, and imports rich
only when a table is made: that takes longer than most commands.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["table_lines"]

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
