"""Scores of positions from which a win or a loss has been found, by the plies to the end."""

from __future__ import annotations

from forthvm.game.outcome import WIN

__all__ = ["plies_to_end"]

_MOST_PLIES = 10_000
"""Scores that are this close to that of a win are the number of plies to the end of the game."""


def plies_to_end(score: float) -> int | None:
    """Return the number of plies to a win or a loss; None for other scores.

    >>> plies_to_end(WIN - 3), plies_to_end(4 - WIN), plies_to_end(250)
    (3, 4, None)
    """
    plies = WIN - abs(round(score))
    return plies if plies <= _MOST_PLIES else None
