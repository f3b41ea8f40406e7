"""The layers of a board on which positions of a rule file lie on top of each other, as in a stack.

Owns which position is in which layer, and where the layers are drawn: beside each other, in rows,
so that each position can be seen and clicked.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import median_low
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.render.rectangles import Rectangle

__all__ = ["apart"]

_SAME_PLACE = 0.4
"""Two positions are on top of each other if their centres are closer, in sizes of the smaller."""
_TOO_NEAR = 0.9  # the same, for two positions of one layer of a board in layers
_GAP = 0.75  # between two layers, in sizes of a position
_MOST_LAYERS = 32  # a board with more layers is drawn as its file says
_LEAST_SHARE = 0.25
"""A board has layers if at least this share of its positions is above the lowest layer."""


def apart(rectangles: Mapping[str, Rectangle]) -> dict[str, Rectangle]:
    """Return the rectangles, with each layer above the lowest one moved beside it.

    The result is equal to the argument if the positions form no layers.
    """
    above = _layers(rectangles, _SAME_PLACE)[1:]
    layers = _layers(rectangles, _TOO_NEAR) if above else []
    if not layers or sum(map(len, above)) < _LEAST_SHARE * len(rectangles):
        return dict(rectangles)
    lefts, tops, rights, bottoms = zip(*rectangles.values(), strict=True)
    gap = round(_GAP * _usual_size(rectangles))
    width, height = max(rights) - min(lefts) + gap, max(bottoms) - min(tops) + gap
    in_a_row = ceil(sqrt(len(layers) * height / width))
    return {
        name: _moved(rectangle, number % in_a_row * width, number // in_a_row * height)
        for number, layer in enumerate(layers)
        for name, rectangle in layer.items()
    }


def _layers(rectangles: Mapping[str, Rectangle], nearest: float) -> list[dict[str, Rectangle]]:
    """Put each position into the lowest layer in which no other one is too near.

    The result is empty if there would be too many layers.

    Args:
        rectangles: The rectangles of all positions.
        nearest: The least distance of centres in a layer, in sizes of the smaller position.
    """
    layers: list[dict[str, Rectangle]] = []
    neighbourhoods: list[dict[tuple[int, int], list[Rectangle]]] = []  # of the layers
    step = 2 * _usual_size(rectangles)
    for name, rectangle in rectangles.items():
        left, top, right, bottom = rectangle
        column, row = (left + right) // step, (top + bottom) // step
        around = [(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        number = next(
            (
                number
                for number, cells in enumerate(neighbourhoods)
                if not any(
                    _is_near(rectangle, other, nearest)
                    for cell in around
                    for other in cells.get(cell, ())
                )
            ),
            len(layers),
        )
        if number == _MOST_LAYERS:
            return []
        if number == len(layers):
            layers.append({})
            neighbourhoods.append({})
        layers[number][name] = rectangle
        neighbourhoods[number].setdefault((column, row), []).append(rectangle)
    return layers


def _is_near(one: Rectangle, other: Rectangle, nearest: float) -> bool:
    return all(
        abs(one[start] + one[end] - other[start] - other[end]) / 2
        < nearest * min(one[end] - one[start], other[end] - other[start])
        for start, end in ((0, 2), (1, 3))
    )


def _usual_size(rectangles: Mapping[str, Rectangle]) -> int:
    """Return the median of the larger sides, at least 1."""
    sides = (max(right - left, bottom - top) for left, top, right, bottom in rectangles.values())
    return max(1, median_low(sides))


def _moved(rectangle: Rectangle, x: int, y: int) -> Rectangle:
    left, top, right, bottom = rectangle
    return left + x, top + y, right + x, bottom + y
