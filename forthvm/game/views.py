"""How positions are drawn without this layer knowing the one that draws.

Owns the hooks.  `forthvm.render` registers its functions here when it is imported; until
something has, a picture is asked for by importing that layer by name, so that nothing below
the drawing layer depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .position import Position

__all__ = ["register_svg", "register_text", "svg_of", "text_of"]

_DRAWING_LAYER = "forthvm.render"
_hooks: dict[str, Callable[[Position], str]] = {}


def register_svg(draw: Callable[[Position], str]) -> None:
    """Let `draw` make the pictures of positions from now on; it gives a whole SVG."""
    _hooks["svg"] = draw


def register_text(draw: Callable[[Position], str]) -> None:
    """Let `draw` make the boards that `print` shows from now on; it gives lines of text."""
    _hooks["text"] = draw


def svg_of(position: Position) -> str | None:
    """The picture of a position, None where nothing can draw it."""
    return _drawn("svg", position)


def text_of(position: Position) -> str | None:
    """The board of a position as text, None where nothing can draw it."""
    return _drawn("text", position)


def _drawn(kind: str, position: Position) -> str | None:
    if kind not in _hooks:
        try:
            import_module(_DRAWING_LAYER)
        except ImportError:
            return None
    draw = _hooks.get(kind)
    return None if draw is None else draw(position)
