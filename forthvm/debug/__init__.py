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

from forthvm.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from forthvm.core.cancellation import Cancellation

    from .session.breakpoints import Breakpoint
    from .session.commands import CommandLines
    from .session.load_target import load_target
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
    "Cancellation",
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
    "load_target",
    "moves_target",
    "new_game_target",
    "play_target",
    "replay",
    "search_target",
    "word_target",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm.core.cancellation": ("Cancellation",),
        "forthvm.debug.session.breakpoints": ("Breakpoint",),
        "forthvm.debug.session.commands": ("CommandLines",),
        "forthvm.debug.session.load_target": ("load_target",),
        "forthvm.debug.session.recording": ("replay",),
        "forthvm.debug.session.session": ("Session",),
        "forthvm.debug.session.state": ("Caller", "GenerationState", "State"),
        "forthvm.debug.session.targets": (
            "Target",
            "engine_target",
            "line_target",
            "moves_target",
            "new_game_target",
            "play_target",
            "search_target",
            "word_target",
        ),
        "forthvm.debug.session.watchpoints": ("Changed", "Watched", "Watchpoint"),
    },
)
