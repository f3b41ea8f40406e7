"""The render layer: describes a position for front ends, and draws it as text or SVG.

Most callers need `text(position)` or `svg(position)`; both draw the value that `scene(position)`
returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.arguments import check
from forthvm.core.text.visible import visible
from forthvm.render.draw_text import TextStyle, board_text
from forthvm.render.scene import scene
from forthvm.render.scene_types import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.game import Position

__all__ = ["Scene", "TextStyle", "position_text", "scene", "svg", "text"]


def text(
    position: Position,
    style: TextStyle | None = None,
    *,
    for_player: str | None = None,
    marks: Iterable[str] = (),
    everything: bool = False,
) -> str:
    """Draw a position as lines of text; board positions in `marks` get angle brackets.

    The arguments `for_player` and `everything` are those of `scene`.
    """
    check(style, (TextStyle, type(None)), "text", "a style, such as TextStyle(width=80), or None")
    view = scene(position, for_player=for_player, marks=marks, everything=everything, effects=False)
    return board_text(view, style)


def svg(
    position: Position,
    *,
    title: str = "",
    for_player: str | None = None,
    marks: Iterable[str] = (),
    everything: bool = False,
) -> str:
    """Draw a position as a complete SVG document; board positions in `marks` get a red frame.

    The arguments `for_player` and `everything` are those of `scene`.
    """
    from forthvm.render.draw_svg import board_svg
    from forthvm.render.symbols import game_symbols

    view = scene(position, for_player=for_player, marks=marks, everything=everything, effects=False)
    return board_svg(view, game_symbols(position.game), title=visible(title))


def position_text(position: Position) -> str:
    """Return `str(position)`: the board as text, with the turn or the result below it."""
    outcome = position.result
    return f"{text(position)}\n{visible(str(outcome) if outcome else f'{position.turn} to move')}"
