"""Pictures and scenes of positions, made by the layer `forthvm.render` above this layer.

`forthvm.render` registers its functions here when it is imported.  If no function is registered,
this file imports `forthvm.render` by name, since an import statement must not point to a higher
layer.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .position import Position
    from .scene import Scene

__all__ = ["register_scene", "register_svg", "register_text", "scene_of", "svg_of", "text_of"]

_DRAWING_LAYER = "forthvm.render"
_draw_functions: dict[str, Callable[[Position], str]] = {}
_make_scene: list[MakeScene] = []


class MakeScene(Protocol):
    """A function that makes scenes."""

    def __call__(self, position: Position, *, for_player: str | None, everything: bool) -> Scene:
        """Return the scene of a position."""


def register_svg(draw: Callable[[Position], str]) -> None:
    """Use `draw` for pictures of positions; it returns a complete SVG document."""
    _draw_functions["svg"] = draw


def register_scene(make: MakeScene) -> None:
    """Use `make` for scenes of positions."""
    _make_scene[:] = [make]


def register_text(draw: Callable[[Position], str]) -> None:
    """Use `draw` for boards in `str(position)`; it returns lines of text."""
    _draw_functions["text"] = draw


def svg_of(position: Position) -> str | None:
    """Return the picture of a position, None without a drawing layer."""
    return _drawn("svg", position)


def text_of(position: Position) -> str | None:
    """Return the board of a position as text, None without a drawing layer."""
    return _drawn("text", position)


def scene_of(position: Position, *, for_player: str | None, everything: bool) -> Scene:
    """Return the scene of a position."""
    if not _make_scene:
        import_module(_DRAWING_LAYER)
    return _make_scene[0](position, for_player=for_player, everything=everything)


def _drawn(kind: str, position: Position) -> str | None:
    """Return the result of the registered function of a kind, None if there is none."""
    if kind not in _draw_functions:
        try:
            import_module(_DRAWING_LAYER)
        except ImportError:
            return None
    draw = _draw_functions.get(kind)
    return None if draw is None else draw(position)
