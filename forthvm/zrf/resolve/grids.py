"""Grids: positions that are the product of dimensions.

Owns `Grid` and its reader.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import error_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.sections import FormReader, Section
    from forthvm.zrf.source import Origin

__all__ = ["Grid", "Rectangle", "read_grid", "read_rectangle"]

Rectangle = tuple[int, int, int, int]

_MAX_DIMENSIONS = 5
_NO_RECTANGLE = (0, 0, 0, 0)


@dataclass(frozen=True)
class Grid:
    """A grid.

    Attributes:
        start: The rectangle of the first position: left, top, right, bottom.
        names: For each dimension, the parts of the positions' names.
        pixels: For each dimension, the distance of neighbors in pixels.
        directions: For each direction, the steps in each dimension.
        origins: Where the file defines the directions, by name.
    """

    start: Rectangle
    names: tuple[tuple[str, ...], ...]
    pixels: tuple[tuple[int, int], ...]
    directions: dict[str, tuple[int, ...]]
    origins: dict[str, Origin]

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The names of the positions; the last dimension changes fastest."""
        return tuple(map("".join, itertools.product(*self.names)))

    def rectangle(self, number: int) -> Rectangle:
        """Return the rectangle of the position with a number."""
        left, top, right, bottom = self.start
        for names, (dx, dy) in zip(reversed(self.names), reversed(self.pixels), strict=True):
            number, index = divmod(number, len(names))
            left, right = left + index * dx, right + index * dx
            top, bottom = top + index * dy, bottom + index * dy
        return left, top, right, bottom


def read_rectangle(numbers: Sequence[Form], form: Form, reader: FormReader) -> Rectangle:
    """Return the rectangle given by four numbers; an empty one, with a warning, for fewer."""
    values = [reader.number(number) for number in numbers]
    if len(values) < 4:  # left, top, right, bottom
        reader.warn("four numbers are expected: left top right bottom", form)
        return _NO_RECTANGLE
    return values[0], values[1], values[2], values[3]


def read_grid(section: Section, reader: FormReader, limit: int) -> Grid:
    """Read a `grid` section.

    Args:
        section: The section.
        reader: Reads forms.
        limit: The maximum number of positions.

    Raises:
        RuleFileError: The section is broken, or the grid has more positions.
    """
    start: Rectangle | None = None
    dimensions: list[tuple[tuple[str, ...], tuple[int, int]]] = []
    directions: dict[str, tuple[int, ...]] = {}
    origins: dict[str, Origin] = {}
    for part in reader.sections(section.items, "grid"):
        if part.keyword == "start-rectangle":
            start = read_rectangle(part.items, part.form, reader)
        elif part.keyword == "dimensions":
            dimensions = [_dimension(item, reader) for item in part.items]
        elif part.keyword == "directions":
            for item in part.items:
                name, steps = _direction(item, reader)
                directions[name], origins[name] = steps, item.origin
        else:
            reader.warn(f"unknown in `grid`, ignored: `{part.keyword}`", part.form)
    if not dimensions:
        raise error_at(section.form, "a grid without dimensions", 'add (dimensions ("a/b" (30 0)))')
    if len(dimensions) > _MAX_DIMENSIONS:
        raise error_at(section.form, f"a grid has at most {_MAX_DIMENSIONS} dimensions")
    if math.prod(len(names) for names, _ in dimensions) > limit:
        raise error_at(section.form, f"the grid has more than {limit:,} positions")
    count = len(dimensions)
    return Grid(
        _first_cell([pixels for _, pixels in dimensions]) if start is None else start,
        tuple(names for names, _ in dimensions),
        tuple(pixels for _, pixels in dimensions),
        {name: (*steps, *[0] * count)[:count] for name, steps in directions.items()},
        origins,
    )


def _first_cell(steps: Sequence[tuple[int, int]]) -> Rectangle:
    """Return the first rectangle of a grid that states none: as large as the largest steps."""
    width, height = (max(1, *map(abs, along)) for along in zip(*steps, strict=True))
    return 0, 0, width, height


def _dimension(form: Form, reader: FormReader) -> tuple[tuple[str, ...], tuple[int, int]]:
    parts = reader.items(form)
    if not parts or parts[0].is_list:
        raise error_at(form, "a dimension without names", 'write ("a/b/c" (dx dy))')
    names = tuple(name for name in (part.strip() for part in parts[0].text.split("/")) if name)
    if not names:
        raise error_at(parts[0], "a dimension without names", 'write ("a/b/c" (dx dy))')
    numbers = [reader.number(item) for part in parts[1:] for item in reader.items(part)]
    if len(numbers) < 2:  # dx dy
        reader.warn("a dimension without the distances (dx dy)", form)
    dx, dy = (*numbers, 0, 0)[:2]
    return names, (dx, dy)


def _direction(form: Form, reader: FormReader) -> tuple[str, tuple[int, ...]]:
    parts = reader.items(form)
    if not parts or parts[0].is_list:
        raise error_at(form, "a direction without a name", "write (NAME step step)")
    return parts[0].text, tuple(reader.number(part) for part in parts[1:])
