"""Self-play for networks: games of short searches, as positions with what they are worth.

Owns how moves are chosen and what a position is worth: in games for two the mean of what its search
says and of what the game was worth in the end, else the latter.
"""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.core.bindings import NETWORK_UNIT, Cache, DeepeningOptions
from forthvm.core.errors import EngineError
from forthvm.engines.search.minimax import (
    ALL_FEATURES,
    DEFAULT_CHANCE_OUTCOMES,
    MAX_DEPTH,
)
from forthvm.game.memory.scratch import counts_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import Network, NetworkInputs
    from forthvm.game import Game, Position

__all__ = ["SelfPlaySettings", "ShallowSearch", "ValuedPosition", "decisions", "play_game"]

_TABLE_BYTES = 1 << 20
_NODES_FOR_A_MOVE = 3
"""Searches may visit so many positions for each legal move: enough to try all of them."""
_MAX_PLIES = 20_000
"""The maximum length of a game with passes and moves of chance."""


@dataclass(frozen=True)
class SelfPlaySettings:
    """How games are played.

    Attributes:
        nodes: The limit of each search; more if there are many moves.
        opening: The greatest number of random plies at the beginning.
        random_moves: The probability of a random move later.
        result_weight: The weight of the result beside that of the search, from 0 to 1.
        max_searches: The number of searches after which a game ends without a result.
    """

    nodes: int = 100
    opening: int = 8
    random_moves: float = 0.05
    result_weight: float = 0.5
    max_searches: int = 400


@dataclass(frozen=True)
class ValuedPosition:
    """A position of a game: board, turn and view, and the expected score of the view."""

    board: bytes
    turn: int
    view: int
    score: float


class ShallowSearch:
    """Searches positions of one game; without principal variations, which need more time."""

    def __init__(self, game: Game, network: Network, nodes: int) -> None:
        """Prepare searches of about `nodes` positions that the network evaluates."""
        chance = game._loaded.chance_bits
        samples = DEFAULT_CHANCE_OUTCOMES if chance else 0
        self._nodes = nodes
        self._nodes_for_a_move = _NODES_FOR_A_MOVE * max(samples, 1)
        self._table = Cache(_TABLE_BYTES)
        self._options = DeepeningOptions(
            features=ALL_FEATURES,
            depth=MAX_DEPTH,
            chance=chance,
            count_turns=int(counts_turns(game._loaded)),
            samples=samples,
            network=network,
        )

    def new_game(self) -> None:
        """Forget the positions of earlier games."""
        self._table.clear()

    def search(self, position: Position, seed: int) -> tuple[int, int | None]:
        """Return the index of the best move, and its score unless not all moves were tried.

        Args:
            position: The position.
            seed: The seed of the order of moves with equal ranks, not 0.

        Raises:
            EngineError: The script generates another list of moves each time.
        """
        count = len(position.legal_moves)
        nodes = max(self._nodes, self._nodes_for_a_move * count)
        options = replace(self._options, nodes=nodes, seed=seed)
        with position._in_memory() as native:
            result = native.deepening_search(options, self._table)
        if result.off_board_cells:  # then keys depend on the position searched
            self._table.clear()
        line = result.lines[0]
        if not 0 <= line.moves[0] < count:
            raise EngineError("the script generates another list of moves each time")
        return line.moves[0], line.score if result.depth > 0 else None


def play_game(
    game: Game,
    search: ShallowSearch,
    inputs: NetworkInputs,
    settings: SelfPlaySettings,
    seed: int,
) -> list[ValuedPosition]:
    """Play a game and return its positions.

    Args:
        game: The game.
        search: Chooses all moves that are not random.
        inputs: What the network sees.
        settings: How the game is played.
        seed: The seed of the random choices.

    Raises:
        ForthVMError: The script fails.
    """
    choices = random.Random(seed)
    position = game.start()
    position.seed(seed % 2**31)
    opening = choices.randrange(settings.opening + 1)
    seen: list[tuple[bytes, int, int, int | None]] = []
    search.new_game()
    for count in decisions(position, choices, opening=opening):
        index, score = search.search(position, 1 + choices.getrandbits(31))
        view = inputs.view_of[position.player_index + 1]
        seen.append((array("i", position.cells).tobytes(), position._turn_index, view, score))
        is_random = choices.random() < settings.random_moves
        position.push(position.legal_moves[choices.randrange(count) if is_random else index])
        if len(seen) == settings.max_searches:
            break
    results = _results(position, inputs)
    return [
        ValuedPosition(board, turn, view, value)
        for board, turn, mover, score in seen
        for view, value in _values(results, mover, score, settings.result_weight)
    ]


def decisions(position: Position, choices: random.Random, *, opening: int) -> Iterator[int]:
    """Yield the number of legal moves wherever a player has a choice, until the game is over.

    The caller makes the move.  Other moves are made here: random moves for the first plies and for
    chance players, moves without an alternative, and passes of players without moves.

    Args:
        position: The position, which changes.
        choices: Makes the random choices.
        opening: The number of random plies at the beginning.
    """
    while position.result is None and position.ply < _MAX_PLIES:
        count = len(position.legal_moves)
        if position.is_stuck:
            position.push_pass()
        elif position.is_chance or position.ply < opening or count == 1:
            position.push(position.legal_moves[choices.randrange(count)])
        else:
            yield count


def _values(
    results: list[float] | None, mover: int, score: int | None, weight: float
) -> Iterator[tuple[int, float]]:
    """Yield the views that learn from a position, and their expected scores.

    Args:
        results: The result of the game for each view; None: the game did not end.
        mover: The view of the player to move.
        score: The score of the search; None: unknown.
        weight: The weight of the result.
    """
    if results is not None and len(results) > 2:  # scores are those against all others
        yield from enumerate(results)
        return
    searched = None if score is None else _expected(score)
    result = searched if results is None else results[mover]
    if result is not None:
        yield mover, result if searched is None else weight * result + (1 - weight) * searched


def _expected(score: int) -> float:
    """Return the expected score of a value."""
    return 1 / (1 + math.exp(-max(-20.0, min(score / NETWORK_UNIT, 20.0))))


def _results(position: Position, inputs: NetworkInputs) -> list[float] | None:
    """Return the final score of each view; None: the game did not end."""
    outcome = position.result
    if outcome is None:
        return None
    results = [0.5] * inputs.views
    for at, name in enumerate(position.game.players):
        view = inputs.view_of[at + 1]
        if view >= 0:
            results[view] = (name in outcome.winners) + 0.5 * outcome.draw
    return results
