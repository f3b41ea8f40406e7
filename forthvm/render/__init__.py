"""The render layer: a position as text or SVG.  No game logic, no output of its own.

`text(position)` and `svg(position)` are what most callers want; `diagram(position)` is the
value between the two steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.visible import visible
from forthvm.game.arguments import check
from forthvm.game.views import register_svg, register_text
from forthvm.render.draw_text import TextStyle, board_text
from forthvm.render.model import Diagram
from forthvm.render.source import diagram

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.game import Position

__all__ = ["Diagram", "TextStyle", "diagram", "svg", "text"]


def text(
    position: Position,
    style: TextStyle | None = None,
    *,
    marks: Iterable[str] = (),
    everything: bool = False,
) -> str:
    """A position as lines of text; places named in `marks` stand in angle brackets.

    Bookkeeping of the script is left out unless `everything` is wanted.
    """
    check(style, (TextStyle, type(None)), "text", "a style, such as TextStyle(width=80), or None")
    return board_text(diagram(position, marks, everything=everything), style)


def svg(
    position: Position, *, title: str = "", marks: Iterable[str] = (), everything: bool = False
) -> str:
    """A position as a complete SVG document; places named in `marks` have a red frame.

    Bookkeeping of the script is left out unless `everything` is wanted.
    """
    from forthvm.render.draw_svg import board_svg

    return board_svg(diagram(position, marks, everything=everything), title=visible(title))


# `print` and notebooks ask positions for their picture; the layer that has them knows no drawing.
register_svg(svg)
register_text(text)
