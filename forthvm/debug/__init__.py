"""The debug layer: explanations of moves, profiles, and a debugger that runs forward and back.

For example:

    from forthvm import debug

    with debug.Session(debug.moves_target(position)) as session:
        session.add_breakpoint("add-move if here e5 =")
        state = session.continue_()

This file owns the debugger's public names and imports each name when it is first used.
`explain` and `why_not` are public names of `forthvm` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .session.breakpoints import Breakpoint
    from .session.commands import CommandLines
    from .session.recording import replay
    from .session.session import Session
    from .session.state import Caller, GenerationState, State
    from .session.targets import (
        Target,
        engine_target,
        line_target,
        moves_target,
        new_game_target,
        play_target,
        search_target,
        word_target,
    )
    from .session.watchpoints import Changed, Watched, Watchpoint

__all__ = [
    "Breakpoint",
    "Caller",
    "Changed",
    "CommandLines",
    "GenerationState",
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

_MODULES = {
    "Breakpoint": "session.breakpoints",
    "CommandLines": "session.commands",
    "replay": "session.recording",
    "Session": "session.session",
    "Caller": "session.state",
    "GenerationState": "session.state",
    "State": "session.state",
    "Changed": "session.watchpoints",
    "Watched": "session.watchpoints",
    "Watchpoint": "session.watchpoints",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'forthvm.debug' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_MODULES.get(name, 'session.targets')}")
    value: object = getattr(module, name)
    globals()[name] = value
    return value
