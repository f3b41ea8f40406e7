"""Outcomes: from the code of OnIsGameOver to winners and losers.

Owns the codes and their meaning.

The code expresses the view of the player to move (section 13 of axiom-reference.md, a note on the
original's behaviour).  Win: that player has won, and all others have lost.  Loss: that player has
lost, and all others have won.  Draw: no player has won.  "All others" are the other contestants:
players that have turns, without neutral and chance players.  If the player to move belongs to a
team, the whole team wins or loses; the caller passes its members (ending.py).

If a chance player is to move, the code expresses the view of the next contestant in the turn order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.record import Record
from forthvm.core.text.wording import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DECIDED", "DRAW", "LOSS", "UNKNOWN", "WIN", "Outcome", "outcome_of", "plies_to_end"]

UNKNOWN = -2140000000
LOSS = -2130000000
DRAW = 0
WIN = 2130000000
DECIDED = frozenset({LOSS, DRAW, WIN})
"""The codes that end a game."""
_MOST_PLIES = 10_000
"""A score that is at most this far below WIN is that of a win after as many plies; so for LOSS."""


def plies_to_end(score: float) -> int | None:
    """Return the number of plies to a win or a loss that a search has found; None for other scores.

    >>> plies_to_end(WIN - 3), plies_to_end(LOSS + 4), plies_to_end(250)
    (3, 4, None)
    """
    plies = WIN - abs(round(score))
    return plies if 0 <= plies <= _MOST_PLIES else None


class Outcome(Record):
    """The end of a game.

    Attributes:
        winners: Names of the players who won, in the order of the game's players.
        losers: Names of the players who lost.
        draw: Whether no player has won.
        code: The result of OnIsGameOver, from the view of the player to move.
        reason: The outcome and its cause in words.
        players: Names of all players who could win, in the order of `Game.contestants`.
        cause: Why the game has ended: the script's result comment; without one, that a player has
            no legal move, or that the rules of the script decided.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    draw: bool
    code: int
    reason: str
    players: tuple[str, ...] = ()
    cause: str = ""

    def returns(self) -> list[float]:
        """Return a number for each player: 1.0 for a win, -1.0 for a loss, 0.0 for a draw.

        The order is that of `players`, as in OpenSpiel's `State.returns()`.  Chance and neutral
        players have no number.  With more than two players the sum need not be 0.  Members of a
        team have equal numbers.

        >>> outcome_of(LOSS, "Nought", ["Cross", "Nought"]).returns()
        [1.0, -1.0]
        """
        return [float(name in self.winners) - float(name in self.losers) for name in self.players]

    def __str__(self) -> str:
        return self.reason


def outcome_of(
    code: int, viewer: str, players: Sequence[str], friends: Sequence[str] = (), cause: str = ""
) -> Outcome | None:
    """Return the outcome that a code means; None for #UnknownScore and any other number.

    Friends of the viewer win and lose with the viewer.

    >>> outcome_of(LOSS, "Nought", ["Cross", "Nought"]).winners
    ('Cross',)
    >>> outcome_of(WIN, "Nought", ["Cross", "Nought"]).losers
    ('Cross',)
    >>> outcome_of(DRAW, "Nought", ["Cross", "Nought"], cause="stalemate").reason
    'draw: stalemate'
    >>> outcome_of(UNKNOWN, "Nought", ["Cross", "Nought"]) is None
    True
    """
    if code not in DECIDED:
        return None
    team = tuple(name for name in players if name == viewer or name in friends) or (viewer,)
    others = tuple(name for name in players if name not in team)
    verb = "has" if len(team) == 1 and team != ("You",) else "have"
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    if code == DRAW:
        winners, losers, words = (), (), "draw"
    elif code == WIN:
        winners, losers, words = team, others, f"{joined(team)} {verb} won"
    else:
        winners, losers, words = others, team, f"{joined(team)} {verb} lost"
        if others:
            words += f", {joined(others)} won"
    reason = f"{words}: {cause}" if cause else words
    return Outcome(winners, losers, code == DRAW, code, reason, tuple(players), cause)
