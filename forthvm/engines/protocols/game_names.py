"""The names that engines with a protocol give the games, from the files of the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.wording import joined
from forthvm.engines.errors import EngineError
from forthvm.game.short_notation import notation_problem, short_notation

if TYPE_CHECKING:
    from forthvm.game import Game

__all__ = ["name_of"]


def name_of(game: Game, protocol: str) -> str:
    """Return the name that engines give a game, as its file of the notation says.

    Raises:
        EngineError: Engines with this protocol do not play the game.
    """
    notation = short_notation(game._loaded)
    name = notation.protocols.get(protocol) if notation else None
    if name is None:
        problem = notation_problem(game._loaded)
        others = [other.upper() for other in (*(notation.protocols if notation else ()), "ugi")]
        reason = f": {problem}" if problem else f", but over {joined(others)}"
        raise EngineError(f"{game.name} is not played over {protocol.upper()}{reason}")
    return name
