"""Self-play for networks: games of an engine against itself, with random moves, as positions.

Owns how moves are chosen and what a position is worth: the mean of what the search says and of what
the game was worth in the end.
"""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.engines.protocol import Limits

if TYPE_CHECKING:
    from forthvm.core.bindings import Network
    from forthvm.engines.protocol import Engine
    from forthvm.game import Game, Position

__all__ = ["Sample", "SelfPlaySettings", "play_game"]

UNIT = 256
"""The value of a position at which the expected score is the logistic function of 1."""


@dataclass(frozen=True)
class SelfPlaySettings:
    """How games are played.

    Attributes:
        nodes: The limit of each search.
        opening: The greatest number of random plies at the beginning.
        chance: The probability of a random move later.
        result_weight: The weight of the result beside that of the search, from 0 to 1.
        max_plies: The length at which a game is drawn.
    """

    nodes: int = 100
    opening: int = 8
    chance: float = 0.05
    result_weight: float = 0.5
    max_plies: int = 400


@dataclass(frozen=True)
class Sample:
    """A position of a game: board, turn and view, and the expected score of the view."""

    board: bytes
    turn: int
    view: int
    target: float


def play_game(
    game: Game,
    engine: Engine,
    network: Network,
    settings: SelfPlaySettings,
    seed: int,
) -> list[Sample]:
    """Play a game and return its positions.

    Args:
        game: The game.
        engine: Plays all moves that are not random.
        network: Has the inputs of the samples.
        settings: How the game is played.
        seed: The seed of the random choices.

    Raises:
        ForthVMError: The script fails.
    """
    choices = random.Random(seed)
    position = game.start()
    position.seed(seed % 2**31)
    opening = choices.randrange(settings.opening + 1)
    seen: list[tuple[bytes, int, int, float | None]] = []
    while position.result is None and position.ply < settings.max_plies:
        if position.is_stuck:
            position.push_pass()
            continue
        moves = position.legal_moves
        if position.is_chance or position.ply < opening or len(moves) == 1:
            position.push(moves[choices.randrange(len(moves))])
            continue
        found = engine.play(position, Limits(nodes=settings.nodes))
        view = network.inputs.view_of[position.player_index + 1]
        board = array("i", position.cells).tobytes()
        seen.append((board, position._turn_index, view, found.score))
        random_move = choices.random() < settings.chance
        position.push(moves[choices.randrange(len(moves))] if random_move else found.move)
    scores = _scores(position, network)
    weight = settings.result_weight
    samples = []
    for board, turn, view, score in seen:
        searched = _expected(score) if score is not None else scores[view]
        target = weight * scores[view] + (1 - weight) * searched
        samples.append(Sample(board, turn, view, target))
        if network.inputs.views > 2:
            samples += [
                Sample(board, turn, other, scores[other])
                for other in range(network.inputs.views)
                if other != view
            ]
    return samples


def _expected(score: float) -> float:
    """Return the expected score of a value."""
    return 1 / (1 + math.exp(-max(-20.0, min(score / UNIT, 20.0))))


def _scores(position: Position, network: Network) -> list[float]:
    """Return the final score of each view."""
    outcome = position.result
    scores = [0.5] * network.inputs.views
    for at, name in enumerate(position.game.players):
        view = network.inputs.view_of[at + 1]
        if view >= 0 and outcome is not None:
            scores[view] = (name in outcome.winners) + 0.5 * outcome.draw
    return scores
