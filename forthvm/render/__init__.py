"""The render layer: draws a position as text or SVG.

Most callers need `text(position)` or `svg(position)`; both draw the value that
`diagram(position)` returns.  This layer must not know the rules of games, nor write output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.game.arguments import check
from forthvm.game.views import register_scene, register_svg, register_text
from forthvm.render.draw_text import TextStyle, board_text
from forthvm.render.model import Diagram
from forthvm.render.position_diagram import diagram
from forthvm.render.scene import scene

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.game import Position

__all__ = ["Diagram", "TextStyle", "diagram", "scene", "svg", "text"]


def text(
    position: Position,
    style: TextStyle | None = None,
    *,
    marks: Iterable[str] = (),
    everything: bool = False,
) -> str:
    """Draw a position as lines of text; board positions in `marks` get angle brackets.

    Internal state of the script is left out unless `everything` is true.
    """
    check(style, (TextStyle, type(None)), "text", "a style, such as TextStyle(width=80), or None")
    return board_text(diagram(position, marks, everything=everything), style)


def svg(
    position: Position, *, title: str = "", marks: Iterable[str] = (), everything: bool = False
) -> str:
    """Draw a position as a complete SVG document; board positions in `marks` get a red frame.

    Internal state of the script is left out unless `everything` is true.
    """
    from forthvm.render.draw_svg import board_svg

    return board_svg(diagram(position, marks, everything=everything), title=visible(title))


# `print` and notebooks call methods of Position.  The layer of Position must not import this layer.
register_scene(scene)
register_svg(svg)
register_text(text)
