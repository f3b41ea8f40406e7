"""The engines layer: what chooses moves.

`get("axiom:depth=4")` makes an engine from a specification, `Engine.play` answers for a
position, `ask` does the same for an engine that is not trusted.  docs/playing.md lists the
engines and their options.
"""

from __future__ import annotations

from forthvm.engines.analysis import Analysis, analyse
from forthvm.engines.errors import EngineError, EngineOptionError, UnknownEngineError
from forthvm.engines.outside import ask
from forthvm.engines.protocol import Engine, Info, Limits, Reporter, SearchResult
from forthvm.engines.registry import get, names

__all__ = [
    "Analysis",
    "Engine",
    "EngineError",
    "EngineOptionError",
    "Info",
    "Limits",
    "Reporter",
    "SearchResult",
    "UnknownEngineError",
    "analyse",
    "ask",
    "get",
    "names",
]
