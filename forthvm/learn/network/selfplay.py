"""Self-play for networks: games of short searches, as positions with what they are worth.

Owns how moves are chosen and what a position is worth: a mean of its score, of the scores of the
positions that followed, and of the result.  With two players, the score of a position is that of
its search.  With more, a search would assume that all others are enemies of the player to move, so
the score is the network's value of the position itself.
"""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings import Cache, DeepeningOptions
from forthvm.core.errors import EngineError
from forthvm.engines.search.minimax import (
    ALL_FEATURES,
    DEFAULT_CHANCE_OUTCOMES,
    MAX_DEPTH,
)
from forthvm.game.memory.scratch import counts_turns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from forthvm.core.bindings import Network, NetworkInputs
    from forthvm.game import Game, Position

__all__ = [
    "PlayedGame",
    "SearchedPosition",
    "SelfPlaySettings",
    "ShallowSearch",
    "ValuedPosition",
    "decisions",
    "expected_score",
    "play_game",
]

_TABLE_BYTES = 1 << 20
_NODES_FOR_A_MOVE = 3
"""The number of positions that searches may visit for each legal move, to try all of them."""
_MAX_PLIES = 20_000
"""The maximum length of a game with passes and moves of chance."""


@dataclass(frozen=True)
class SelfPlaySettings:
    """How games are played.

    Attributes:
        nodes: The limit of each search; more if there are many moves.
        opening: The greatest number of random plies at the beginning.
        random_moves: The probability of a random move later.
        max_searches: The number of searches after which a game ends without a result.
    """

    nodes: int = 100
    opening: int = 8
    random_moves: float = 0.05
    max_searches: int = 400


@dataclass(frozen=True)
class SearchedPosition:
    """A position of a game with its scores.

    Attributes:
        board: The bytes of its cells.
        turn: Its index in the turn order.
        view: The view of the player to move.
        scores: The score of each view; none where it is unknown.
        own: The game's own evaluation by view; in games for two only that of the player to move.
        is_random: Whether a random move was made.
    """

    board: bytes
    turn: int
    view: int
    scores: dict[int, int]
    own: dict[int, int]
    is_random: bool


@dataclass(frozen=True)
class PlayedGame:
    """A game.

    Attributes:
        views: The number of players who choose moves.
        positions: The searched positions.
        results: The final score of each view; None: the game did not end.
    """

    views: int
    positions: list[SearchedPosition]
    results: list[float] | None

    def values(self, unit: float, decay: float) -> Iterator[ValuedPosition]:
        """Yield what the positions are worth, from the last one to the first.

        It is the TD(lambda) return (Sutton, 1988): the mean of the scores from this position on and
        of the result, each with less weight than the one before it.  After a random move only the
        scores of its position count, if it has some, since the move may be a mistake.  In games for
        two only the view of the player to move is learned, since its search has found the scores.

        Args:
            unit: The score at which the expected score is the logistic function of 1.
            decay: The weight of what follows a position, from 0 to 1.
        """
        following: dict[int, float] = dict(enumerate(self.results or ()))
        for position in reversed(self.positions):
            if position.is_random and not position.scores:
                following.clear()
            weight = 0.0 if position.is_random else decay
            for view, score in position.scores.items():
                expected = expected_score(score / unit)
                following[view] = expected + weight * (following.get(view, expected) - expected)
            for view in [position.view] if self.views == 2 else range(self.views):
                if view in following:
                    yield ValuedPosition(
                        position.board,
                        position.turn,
                        view,
                        position.own.get(view, 0),
                        following[view],
                    )


@dataclass(frozen=True)
class ValuedPosition:
    """A position of a game for a view, with the game's own evaluation and the expected score."""

    board: bytes
    turn: int
    view: int
    own: int
    score: float


class ShallowSearch:
    """Searches positions of one game; without principal variations, which need more time.

    Attributes:
        is_ended: Set to end the game that is played with it before its end, by any thread.
    """

    def __init__(self, game: Game, network: Network | None, nodes: int) -> None:
        """Prepare searches of about `nodes` positions; without a network the game evaluates."""
        chance = game._loaded.chance_bits
        samples = DEFAULT_CHANCE_OUTCOMES if chance else 0
        self.is_ended = False
        self._network = network
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
        options = self._options.replace(nodes=nodes, seed=seed)
        with position._in_memory() as native:
            result = native.deepening_search(options, self._table)
        if result.off_board_cells:  # then keys depend on the position searched
            self._table.clear()
        line = result.lines[0]
        if not 0 <= line.moves[0] < count:
            raise EngineError("the script generates another list of moves each time")
        return line.moves[0], line.score if result.depth > 0 else None

    def static_scores(self, board: bytes, turn: int, own: Mapping[int, int]) -> dict[int, int]:
        """Return the network's value of a position for each view, without a search.

        Args:
            board: The bytes of its cells.
            turn: Its index in the turn order.
            own: The game's own evaluation by view.

        Returns:
            The score of each view; without a network, none.
        """
        network = self._network
        if network is None:
            return {}
        return {
            view: network.value(board, turn, view) + network.weights.own * own.get(view, 0)
            for view in range(network.inputs.views)
        }


def play_game(
    game: Game,
    search: ShallowSearch,
    inputs: NetworkInputs,
    settings: SelfPlaySettings,
    seed: int,
) -> PlayedGame:
    """Play a game.

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
    seen: list[SearchedPosition] = []
    evaluates = position.game._loaded.evaluates
    search.new_game()
    for count in decisions(position, choices, opening=opening):
        index, score = search.search(position, 1 + choices.getrandbits(31))
        view = inputs.view_of[position.player_index + 1]
        board, turn = array("i", position.cells).tobytes(), position._turn_index
        own = _own(position, inputs) if evaluates else {}
        if inputs.views > 2:
            scores = search.static_scores(board, turn, own)
        else:
            scores = {} if score is None else {view: score, 1 - view: -score}
        is_random = choices.random() < settings.random_moves
        seen.append(SearchedPosition(board, turn, view, scores, own, is_random))
        position.push(position.legal_moves[choices.randrange(count) if is_random else index])
        if len(seen) == settings.max_searches or search.is_ended:
            break
    return PlayedGame(inputs.views, seen, _results(position, inputs))


def _own(position: Position, inputs: NetworkInputs) -> dict[int, int]:
    """Return the game's own evaluation by view; in games for two only for the player to move."""
    players = [number for number, view in enumerate(inputs.view_of) if view >= 0]
    players = [position.player_index + 1] if inputs.views == 2 else players
    with position._in_memory() as native:
        return {inputs.view_of[player]: native.evaluate(player) for player in players}


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


def expected_score(value: float) -> float:
    """Return the expected score of a value in units of the network: the logistic function."""
    return 1 / (1 + math.exp(-max(-20.0, min(value, 20.0))))


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
