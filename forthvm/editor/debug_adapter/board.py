"""The message with the current board, which is an addition to the protocol.

Owns its pictures.  Delegates the drawing to forthvm.render.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.draw_svg import board_svg
from forthvm.render.draw_text import TextStyle, board_text
from forthvm.render.symbols import game_symbols

if TYPE_CHECKING:
    from forthvm.debug import Session

    from .messages import Json

__all__ = ["BOARD", "board_message"]

BOARD = "forthvm/board"
"""The name of the request and of the event."""


def board_message(session: Session) -> Json | None:
    """Return the picture, the text and the title of the current board; None without a board."""
    scene = session.board()
    game = session.target.game
    if scene is None or game is None:
        return None
    generation = session.state.generation_state
    facts = [game.name]
    if generation is not None and generation.player:
        facts.append(f"moves of {generation.player}")
    if generation is not None and generation.piece:
        facts.append(generation.piece)
        facts += [f"at {generation.origin}"] * bool(generation.origin)
    title = visible(" ".join([f"{facts[0]}:", *facts[1:]]) if facts[1:] else facts[0])
    return {
        "svg": board_svg(scene, game_symbols(game), title=title),
        "text": board_text(scene, TextStyle()),
        "title": title,
    }
