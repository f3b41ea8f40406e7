"""Random games for tests: moves drawn from the lists of legal moves.

Owns the forced passes in such games.  The caller's `random.Random` makes the choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from forthvm.game import Position

__all__ = ["push_random_move", "push_random_moves", "random_game"]


def push_random_move(position: Position, rng: Random) -> bool:
    """Make a random move, or pass if there are no moves; return False if the game is over."""
    if position.result is not None:
        return False
    if position.is_stuck:
        position.push_pass()
    else:
        position.push(rng.choice(position.legal_moves))
    return True


def push_random_moves(position: Position, plies: int, rng: Random) -> Position:
    """Make at most `plies` random moves, fewer if the game ends; return the position."""
    for _ in random_game(position, plies, rng):
        pass
    return position


def random_game(position: Position, plies: int, rng: Random) -> Iterator[Position]:
    """Yield the position, which is the same object, now and after each of at most `plies` moves."""
    yield position
    for _ in range(plies):
        if not push_random_move(position, rng):
            return
        yield position
