"""The study layer: opening trees, position databases, endgame tables and statistics of games.

This file owns the layer's public names; each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.study.database import PositionDatabase
    from forthvm.study.database_query import Conditions, Occurrence, PositionSummary
    from forthvm.study.endgame import EndgameTable, ProbedMove, ProbedPosition
    from forthvm.study.errors import StudyError
    from forthvm.study.game_statistics import GameStatistics, StatisticsTable, statistics
    from forthvm.study.keys import position_key
    from forthvm.study.openings import MoveNode, OpeningTree, PositionNode, Tally

__all__ = [
    "Conditions",
    "EndgameTable",
    "GameStatistics",
    "MoveNode",
    "Occurrence",
    "OpeningTree",
    "PositionDatabase",
    "PositionNode",
    "PositionSummary",
    "ProbedMove",
    "ProbedPosition",
    "StatisticsTable",
    "StudyError",
    "Tally",
    "position_key",
    "statistics",
]

_MODULES = {
    "Conditions": "database_query",
    "EndgameTable": "endgame",
    "GameStatistics": "game_statistics",
    "MoveNode": "openings",
    "Occurrence": "database_query",
    "OpeningTree": "openings",
    "PositionDatabase": "database",
    "PositionNode": "openings",
    "PositionSummary": "database_query",
    "ProbedMove": "endgame",
    "ProbedPosition": "endgame",
    "StatisticsTable": "game_statistics",
    "StudyError": "errors",
    "Tally": "openings",
    "position_key": "keys",
    "statistics": "game_statistics",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'forthvm.study' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"forthvm.study.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
