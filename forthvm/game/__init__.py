"""Games as objects: load one, start a position, play its moves.

Host programs use this package.  Names that few programs need are imported when first used.  It
must not know drawing, engines or user interfaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bundled import find_game
from .bundled import list_games as games
from .perft import perft, perft_divide  # now, since the module has the function's name

if TYPE_CHECKING:
    from forthvm.core.errors import (
        AmbiguousMoveError,
        GameOverError,
        IllegalMoveError,
        MoveError,
        MoveSyntaxError,
        PositionDigestError,
        PositionError,
        SettingError,
        UnknownGameError,
    )

    from .bundled import BundledGame
    from .changes import (
        Called,
        Captured,
        Change,
        Continued,
        Created,
        Moved,
        OwnerChanged,
        Passed,
        TypeChanged,
    )
    from .events import Event, events_of
    from .game import Game
    from .history import HistoryEntry
    from .loading import load
    from .memory.randomness import RandomState
    from .move_text.notation import Part
    from .moves import Move, MoveList
    from .outcome import DRAW, LOSS, UNKNOWN, WIN, Outcome
    from .pieces import Board, Piece, PieceType, Player
    from .position import Position
    from .remarks import Remark
    from .settings import Choice, Setting
    from .setup import Setup
    from .tables import Direction, Grid, Turn
    from .views import register_svg, register_text

__all__ = [
    "DRAW",
    "LOSS",
    "UNKNOWN",
    "WIN",
    "AmbiguousMoveError",
    "Board",
    "BundledGame",
    "Called",
    "Captured",
    "Change",
    "Choice",
    "Continued",
    "Created",
    "Direction",
    "Event",
    "Game",
    "GameOverError",
    "Grid",
    "HistoryEntry",
    "IllegalMoveError",
    "Move",
    "MoveError",
    "MoveList",
    "MoveSyntaxError",
    "Moved",
    "Outcome",
    "OwnerChanged",
    "Part",
    "Passed",
    "Piece",
    "PieceType",
    "Player",
    "Position",
    "PositionDigestError",
    "PositionError",
    "RandomState",
    "Remark",
    "Setting",
    "SettingError",
    "Setup",
    "Turn",
    "TypeChanged",
    "UnknownGameError",
    "events_of",
    "find_game",
    "games",
    "load",
    "perft",
    "perft_divide",
    "register_svg",
    "register_text",
]

# The modules of the other names; names that are not listed are errors of the core.
_PLACES = {
    "bundled": ("BundledGame",),
    "changes": (
        "Called",
        "Captured",
        "Change",
        "Continued",
        "Created",
        "Moved",
        "OwnerChanged",
        "Passed",
        "TypeChanged",
    ),
    "game": ("Game",),
    "loading": ("load",),
    "events": ("Event", "events_of"),
    "moves": ("Move", "MoveList"),
    "move_text.notation": ("Part",),
    "outcome": ("DRAW", "LOSS", "UNKNOWN", "WIN", "Outcome"),
    "pieces": ("Board", "Piece", "PieceType", "Player"),
    "history": ("HistoryEntry",),
    "position": ("Position",),
    "memory.randomness": ("RandomState",),
    "remarks": ("Remark",),
    "settings": ("Choice", "Setting"),
    "setup": ("Setup",),
    "tables": ("Direction", "Grid", "Turn"),
    "views": ("register_svg", "register_text"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'forthvm.game' has no attribute {name!r}")
    from importlib import import_module

    module = next((place for place, names in _PLACES.items() if name in names), None)
    owner = f"forthvm.game.{module}" if module else "forthvm.core.errors"
    value: object = getattr(import_module(owner), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
