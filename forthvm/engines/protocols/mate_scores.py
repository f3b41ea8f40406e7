"""Scores of positions from which a win or a loss has been found, by the plies to the end."""

from __future__ import annotations

from forthvm.game.outcome import WIN, plies_to_end

__all__ = ["moves_to_mate", "plain_score", "score_by_plies", "score_of_mate"]

_MOST_PLIES = 999
"""In a protocol that counts wins by plies, the most plies to a win."""


def moves_to_mate(score: float) -> int | None:
    """Return the number of the winner's moves to the end, negative for a loss.

    It is None for scores that are neither of a win nor of a loss.

    >>> moves_to_mate(WIN - 3), moves_to_mate(4 - WIN), moves_to_mate(250)
    (2, -2, None)
    """
    plies = plies_to_end(score)
    if plies is None:
        return None
    moves = (plies + 1) // 2
    return moves if score > 0 else -moves


def score_of_mate(moves: int) -> int:
    """Return the score for a number of the winner's moves to the end, negative for a loss.

    >>> score_of_mate(2) - WIN, score_of_mate(-2) + WIN
    (-3, 4)
    """
    return WIN - (2 * moves - 1) if moves > 0 else -WIN - 2 * moves


def score_by_plies(number: int, win: int) -> int:
    """Return the score for a number of a protocol in which a win after n plies is `win` minus n.

    >>> score_by_plies(9997, 10_000) - WIN, score_by_plies(-9996, 10_000) + WIN
    (-3, 4)
    >>> score_by_plies(250, 10_000)
    250
    """
    plies = win - abs(number)
    if not 0 <= plies <= _MOST_PLIES:
        return number
    return WIN - plies if number > 0 else plies - WIN


def plain_score(score: float, win: int) -> int:
    """Return a score as a number that `score_by_plies` does not take for that of a win or a loss.

    >>> plain_score(12.4, 10_000), plain_score(-1e6, 10_000)
    (12, -9000)
    """
    highest = win - _MOST_PLIES - 1
    return max(-highest, min(round(score), highest))
