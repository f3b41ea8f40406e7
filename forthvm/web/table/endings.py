"""Ends of a game that its script does not decide: resignation, time, agreement, analysis.

Owns the texts about these ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["RESIGNED", "TIME", "Ending", "agreed_draw", "analysis", "ending_after"]

RESIGNED, TIME = "resigned", "time"
"""Reasons for which a player leaves a game."""
_REASONS = {RESIGNED: "has resigned", TIME: "has no time left"}


@dataclass(frozen=True)
class Ending:
    """An end of a game.

    Attributes:
        code: Names the kind of the end, for the catalogue of a page.
        values: What the text of the catalogue mentions, by name.
        text: The end in English.
    """

    code: str
    values: Mapping[str, str]
    text: str


def agreed_draw() -> Ending:
    """Return the end of a game by agreement."""
    return Ending("agreed-draw", {}, "The players have agreed to a draw")


def analysis() -> Ending:
    """Return the end of a game that is not played, because its position is only analysed."""
    return Ending("analysis", {}, "Analysis")


def ending_after(departed: Mapping[str, str], players: Sequence[str]) -> Ending | None:
    """Return the end of a game that players have left; None if the others continue.

    The game ends when one of the players that can win remains.

    Args:
        departed: The reason for which each player has left, in the order of departure.
        players: The players that can win.
    """
    remaining = [player for player in players if player not in departed]
    if len(remaining) != 1:
        return None
    *_, (player, code) = departed.items()
    loser, winner = visible(player), visible(remaining[0])
    values = {"player": loser, "winner": winner}
    return Ending(code, values, f"{loser} {_REASONS[code]}, {winner} has won")
