"""Heat maps as SVG: a board whose positions are coloured by numbers.

Owns the colours and the layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from forthvm.render.draw_svg import board_elements, pixels, polygon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.render.scene_types import SceneBoard

__all__ = ["Heat", "heat_svg"]

_COLOUR, _NEGATIVE = "#c0392b", "#2f78c4"
_MIN_OPACITY, _MAX_OPACITY = 0.06, 0.85


@dataclass(frozen=True)
class Heat:
    """What is shown on a position.

    Attributes:
        share: From -1, blue, to 1, red.
        text: A short text on the position.
        tooltip: What a pointer over the position shows.
    """

    share: float
    text: str
    tooltip: str


def heat_svg(board: SceneBoard, heats: Mapping[str, Heat], *, title: str) -> str:
    """Return an SVG document of a board with some of its positions coloured, given by name."""
    width, height = pixels(board.width), pixels(board.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *board_elements(board),
    ]
    for square in board.squares:
        if heat := heats.get(square.name):
            opacity = _MIN_OPACITY + (_MAX_OPACITY - _MIN_OPACITY) * abs(heat.share)
            colour = _NEGATIVE if heat.share < 0 else _COLOUR
            fill = f'fill="{colour}" fill-opacity="{opacity:.2f}"'
            x, y = square.centre
            lines.append(
                polygon(square.corners, fill, f"<title>{escape(heat.tooltip)}</title>")
                + f'<text x="{pixels(x)}" y="{pixels(y + 0.09)}" font-size="14" '
                f'text-anchor="middle" pointer-events="none">{escape(heat.text)}</text>'
            )
    return "\n".join([*lines, "</svg>"])
