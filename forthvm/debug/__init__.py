"""Looking into scripts at work.

Where moves come from, what refused others, what costs time, and what happens token by token,
forward and back:

    from forthvm import debug

    with debug.Session(debug.moves_target(position)) as session:
        session.add_breakpoint("add-move if here e5 =")
        state = session.continue_()

This file owns the debugger's public names and imports each when it is first used; `explain`
and `why_not` are names of `forthvm` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .breakpoints import Breakpoint
    from .lines import Lines
    from .recording import replay
    from .session import Session
    from .state import Caller, Scanned, State
    from .target import (
        Target,
        engine_target,
        line_target,
        moves_target,
        new_game_target,
        play_target,
        search_target,
        word_target,
    )
    from .watches import Changed, Watched, Watchpoint

__all__ = [
    "Breakpoint",
    "Caller",
    "Changed",
    "Lines",
    "Scanned",
    "Session",
    "State",
    "Target",
    "Watched",
    "Watchpoint",
    "engine_target",
    "line_target",
    "moves_target",
    "new_game_target",
    "play_target",
    "replay",
    "search_target",
    "word_target",
]

_PLACES = {
    "Breakpoint": "breakpoints",
    "Lines": "lines",
    "replay": "recording",
    "Session": "session",
    "Caller": "state",
    "Scanned": "state",
    "State": "state",
    "Changed": "watches",
    "Watched": "watches",
    "Watchpoint": "watches",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'forthvm.debug' has no attribute {name!r}")
    from importlib import import_module  # only when something is used

    module = import_module(f"{__name__}.{_PLACES.get(name, 'target')}")
    value: object = getattr(module, name)
    globals()[name] = value
    return value
