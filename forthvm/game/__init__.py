"""Games as objects: load one, start a position, play its moves.

Host programs use this package.  A name that few programs need is imported when it is first used.
The package must not know drawing, engines or user interfaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .catalogue.bundled import find_game
from .catalogue.bundled import list_games as games
from .perft import (  # imported here because the module and the function have the same name
    perft,
    perft_divide,
)

if TYPE_CHECKING:
    from forthvm.core.errors import (
        ActionError,
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

    from .actions.numbering import Actions
    from .catalogue.bundled import BundledGame
    from .catalogue.loading import load
    from .catalogue.settings import Choice, Setting
    from .commentary.changes import (
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
    from .commentary.events import Event, events_of
    from .commentary.remarks import Remark
    from .definition.pieces import Board, Piece, PieceType, Player
    from .definition.tables import Direction, Grid, Turn
    from .game import Game
    from .gestures import Click, GestureTree
    from .history import HistoryEntry
    from .memory.randomness import RandomState
    from .move_text.notation import Part
    from .moves import Move, MoveList
    from .outcome import DRAW, LOSS, UNKNOWN, WIN, Outcome
    from .position import Position
    from .setup import Setup
    from .views import register_svg, register_text
    from .zillions.replay import replay_zsg

__all__ = [
    "DRAW",
    "LOSS",
    "UNKNOWN",
    "WIN",
    "ActionError",
    "Actions",
    "AmbiguousMoveError",
    "Board",
    "BundledGame",
    "Called",
    "Captured",
    "Change",
    "Choice",
    "Click",
    "Continued",
    "Created",
    "Direction",
    "Event",
    "Game",
    "GameOverError",
    "GestureTree",
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
    "replay_zsg",
]

# The modules of the names imported on first use.  All other names are exception classes of
# forthvm.core.errors.
_MODULES = {
    "actions.numbering": ("Actions",),
    "catalogue.bundled": ("BundledGame",),
    "commentary.changes": (
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
    "gestures": ("Click", "GestureTree"),
    "catalogue.loading": ("load",),
    "commentary.events": ("Event", "events_of"),
    "moves": ("Move", "MoveList"),
    "move_text.notation": ("Part",),
    "outcome": ("DRAW", "LOSS", "UNKNOWN", "WIN", "Outcome"),
    "definition.pieces": ("Board", "Piece", "PieceType", "Player"),
    "history": ("HistoryEntry",),
    "position": ("Position",),
    "zillions.replay": ("replay_zsg",),
    "memory.randomness": ("RandomState",),
    "commentary.remarks": ("Remark",),
    "catalogue.settings": ("Choice", "Setting"),
    "setup": ("Setup",),
    "definition.tables": ("Direction", "Grid", "Turn"),
    "views": ("register_svg", "register_text"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'forthvm.game' has no attribute {name!r}")
    from importlib import import_module

    module = next((module for module, names in _MODULES.items() if name in names), None)
    owner = f"forthvm.game.{module}" if module else "forthvm.core.errors"
    value: object = getattr(import_module(owner), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
