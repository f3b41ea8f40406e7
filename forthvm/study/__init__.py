"""The study layer: opening trees, position databases, endgame tables, analyses of games.

This file owns the layer's public names; each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from forthvm.study.database import PositionDatabase
    from forthvm.study.database_query import Conditions, Occurrence, PositionSummary
    from forthvm.study.endgame import EndgameTable, ProbedMove, ProbedPosition
    from forthvm.study.errors import StudyError
    from forthvm.study.game_analysis import analyse
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
    "analyse",
    "position_key",
    "statistics",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm.study.database": ("PositionDatabase",),
        "forthvm.study.database_query": ("Conditions", "Occurrence", "PositionSummary"),
        "forthvm.study.endgame": ("EndgameTable", "ProbedMove", "ProbedPosition"),
        "forthvm.study.errors": ("StudyError",),
        "forthvm.study.game_analysis": ("analyse",),
        "forthvm.study.game_statistics": ("GameStatistics", "StatisticsTable", "statistics"),
        "forthvm.study.keys": ("position_key",),
        "forthvm.study.openings": ("MoveNode", "OpeningTree", "PositionNode", "Tally"),
    },
)
