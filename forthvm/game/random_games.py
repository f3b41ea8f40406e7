"""Random games that show what occurs in a game.

Owns the random choices, and the policy for games in which the script fails: each ends where it
fails, and one warning counts them.
"""

from __future__ import annotations

import random
import warnings
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

from .ending import ending_of
from .memory.randomness import streams_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .loaded import LoadedGame
    from .states import State

__all__ = ["RandomGames"]


class RandomGames:
    """Random games with a fixed seed."""

    def __init__(self, game: LoadedGame, seed: int, starts: Sequence[State] = ()) -> None:
        """Begin without games.

        Args:
            game: The game.
            seed: The seed of all random choices.
            starts: First states of the games, in rotation; empty for the start of the game.
        """
        self._game = game
        self._starts = starts
        self._random = random.Random(seed)
        self._played = 0
        self._shown = False  # whether a state has been yielded
        self._failures: list[ForthVMError] = []

    def play(self, plies: int) -> Iterator[State]:
        """Play the next game, and yield its state before each ply, and at the end.

        The list of moves of a state where a player chooses has been made.  The game ends early if
        the script fails.
        """
        game, states = self._game, self._game.states
        number = self._played
        self._played += 1
        # `random` returns the same numbers in all versions of Python, other methods may not.
        seed = int(self._random.random() * 2**31)
        try:
            starts = self._starts
            state = starts[number % len(starts)] if starts else game.first_state()
            state = streams_of(game).reseeded(states, state, seed)
            for _ in range(plies):
                states.save(state)
                over = ending_of(game, state) is not None
                moves = () if over else states.moves_of(state)
                self._shown = True
                yield state
                if over:
                    return
                if moves:
                    state = states.make(state, int(self._random.random() * len(moves)))
                else:
                    state = states.end_turn(state)
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
