"""The form of estimates and their intervals in texts and JSON documents.

Owns their wording, such as "54.2 % (50.1 to 58.3)".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.statistics.formulas import EloEstimate

__all__ = [
    "Bounds",
    "bounds_document",
    "decimal",
    "elo_text",
    "estimate_text",
    "interval_fact",
    "interval_name",
    "interval_unit",
    "percent",
    "share_text",
    "signed",
    "span",
]


class Bounds(Protocol):
    """Anything that has the ends of an interval."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


# --- numbers ------------------------------------------------------------------------------------


def percent(share: float) -> str:
    """Return a share (0 to 1) in percent, with one decimal."""
    return f"{100 * share:.1f}"


def decimal(number: float) -> str:
    """Return a number with one decimal."""
    return f"{number:.1f}"


def signed(elo: float) -> str:
    """Return a rating or difference, rounded to an integer, with its sign."""
    if math.isinf(elo):
        return "+inf" if elo > 0 else "-inf"
    return f"{round(elo) or 0:+d}"


# --- intervals ----------------------------------------------------------------------------------


def span(bounds: Bounds, form: Callable[[float], str] = percent) -> str:
    """Return the ends of an interval, each in the form of `form`."""
    return f"{form(bounds.low)} to {form(bounds.high)}"


def estimate_text(
    value: float, bounds: Bounds, form: Callable[[float], str], unit: str = ""
) -> str:
    """Return a number with its interval."""
    return f"{form(value)}{unit} ({span(bounds, form)})"


def share_text(share: float, bounds: Bounds) -> str:
    """Return a share (0 to 1) in percent, with its interval."""
    return estimate_text(share, bounds, percent, " %")


def elo_text(elo: EloEstimate, *, paired: bool) -> str:
    """Return an Elo difference with its interval; if it is infinite, only the finite bound."""
    name = interval_name(paired=paired)
    if elo.elo == math.inf:
        return f"at least {signed(elo.low)} ({name})"
    if elo.elo == -math.inf:
        return f"at most {signed(elo.high)} ({name})"
    return f"{signed(elo.elo)} ({name}: {span(elo, signed)})"


def bounds_document(bounds: Bounds) -> list[float]:
    """Return the ends of an interval for a JSON document."""
    return [bounds.low, bounds.high]


# --- kinds of intervals -------------------------------------------------------------------------


def interval_unit(*, paired: bool) -> str:
    """Return what intervals are by: `pairs` or `games`."""
    return "pairs" if paired else "games"


def interval_name(*, paired: bool) -> str:
    """Return the confidence level and kind of intervals, for the headings of tables."""
    return f"95 % by {interval_unit(paired=paired)}"


def interval_fact(*, paired: bool) -> tuple[str, str]:
    """Return the fact that explains the intervals, which other facts have in parentheses."""
    explanation = " of games with the same opening and random seed" if paired else ""
    return "intervals", f"95 %, by {interval_unit(paired=paired)}{explanation}"
