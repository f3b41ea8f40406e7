"""The autoplay layer: matches and tournaments, and what they show.

This file owns the layer's public names; each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.autoplay.clock import TimeControl
    from forthvm.autoplay.runner import Match
    from forthvm.autoplay.settings import (
        Adjudication,
        Configuration,
        Entrant,
        MatchError,
        Settings,
    )
    from forthvm.autoplay.store import GameRow, Store, StoreError
    from forthvm.autoplay.trust import UntrustedError

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
]

_PLACES = {
    "Adjudication": "settings",
    "Configuration": "settings",
    "Entrant": "settings",
    "GameRow": "store",
    "Match": "runner",
    "MatchError": "settings",
    "Settings": "settings",
    "Store": "store",
    "StoreError": "store",
    "TimeControl": "clock",
    "UntrustedError": "trust",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'forthvm.autoplay' has no attribute {name!r}")
    from importlib import import_module  # only when something is used

    value: object = getattr(import_module(f"forthvm.autoplay.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
