"""How positions get a picture in notebooks without this layer knowing the one that draws.

Owns the hook.  `forthvm.render` registers its function here when it is imported; until
something has, a picture is asked for by importing that layer by name, so that nothing below
the drawing layer depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .position import Position

__all__ = ["register_svg", "svg_of"]

_DRAWING_LAYER = "forthvm.render"
_hook: list[Callable[[Position], str]] = []


def register_svg(draw: Callable[[Position], str]) -> None:
    """Let `draw` make the pictures of positions from now on; it gives a whole SVG."""
    _hook[:] = [draw]


def svg_of(position: Position) -> str | None:
    """The picture of a position, None where nothing can draw it."""
    if not _hook:
        try:
            import_module(_DRAWING_LAYER)
        except ImportError:
            return None
    return _hook[0](position) if _hook else None
