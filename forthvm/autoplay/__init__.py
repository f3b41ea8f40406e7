"""The autoplay layer: matches, tournaments, their statistics and reports.

This file owns the layer's public names; each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from forthvm.autoplay.match.runner import Match
    from forthvm.autoplay.match.settings import (
        Adjudication,
        Configuration,
        Entrant,
        MatchError,
        Settings,
        TimeControl,
    )
    from forthvm.autoplay.results.foreign_code import UntrustedError
    from forthvm.autoplay.results.store import GameRow, Store, StoreError
    from forthvm.autoplay.statistics.formulas import Interval
    from forthvm.autoplay.statistics.standings import Standing
    from forthvm.autoplay.statistics.summary import Summary, summarise_store

__all__ = [
    "Adjudication",
    "Configuration",
    "Entrant",
    "GameRow",
    "Interval",
    "Match",
    "MatchError",
    "Settings",
    "Standing",
    "Store",
    "StoreError",
    "Summary",
    "TimeControl",
    "UntrustedError",
    "summarise_store",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm.autoplay.match.runner": ("Match",),
        "forthvm.autoplay.match.settings": (
            "Adjudication",
            "Configuration",
            "Entrant",
            "MatchError",
            "Settings",
            "TimeControl",
        ),
        "forthvm.autoplay.results.foreign_code": ("UntrustedError",),
        "forthvm.autoplay.results.store": ("GameRow", "Store", "StoreError"),
        "forthvm.autoplay.statistics.formulas": ("Interval",),
        "forthvm.autoplay.statistics.standings": ("Standing",),
        "forthvm.autoplay.statistics.summary": ("Summary", "summarise_store"),
    },
)
