"""The render modes of environments: printed text, text, SVG, pixels."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from forthvm import render
from forthvm.core.text.visible import visible
from forthvm.render.draw_svg import SQUARE_SIZE

if TYPE_CHECKING:
    import numpy as np

    from forthvm.game import Position

__all__ = ["RENDER_FPS", "RENDER_MODES", "check_mode", "described", "rendered"]

_PIXELS = "rgb_array"
_PACKAGES = ("numpy", "PIL", "resvg_py")
"""The packages that draw pixels; frameworks test each mode that is listed."""
RENDER_MODES = ["human", "ansi", "svg", *([_PIXELS] if all(map(find_spec, _PACKAGES)) else [])]
RENDER_FPS = 2


def check_mode(mode: str | None) -> None:
    """Check a render mode.

    Raises:
        ImportError: The mode needs packages that are not installed.
        ValueError: There is no such mode.
    """
    if mode == _PIXELS and mode not in RENDER_MODES:
        raise ImportError(f"the render mode {mode!r} needs pip install 'forthvm[images]'")
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"there is no render mode {mode!r}, but {', '.join(RENDER_MODES)}")


def described(position: Position, for_player: str | None, *, everything: bool = False) -> str:
    """Return the board as a player sees it, or everything, and whose turn it is, or the result."""
    board = render.text(position, for_player=for_player, everything=everything)
    status = str(position.result or f"{position.turn} to move")
    return f"{board}\n{visible(status)}\n"


def rendered(position: Position, mode: str | None, for_player: str) -> str | np.ndarray | None:
    """Return the position as a player sees it; the mode `human` prints it and returns None."""
    if mode == _PIXELS:
        return _pixels(position, for_player)
    if mode == "svg":
        return render.svg(position, for_player=for_player)
    if mode == "human":
        sys.stdout.write(described(position, for_player))
    return described(position, for_player) if mode == "ansi" else None


def _pixels(position: Position, for_player: str) -> np.ndarray:
    """Return the board as an array of pixels: height, width, and red, green and blue as bytes.

    The notes below the board are cut off, because frames of a video must have the same size.
    """
    import numpy as np
    import resvg_py
    from PIL import Image

    board = render.scene(position, for_player=for_player).board
    document = render.svg(position, for_player=for_player)
    png = resvg_py.svg_to_bytes(svg_string=document, background="white")
    image = Image.open(BytesIO(png)).convert("RGB")
    height = round(board.height * SQUARE_SIZE)
    return np.array(image)[:height]
