"""The render modes of environments: printed text, text, SVG.

It must not know any framework.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm import render
from forthvm.core.text.visible import visible

if TYPE_CHECKING:
    from forthvm.game import Position

__all__ = ["RENDER_FPS", "RENDER_MODES", "check_mode", "described", "rendered"]

RENDER_MODES = ["human", "ansi", "svg"]
RENDER_FPS = 2


def check_mode(mode: str | None) -> None:
    """Raise ValueError if there is no such render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"there is no render mode {mode!r}, but {', '.join(RENDER_MODES)}")


def described(position: Position, for_player: str | None, *, everything: bool = False) -> str:
    """Return the board as a player sees it, or everything, and whose turn it is, or the result."""
    board = render.text(position, for_player=for_player, everything=everything)
    status = str(position.result or f"{position.turn} to move")
    return f"{board}\n{visible(status)}\n"


def rendered(position: Position, mode: str | None, for_player: str) -> str | None:
    """Return the position as a player sees it; the mode `human` prints it and returns None."""
    if mode == "svg":
        return render.svg(position, for_player=for_player)
    if mode == "human":
        sys.stdout.write(described(position, for_player))
    return described(position, for_player) if mode == "ansi" else None
