"""The engines layer: code that chooses a move.

`get("axiom:depth=4")` creates an engine from a specification, and `Engine.play` chooses a move.
`choose_move` calls `play` and checks the result.  `choose_move_or_first` chooses the first legal
move if the engine of a script fails.  docs/guides/playing.md lists the engines and their options.
The modules for MCTS, machine learning and levels are imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.lazy_names import lazy_names
from forthvm.engines.analysis import Analysis, analyse
from forthvm.engines.checked import choose_move
from forthvm.engines.errors import (
    EngineError,
    EngineOptionError,
    EvaluatorError,
    Resignation,
    UnknownEngineError,
)
from forthvm.engines.fallback import choose_move_or_first
from forthvm.engines.protocol import Engine, Info, Limits, Reporter, SearchResult
from forthvm.engines.registry import get, names

if TYPE_CHECKING:
    from forthvm.engines.evaluator import EvaluationView, Evaluator
    from forthvm.engines.levels import Level, level_of, levels_of
    from forthvm.engines.position_arrays import board_array, legal_mask, random_playouts
    from forthvm.engines.search.mcts import MctsEngine, SearchTree, TreeView
    from forthvm.engines.search.minimax import NegamaxEngine
    from forthvm.engines.selfplay import Leaves, SelfPlay
    from forthvm.engines.selfplay_games import PlayedGame

__all__ = [
    "Analysis",
    "Engine",
    "EngineError",
    "EngineOptionError",
    "EvaluationView",
    "Evaluator",
    "EvaluatorError",
    "Info",
    "Leaves",
    "Level",
    "Limits",
    "MctsEngine",
    "NegamaxEngine",
    "PlayedGame",
    "Reporter",
    "Resignation",
    "SearchResult",
    "SearchTree",
    "SelfPlay",
    "TreeView",
    "UnknownEngineError",
    "analyse",
    "board_array",
    "choose_move",
    "choose_move_or_first",
    "get",
    "legal_mask",
    "level_of",
    "levels_of",
    "names",
    "random_playouts",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm.engines.evaluator": ("EvaluationView", "Evaluator"),
        "forthvm.engines.levels": ("Level", "level_of", "levels_of"),
        "forthvm.engines.search.mcts": ("MctsEngine", "SearchTree", "TreeView"),
        "forthvm.engines.search.minimax": ("NegamaxEngine",),
        "forthvm.engines.position_arrays": ("board_array", "legal_mask", "random_playouts"),
        "forthvm.engines.selfplay": ("Leaves", "SelfPlay"),
        "forthvm.engines.selfplay_games": ("PlayedGame",),
    },
)
