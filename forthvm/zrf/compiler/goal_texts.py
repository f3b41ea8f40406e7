"""Conditions of goals in words, for the causes of results.

Owns the wording.  goals.py compiles goals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.wording import counted, joined
from forthvm.zrf.rules import (
    AbsoluteConfig,
    AndGoal,
    CaptureCount,
    Captured,
    Checkmated,
    NotGoal,
    OrGoal,
    PiecesRemaining,
    RelativeConfig,
    Repetition,
    Stalemated,
    TotalPieceCount,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.zrf.rules import Goal, GoalCondition, Occupant

__all__ = ["goal_text"]

_MAX_BYTES = 240
"""A text in a script has at most 255 bytes."""


def goal_text(goal: Goal) -> str:
    """Return the kind and the condition of a goal in words, without quotation marks."""
    text = f"{goal.kind} condition: {_in_words(goal.condition)}".replace('"', "'")
    if len(text.encode()) <= _MAX_BYTES:
        return text
    return text.encode()[:_MAX_BYTES].decode(errors="ignore").rstrip() + "..."


def _in_words(condition: GoalCondition) -> str:  # noqa: C901, PLR0911 - a table
    match condition:
        case OrGoal(conditions=parts):  # lines in several directions have the same text
            return joined(list(dict.fromkeys(_part(part) for part in parts)), "or")
        case AndGoal(conditions=parts):
            return joined([_part(part) for part in parts])
        case NotGoal(condition=inner):
            return f"not {_part(inner)}"
        case Stalemated():
            return "stalemated"
        case Repetition():
            return "the position has occurred three times"
        case Checkmated(pieces=pieces):
            return f"{joined(pieces, 'or')} checkmated"
        case Captured(pieces=pieces):
            return f"{joined(pieces, 'or')} captured"
        case PiecesRemaining(count=count, piece=piece):
            return f"{_number(count, piece)} remaining"
        case TotalPieceCount(count=count, piece=piece):
            return f"{_number(count, piece)} of all players"
        case CaptureCount(comparison=comparison, count=count, piece=piece):
            return f"{comparison} {_number(count, piece)} captured"
        case AbsoluteConfig(occupants=occupants, positions=positions, zones=zones):
            places = [*positions, *(f"the zone {zone}" for zone in zones)]
            return f"{_occupants(occupants)} on {joined(places)}"
        case RelativeConfig(steps=steps):
            return _pattern(steps)


def _part(condition: GoalCondition) -> str:
    """Return a part of a condition, in parentheses if it has parts itself."""
    text = _in_words(condition)
    return f"({text})" if isinstance(condition, OrGoal | AndGoal) else text


def _pattern(steps: Sequence[Occupant | str]) -> str:
    """Return the text of a pattern: equal occupants next to each other in one direction, or any."""
    words = [step if isinstance(step, str) else _occupants((step,)) for step in steps]
    occupants, directions = words[::2], words[1::2]
    alternate = all(isinstance(step, str) == at % 2 for at, step in enumerate(steps))
    if alternate and len(set(occupants)) == len(set(directions)) == 1 < len(occupants):
        return f"{len(occupants)} {occupants[0]} in a line"
    return f"the pattern {' '.join(words)}"


def _number(count: int, piece: str) -> str:
    return f"{count} {piece}" if piece else counted(count, "piece")


def _occupants(occupants: tuple[Occupant, ...]) -> str:
    whose = {"own": "", "opponent": "enemy ", "any": "any "}
    return joined(
        [f"{'no ' * each.negated}{whose[each.whose]}{each.piece}" for each in occupants], "or"
    )
