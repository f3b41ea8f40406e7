"""Runs board games of the Axiom engine and of Zillions of Games, and ForthScript by itself.

    import forthvm

    game = forthvm.load("splut")
    position = game.start()
    print(position.legal_moves[0])

This file lists the public names and imports the module of a name when the name is first used,
which keeps commands fast to start.  It contains no other logic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from forthvm import autoplay, check, debug, engines, render, study
    from forthvm._version import __version__
    from forthvm.check import check_files
    from forthvm.core.bindings import Snapshot
    from forthvm.core.budget import Budget
    from forthvm.core.errors import (
        ActionError,
        AddressError,
        AmbiguousMoveError,
        BudgetExceeded,
        DivisionError,
        ForthVMError,
        GameOverError,
        IllegalMoveError,
        Interrupted,
        MoveError,
        MoveSyntaxError,
        PositionDigestError,
        PositionError,
        ScriptFileError,
        ScriptFileNotFound,
        SettingError,
        StackOverflow,
        StackUnderflow,
        UndefinedWord,
        UnknownGameError,
    )
    from forthvm.core.location import Frame, Location
    from forthvm.core.vm import VM, ScriptWarning
    from forthvm.debug.explain.query import explain
    from forthvm.debug.why_not.query import why_not
    from forthvm.engines import Limits, SearchResult
    from forthvm.game import (
        Game,
        Move,
        Outcome,
        Piece,
        Player,
        Position,
        games,
        load,
        perft,
        replay_zsg,
    )
    from forthvm.learn.observations import observer
    from forthvm.learn.vector import vector

__all__ = [
    "VM",
    "ActionError",
    "AddressError",
    "AmbiguousMoveError",
    "Budget",
    "BudgetExceeded",
    "DivisionError",
    "ForthVMError",
    "Frame",
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "Interrupted",
    "Limits",
    "Location",
    "Move",
    "MoveError",
    "MoveSyntaxError",
    "Outcome",
    "Piece",
    "Player",
    "Position",
    "PositionDigestError",
    "PositionError",
    "ScriptFileError",
    "ScriptFileNotFound",
    "ScriptWarning",
    "SearchResult",
    "SettingError",
    "Snapshot",
    "StackOverflow",
    "StackUnderflow",
    "UndefinedWord",
    "UnknownGameError",
    "__version__",
    "autoplay",
    "check",
    "check_files",
    "debug",
    "engines",
    "explain",
    "games",
    "load",
    "observer",
    "perft",
    "render",
    "replay_zsg",
    "study",
    "vector",
    "why_not",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm._version": ("__version__",),
        "forthvm.check": ("check_files",),
        "forthvm.core.bindings": ("Snapshot",),
        "forthvm.core.budget": ("Budget",),
        "forthvm.core.errors": (
            "ActionError",
            "AddressError",
            "AmbiguousMoveError",
            "BudgetExceeded",
            "DivisionError",
            "ForthVMError",
            "GameOverError",
            "IllegalMoveError",
            "Interrupted",
            "MoveError",
            "MoveSyntaxError",
            "PositionDigestError",
            "PositionError",
            "ScriptFileError",
            "ScriptFileNotFound",
            "SettingError",
            "StackOverflow",
            "StackUnderflow",
            "UndefinedWord",
            "UnknownGameError",
        ),
        "forthvm.core.location": ("Frame", "Location"),
        "forthvm.core.vm": ("VM", "ScriptWarning"),
        "forthvm.debug.explain.query": ("explain",),
        "forthvm.debug.why_not.query": ("why_not",),
        "forthvm.engines": ("Limits", "SearchResult"),
        "forthvm.game": (
            "Game",
            "Move",
            "Outcome",
            "Piece",
            "Player",
            "Position",
            "games",
            "load",
            "perft",
            "replay_zsg",
        ),
        "forthvm.learn.vector": ("vector",),
        "forthvm.learn.observations": ("observer",),
        "forthvm": ("autoplay", "check", "debug", "engines", "render", "study"),
    },
)
