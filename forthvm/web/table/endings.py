"""Ends of a game that the rules of the game do not know: resignation, time, agreement.

Owns their words.  It must not know positions or clocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["RESIGNED", "TIME", "Ending", "agreed_draw", "ending_after"]

RESIGNED, TIME = "resigned", "time"
"""Reasons for which a player leaves a game."""
_REASONS = {RESIGNED: "has resigned", TIME: "has no time left"}


class Ending(Value):
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


def ending_after(left: Mapping[str, str], players: Sequence[str]) -> Ending | None:
    """Return the end of a game that players have left; None if at least two are still playing.

    Args:
        left: The reason why each player has left, in the order of events.
        players: The players that can win.
    """
    staying = [player for player in players if player not in left]
    if len(staying) != 1:
        return None
    *_, (player, code) = left.items()
    loser, winner = visible(player), visible(staying[0])
    values = {"player": loser, "winner": winner}
    return Ending(code, values, f"{loser} {_REASONS[code]}, {winner} has won")
