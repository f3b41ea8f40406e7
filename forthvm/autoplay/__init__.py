"""The autoplay layer: matches, tournaments, their statistics and reports.

This file owns the layer's public names; each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.autoplay.match.clock import TimeControl
    from forthvm.autoplay.match.runner import Match
    from forthvm.autoplay.match.settings import (
        Adjudication,
        Configuration,
        Entrant,
        MatchError,
        Settings,
    )
    from forthvm.autoplay.results.foreign_code import UntrustedError
    from forthvm.autoplay.results.store import GameRow, Store, StoreError
    from forthvm.autoplay.statistics.game_analysis import analyse
    from forthvm.autoplay.statistics.summary import summarise_store

__all__ = [
    "Adjudication",
    "Configuration",
    "Entrant",
    "GameRow",
    "Match",
    "MatchError",
    "Settings",
    "Store",
    "StoreError",
    "TimeControl",
    "UntrustedError",
    "analyse",
    "summarise_store",
]

_MODULES = {
    "Adjudication": "match.settings",
    "Configuration": "match.settings",
    "Entrant": "match.settings",
    "GameRow": "results.store",
    "Match": "match.runner",
    "MatchError": "match.settings",
    "Settings": "match.settings",
    "Store": "results.store",
    "StoreError": "results.store",
    "TimeControl": "match.clock",
    "UntrustedError": "results.foreign_code",
    "analyse": "statistics.game_analysis",
    "summarise_store": "statistics.summary",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'forthvm.autoplay' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"forthvm.autoplay.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
