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
    "perft",
    "render",
    "replay_zsg",
    "study",
    "why_not",
]

# The module of each public name; names that are not listed are in forthvm.core.errors.
_MODULES = {
    "VM": "core.vm",
    "check_files": "check",
    "ScriptWarning": "core.vm",
    "Budget": "core.budget",
    "Frame": "core.location",
    "Location": "core.location",
    "Snapshot": "core.bindings",
    "Game": "game",
    "Move": "game",
    "Outcome": "game",
    "Piece": "game",
    "Player": "game",
    "Position": "game",
    "games": "game",
    "load": "game",
    "perft": "game",
    "replay_zsg": "game",
    "explain": "debug.explain",
    "why_not": "debug.why_not",
    "Limits": "engines",
    "SearchResult": "engines",
    "__version__": "_version",
}
_PACKAGES = {"autoplay", "check", "debug", "engines", "render", "study"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'forthvm' has no attribute {name!r}")
    from importlib import import_module  # needed only on first use

    if name in _PACKAGES:
        return import_module(f"forthvm.{name}")
    value: object = getattr(import_module(f"forthvm.{_MODULES.get(name, 'core.errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
