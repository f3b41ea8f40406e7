"""The names that engines with a protocol give the games, from the files of the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.engines.errors import EngineError
from forthvm.game.short_notation import absence_of, short_notation

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
        reason = absence_of(f"line `protocol {protocol} NAME`", game._loaded)
        raise EngineError(f"{game.name} is not played over {protocol.upper()}: {reason}")
    return name
