"""Games as objects: load one, start a position, play its moves.

This package is what host programs use.  It must not know drawing, engines or front ends.
"""

from __future__ import annotations

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

from .bundled import BundledGame, find_game
from .bundled import list_games as games
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
from .game import Game, load
from .moves import Move, MoveList
from .notation import Part
from .outcome import DRAW, LOSS, UNKNOWN, WIN, Outcome
from .perft import perft, perft_divide
from .pieces import Board, Piece, PieceType, Player
from .position import Played, Position
from .randomness import RandomState
from .remarks import Remark
from .settings import Choice, Setting
from .setup import Setup
from .tables import Direction, Grid, Turn
from .views import register_svg

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
    "Game",
    "GameOverError",
    "Grid",
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
    "Played",
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
    "find_game",
    "games",
    "load",
    "perft",
    "perft_divide",
    "register_svg",
]
