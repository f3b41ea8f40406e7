"""Games as objects: load one, start a position, play its moves.

Host programs use this package.  A name that few programs need is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.lazy_names import lazy_names

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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm.core.errors": (
            "ActionError",
            "AmbiguousMoveError",
            "GameOverError",
            "IllegalMoveError",
            "MoveError",
            "MoveSyntaxError",
            "PositionDigestError",
            "PositionError",
            "SettingError",
            "UnknownGameError",
        ),
        "forthvm.game.actions.numbering": ("Actions",),
        "forthvm.game.catalogue.bundled": ("BundledGame",),
        "forthvm.game.catalogue.loading": ("load",),
        "forthvm.game.catalogue.settings": ("Choice", "Setting"),
        "forthvm.game.commentary.changes": (
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
        "forthvm.game.commentary.events": ("Event", "events_of"),
        "forthvm.game.commentary.remarks": ("Remark",),
        "forthvm.game.definition.pieces": ("Board", "Piece", "PieceType", "Player"),
        "forthvm.game.definition.tables": ("Direction", "Grid", "Turn"),
        "forthvm.game.game": ("Game",),
        "forthvm.game.gestures": ("Click", "GestureTree"),
        "forthvm.game.history": ("HistoryEntry",),
        "forthvm.game.memory.randomness": ("RandomState",),
        "forthvm.game.move_text.notation": ("Part",),
        "forthvm.game.moves": ("Move", "MoveList"),
        "forthvm.game.outcome": ("DRAW", "LOSS", "UNKNOWN", "WIN", "Outcome"),
        "forthvm.game.position": ("Position",),
        "forthvm.game.setup": ("Setup",),
        "forthvm.game.views": ("register_svg", "register_text"),
        "forthvm.game.zillions.replay": ("replay_zsg",),
    },
)
