"""Scores of positions from which a win or a loss has been found, by the plies to the end."""

from __future__ import annotations

from forthvm.game.outcome import WIN, plies_to_end

__all__ = ["moves_to_mate", "score_of_mate"]


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
