"""The Monte Carlo tree search of OpenSpiel, which is written in C++, as an engine for matches.

In a checkout, `--engine openspiel=benchmarks.openspiel_engine:MCTS` plays Breakthrough and Reversi.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyspiel  # a peer, not a dependency

if TYPE_CHECKING:
    import forthvm
    from forthvm.engines import Limits

__all__ = ["MCTS"]


_SQUARE = re.compile(r"\b([a-h])([1-8])\b")


def _breakthrough(move: str) -> str:
    """Return OpenSpiel's text of a move, without the sign of captures; its ranks are reversed."""
    return "".join(f"{file}{9 - int(rank)}" for file, rank in _SQUARE.findall(move)[:2])


def _othello(move: str) -> str:
    found = _SQUARE.search(move)
    return found[0] if found else "pass"


_GAMES = {"breakthrough": ("breakthrough", _breakthrough), "reversi": ("othello", _othello)}
"""OpenSpiel's name of a bundled game, and its text of a move."""


class MCTS:
    """Searches with random playouts for the whole time of a move, and proves decided positions.

    Args:
        exploration: The weight of exploration; OpenSpiel's examples have 2.
        seed: The seed of the playouts.
    """

    def __init__(self, *, exploration: float = 2.0, seed: int = 1) -> None:
        self._exploration = exploration
        self._seed = seed

    def play(self, position: forthvm.Position, limits: Limits) -> forthvm.Move:
        """Return the move that is found; `limits` must have a time."""
        assert limits.time is not None
        name, text = _GAMES[position.game.name]
        game = pyspiel.load_game(name)
        state = game.new_initial_state()
        for move in position.history:
            _apply(state, text(move.text))
        self._seed += 1
        bot = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=self._seed),
            uct_c=self._exploration,
            max_simulations=1 << 30,
            max_memory_mb=1000,
            solve=True,
            seed=self._seed,
            verbose=False,
            max_wall_clock_time=limits.time,
        )
        found = state.action_to_string(bot.step(state)).removesuffix("*")
        return next(move for move in position.legal_moves if text(move.text) == found)


def _apply(state: pyspiel.State, text: str) -> None:
    """Make a move, given as text."""
    for action in state.legal_actions():
        if state.action_to_string(action).removesuffix("*") == text:
            state.apply_action(action)
            return
    raise ValueError(f"{text} is not a move of OpenSpiel's game:\n{state}")
