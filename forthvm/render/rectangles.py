"""The layout of boards whose positions have rectangles in pixels, as in rule files (.zrf).

Owns the decision whether rectangles form rows and columns, and the labels of these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median, median_low

from forthvm.core.text.width import text_width
from forthvm.render.layout import Layout

__all__ = ["Rectangle", "rectangle_layout"]

Rectangle = tuple[int, int, int, int]
"""Left, top, right and bottom edge in pixels."""

_Cell = tuple[int, int]
_LONGEST_NAME = 5  # that is shown in an empty square
_WIDE_GAP = 1.6  # steps between lines, above which an empty line is drawn
_NAME = re.compile(r"(\D+)(\d+)|(\d+)(\D+)")


def rectangle_layout(
    names: Sequence[str], rectangles: Mapping[str, Rectangle], *, staggered: bool = False
) -> Layout | None:
    """Return a layout in rows and columns; None if the rectangles form none.

    These positions are beside the board: those without a rectangle, the second of two positions in
    one place, and a few positions whose names do not fit the names of the others.

    Args:
        names: The name of each position, in order.
        rectangles: The rectangles of the positions that are drawn, by name.
        staggered: Whether neighbouring lines are shifted against each other, as those of hexagons.
            Then few names fit their lines, and all positions are on the board.
    """
    shown = {name: rectangles[name] for name in names if name in rectangles}
    if not shown:
        return None
    columns = _lines([(left, right) for left, _, right, _ in shown.values()])
    rows = _lines([(top, bottom) for _, top, _, bottom in shown.values()])
    height, width = max(rows.values()) + 1, max(columns.values()) + 1
    cells: dict[_Cell, str] = {}
    for name, (left, top, right, bottom) in shown.items():
        cells.setdefault((rows[top, bottom], columns[left, right]), name)
    if height < 2 or width < 2:
        return None
    if 4 * len(cells) < height * width or 10 * len(cells) < 9 * len(shown):
        return None
    rows_named, columns_named, regular = _labels(cells)
    if staggered:
        rows_named, columns_named = (
            labels if all(_is_in_all(*item, axis, cells) for item in labels.items()) else {}
            for axis, labels in enumerate((rows_named, columns_named))
        )
    elif 2 * len(regular) >= len(cells):
        cells = regular
    elif max(map(text_width, cells.values())) <= _LONGEST_NAME:
        rows_named = columns_named = {}
    else:
        return None
    used_rows, used_columns = (_range({cell[axis] for cell in cells}) for axis in (0, 1))
    places = {
        name: (row - used_rows.start, column - used_columns.start)
        for (row, column), name in cells.items()
    }
    return Layout(
        coordinates=tuple(places.get(name) for name in names),
        row_labels=tuple(rows_named.get(row, "") for row in used_rows),
        column_labels=tuple(columns_named.get(column, "") for column in used_columns),
    )


def _range(numbers: set[int]) -> range:
    return range(min(numbers), max(numbers) + 1)


def _lines(spans: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return for each span, from an edge to the opposite edge, the number of its line.

    Spans are in one line if their middles are less than a third of the median span apart.
    """
    near = median([end - start for start, end in spans]) / 3
    groups: list[list[tuple[int, int]]] = []
    for span in sorted(set(spans), key=sum):
        if groups and (sum(span) - sum(groups[-1][0])) / 2 <= near:
            groups[-1].append(span)
        else:
            groups.append([span])
    starts = [sum(group[0]) for group in groups]
    steps = [after - before for before, after in pairwise(starts)]
    wide = median_low(steps) * _WIDE_GAP if steps else 0
    found: dict[tuple[int, int], int] = {}
    line = 0
    for group, step in zip(groups, [*steps, 0], strict=True):
        found |= dict.fromkeys(group, line)
        line += 2 if step > wide else 1
    return found


def _labels(
    cells: Mapping[_Cell, str],
) -> tuple[dict[int, str], dict[int, str], dict[_Cell, str]]:
    """Return labels of rows and of columns, and the cells whose names consist of them.

    Names may be a4 or 4a, with the label of the column first or last.
    """
    parts = {
        cell: (match[1] or match[3], match[2] or match[4])
        for cell, name in cells.items()
        if (match := _NAME.fullmatch(name))
    }
    found = []
    for of_column, of_row in ((0, 1), (1, 0)):
        rows = _commonest((row, part[of_row]) for (row, _), part in parts.items())
        columns = _commonest((column, part[of_column]) for (_, column), part in parts.items())
        regular = {
            cell: cells[cell]
            for cell, part in parts.items()
            if (rows[cell[0]], columns[cell[1]]) == (part[of_row], part[of_column])
        }
        found.append((rows, columns, regular))
    return max(found, key=lambda one: len(one[2]))


def _is_in_all(line: int, label: str, axis: int, cells: Mapping[_Cell, str]) -> bool:
    return all(label in name for cell, name in cells.items() if cell[axis] == line)


def _commonest(labels: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return for each line the label that occurs most often."""
    counts: dict[int, Counter[str]] = {}
    for line, label in labels:
        counts.setdefault(line, Counter())[label] += 1
    return {line: count.most_common(1)[0][0] for line, count in counts.items()}
