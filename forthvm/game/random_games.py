"""Random games that show what occurs in a game.

Owns the random choices, and the policy for games in which the script fails: each ends where it
fails, and one warning counts them.
"""

from __future__ import annotations

import random
import warnings
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .game import Game
    from .position import Position

__all__ = ["RandomGames"]


class RandomGames:
    """Random games with a fixed seed."""

    def __init__(self, game: Game, seed: int, starts: Sequence[Position] = ()) -> None:
        """Begin without games.

        Args:
            game: The game.
            seed: The seed of all random choices.
            starts: First positions of the games, in rotation; empty for `game.start()`.
        """
        self._game = game
        self._starts = starts
        self._random = random.Random(seed)
        self._played = 0
        self._shown = False  # whether a position has been yielded
        self._failures: list[ForthVMError] = []

    def play(self, plies: int) -> Iterator[Position]:
        """Play the next game, and yield its position before each ply, and at the end.

        All positions are the same object.  The list of moves of a position where a player chooses
        has been made.  The game ends early if the script fails.
        """
        number = self._played
        self._played += 1
        # `random` returns the same numbers in all versions of Python, other methods may not.
        seed = int(self._random.random() * 2**31)
        try:
            starts = self._starts
            position = starts[number % len(starts)].copy() if starts else self._game.start()
            position.seed(seed)
            for _ in range(plies):
                over = position.result is not None
                moves = () if over or position.is_stuck else position.legal_moves
                self._shown = True
                yield position
                if over:
                    return
                if moves:
                    position.push(moves[int(self._random.random() * len(moves))])
                else:
                    position.push_pass()
        except ForthVMError as error:
            self._failures.append(error)

    def report(self) -> None:
        """Warn if games have ended because the script failed.

        Raises:
            ForthVMError: The script failed in the first positions of all games.
        """
        if not self._failures:
            return
        first = self._failures[0]
        if not self._shown:
            raise first
        warnings.warn(
            f"{self._game.name}: {len(self._failures)} of {self._played} random games ended "
            f"because the script failed, first with: {first}",
            RuntimeWarning,
            stacklevel=2,
        )
