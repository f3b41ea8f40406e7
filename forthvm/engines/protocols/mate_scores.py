"""Scores of positions from which a win or a loss has been found, by the plies to the end."""

from __future__ import annotations

from forthvm.game.outcome import WIN

__all__ = ["plies_to_end", "score_of_mate"]

_MOST_PLIES = 10_000
"""If a score is at most this far from that of a win, the distance is the number of plies to it."""


def plies_to_end(score: float) -> int | None:
    """Return the number of plies to a win or a loss; None for other scores.

    >>> plies_to_end(WIN - 3), plies_to_end(4 - WIN), plies_to_end(250)
    (3, 4, None)
    """
    plies = WIN - abs(round(score))
    return plies if plies <= _MOST_PLIES else None


def score_of_mate(moves: int) -> int:
    """Return the score of a mate in a number of moves of one's own, or negative of the opponent.

    >>> score_of_mate(2) - WIN, score_of_mate(-2) + WIN
    (-3, 4)
    """
    return WIN - (2 * moves - 1) if moves > 0 else -WIN - 2 * moves
