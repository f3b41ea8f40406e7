"""The names that engines with a protocol give the games, from the files of the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        stem = game._loaded.options.path.stem
        reason = notation_problem(game._loaded) or (
            f"it has no line `protocol {protocol} NAME` in a file {stem}.notation"
        )
        raise EngineError(f"{game.name} is not played over {protocol.upper()}: {reason}")
    return name
