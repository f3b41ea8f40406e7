"""Games as objects: load one, start a position, play its moves.

Host programs use this package.  A name that few programs need is imported when it is first used.

The files stand on each other in this order; import-linter refuses circles:

1. values: `pieces`, `notation`, `outcome`, `changes`; below this package, `forthvm.catalogue` finds
   games and their options;
2. the loaded game: `tables` and `states`, the parts of `loaded`;
3. what a state contains: `memory/`, `setup`, `ending`, `remarks`, `shown`, `rule_files`,
   `random_games`, `actions/`;
4. moves: `matching`, `gestures`, then `moves`;
5. positions in files: `document/`, `zsg_writing`;
6. the public faces: `position`, then `game`;
7. what needs only these: `loading`, `perft`, `events`, `typed_moves`, `zsg_replay`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.catalogue.bundled import find_game
from forthvm.catalogue.bundled import list_games as games
from forthvm.core.lazy_names import lazy_names

from .perft import (  # imported here because the module and the function have the same name
    perft,
    perft_divide,
)

if TYPE_CHECKING:
    from forthvm.catalogue.bundled import BundledGame
    from forthvm.catalogue.options import Choice, Setting
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
    from .gestures import Click
    from .loading import load
    from .memory.randomness import RandomState
    from .moves import GestureTree, Move, MoveList
    from .notation import HistoryEntry, Part
    from .outcome import DRAW, LOSS, UNKNOWN, WIN, Outcome
    from .pieces import Board, Piece, PieceType, Player
    from .position import Position
    from .remarks import Remark
    from .setup import Setup
    from .tables import Direction, Grid, Turn
    from .zsg_replay import replay_zsg

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
        "forthvm.catalogue.bundled": ("BundledGame",),
        "forthvm.game.loading": ("load",),
        "forthvm.catalogue.options": ("Choice", "Setting"),
        "forthvm.game.changes": (
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
        "forthvm.game.events": ("Event", "events_of"),
        "forthvm.game.remarks": ("Remark",),
        "forthvm.game.pieces": ("Board", "Piece", "PieceType", "Player"),
        "forthvm.game.tables": ("Direction", "Grid", "Turn"),
        "forthvm.game.game": ("Game",),
        "forthvm.game.gestures": ("Click",),
        "forthvm.game.memory.randomness": ("RandomState",),
        "forthvm.game.notation": ("HistoryEntry", "Part"),
        "forthvm.game.moves": ("GestureTree", "Move", "MoveList"),
        "forthvm.game.outcome": ("DRAW", "LOSS", "UNKNOWN", "WIN", "Outcome"),
        "forthvm.game.position": ("Position",),
        "forthvm.game.setup": ("Setup",),
        "forthvm.game.zsg_replay": ("replay_zsg",),
    },
)
