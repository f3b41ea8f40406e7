"""Symbols of pieces that are numbers on shapes.

R16, T25, S81 and P190 are on a circle, triangle, square and pyramid, as in Rithmomachia.  A number
of things, such as 4-seeds, is on a circle.

Owns their form.
"""

from __future__ import annotations

import re

from forthvm.render.symbols.library import placed, stored_fragment

__all__ = ["is_number_piece", "number_fragment"]

_TYPE = re.compile(r"(?P<shape>[RTSP])(?P<number>[0-9]{1,3})|(?P<count>[0-9]{1,3})-[^\W\d]+")
_DIGIT = 60  # width of a digit, whose height is 100
_GAP = 10  # between two digits
_SHAPES = {
    # The shape, the centre of the number, its greatest width and its greatest height.
    "R": ("circle", (50, 50), 66, 44),
    "T": ("triangle", (50, 65), 52, 36),
    "S": ("square", (50, 50), 68, 44),
    "P": ("pyramid", (50, 69), 70, 34),
}


def is_number_piece(type_name: str) -> bool:
    """Return whether a type is a number on a shape."""
    return bool(_TYPE.fullmatch(type_name))


def number_fragment(type_name: str) -> str:
    """Return the drawing of a number on a shape."""
    match = _TYPE.fullmatch(type_name)
    assert match, type_name
    shape, (x, y), width, height = _SHAPES[match["shape"] or "R"]
    digits = match["number"] or match["count"]
    full_width = len(digits) * (_DIGIT + _GAP) - _GAP
    scale = round(min(height / 100, width / full_width), 3)
    parts = [stored_fragment(f"numbers/{shape}")]
    for at, digit in enumerate(digits):
        left = x + scale * (at * (_DIGIT + _GAP) - full_width / 2)
        # The box of a digit is as wide as it is high; the digit is in its left part.
        centre = (round(left + 50 * scale, 2), y)
        parts.append(placed(stored_fragment(f"numbers/{digit}"), centre=centre, scale=scale))
    return "".join(parts)
