"""Training: rounds of self-play, after each of which a network learns from the positions.

Owns the rounds.  A round's games depend only on the seed, the numbers of the games and the network
before the round, and are learned in the order of their numbers.  So training with a limit of games,
and without one of time, has the same result with any number of threads.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from forthvm.core.bindings import NETWORK_UNIT, Network, NetworkWeights, Trainer
from forthvm.engines.network import MAX_BYTES, GameNetwork, fingerprint

from .inputs import choose_inputs
from .own_evaluation import MAX_UNIT, fitted_unit, own_step
from .selfplay import SelfPlaySettings, ShallowSearch, play_game
from .symmetries import feature_maps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.core.bindings import NetworkInputs
    from forthvm.game import Game

    from .selfplay import PlayedGame

__all__ = ["Progress", "TrainingSettings", "train"]

_RESERVED_BYTES = 1 << 16
"""Bytes of a file that are left for what is written about the training."""
_ROUND_POSITIONS = 2048
"""The approximate number of positions in a round."""
_FIRST_POSITIONS, _FIRST_SHARE = 8192, 0.1
"""The first games show the unit of the game's own evaluation, until this many positions were
played or this share of the training is done."""
_BATCH = 1024
_FIRST_RATE, _LATER_RATE, _LAST_RATE = 0.004, 0.0005, 0.0002
"""The rate at the beginning, that of a network which has learned before, and that at the end."""
_SHRINKAGE = 75.0
"""The shrinkage after one game if the step is 1; measured in chess."""
_STEP, _LEAST_STEP, _MOST_STEP = 0.1, 0.0001, 0.05
"""The step (see `own_step`) of games without an evaluation, and the limits of a measured one."""
_STEP_FOR_MANY = 0.25
"""The factor of the step with more than two players; measured in Splut! for four."""
_SEEDS = 1 << 32
_GAMES_WITHOUT_CHOICE = 64
"""The number of games without a choice after which training ends."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is learned.

    Attributes:
        seconds: The time to train; None: no limit.
        games: The number of games to play; None: no limit.
        threads: The number of games that are played at the same time.
        hidden: The number of hidden units; 0 for a linear network.
        patterns: Whether the network sees what stands together on lines of squares.
        seed: The seed of all random choices, 0 to 2^32 - 1.
        memory: Memory for the newest positions, in bytes.
        reuse: How often each position is learned, on average.
        decay: The weight of what follows a position when it is valued, from 0 to 1.
        selfplay: How games are played.
    """

    seconds: float | None = None
    games: int | None = None
    threads: int = 1
    hidden: int = 32
    patterns: bool = True
    seed: int = 1
    memory: int = 64 << 20
    reuse: int = 8
    decay: float = 0.8
    selfplay: SelfPlaySettings = field(default_factory=SelfPlaySettings)

    def __post_init__(self) -> None:
        """Check the limits."""
        if self.seconds is not None and self.seconds <= 0:
            raise ValueError(f"the time to train must be positive, not {self.seconds}")
        if self.games is not None and self.games < 1:
            raise ValueError(f"the number of games must be at least 1, not {self.games}")

    def share(self, seconds: float, games: int) -> float:
        """Return which share of the training is done, from 0 to 1."""
        by_time = 0.0 if self.seconds is None else seconds / self.seconds
        by_games = 0.0 if self.games is None else games / self.games
        return min(max(by_time, by_games), 1.0)


@dataclass(frozen=True)
class Progress:
    """What training has done.

    Attributes:
        seconds: The time since the start.
        games: The number of games played.
        positions: The number of their positions that were learned; 0 while the first games are
            played.
        loss: The mean loss in the last round: the cross entropy of the network's expected scores
            and those of the games and searches.
        share: Which share of the training is done, from 0 to 1.
        network: The network as it is now.
    """

    seconds: float
    games: int
    positions: int
    loss: float
    share: float
    network: GameNetwork


def train(
    game: Game,
    settings: TrainingSettings,
    *,
    start: GameNetwork | None = None,
    report: Callable[[Progress], None] = lambda _progress: None,
) -> GameNetwork:
    """Learn a network by self-play, and return it.

    Args:
        game: The game.
        settings: How the network is learned; without limits `report` ends the training by raising
            an exception.
        start: The network to begin with; None for a new one.
        report: Called after each round.

    Raises:
        ForthVMError: The script fails.
        ValueError: The game gives nothing to learn, or has too many features.
    """
    training = _Training(game, settings, start)
    while training.share < 1:
        training.play_round()
        training.learn()
        begun = time.monotonic()
        report(training.progress())
        training.paused += time.monotonic() - begun
    return training.network


class _Training:
    def __init__(self, game: Game, settings: TrainingSettings, start: GameNetwork | None) -> None:
        if start is None:
            inputs = choose_inputs(game, patterns=settings.patterns)
            self.network = _new_network(game, inputs, settings.hidden)
        else:
            start.check_game(game)
            self.network = start
        self._settings = settings
        self._maps = feature_maps(game, self.network.network.inputs)
        self._games = [game, *(game.clone() for _ in range(settings.threads - 1))]
        self._trainer: Trainer  # from the first positions on
        self._is_new = start is None
        self._begun = time.monotonic()
        self.paused = 0.0  # seconds that are not training
        self._before = dict(self.network.learned)
        self._first = _count(self.network.learned, "games")  # number of the first game
        self._next = self._first
        self._played = 0
        self._searched = 0  # positions in the games
        self._positions = 0
        self._new_positions = 0
        self._round_share = 0.0  # at the beginning of the round
        self._loss = 0.0
        self._waiting: list[PlayedGame] = []  # games whose positions are not added yet
        self._unit = float(self.network.network.weights.unit)  # of their scores
        self._step = 0.0  # 0 until there are enough games

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun - self.paused

    @property
    def share(self) -> float:
        return self._settings.share(self.seconds, self._played)

    def progress(self) -> Progress:
        return Progress(
            self.seconds, self._played, self._positions, self._loss, self.share, self.network
        )

    # --- playing ---------------------------------------------------------------------------

    def _round_games(self) -> int:
        """Return the number of games of the next round."""
        mean = self._searched / self._played if self._played else _ROUND_POSITIONS / 2
        count = max(round(_ROUND_POSITIONS / max(mean, 1.0)), 1)
        if self._settings.games is None:
            return count
        share = 1.0 if self._step else _FIRST_SHARE
        return max(min(count, math.ceil(share * self._settings.games) - self._played), 1)

    def play_round(self) -> None:
        """Play games, and add their positions in the order of the games.

        The first ones are added when there are enough games for what they show.
        """
        self._round_share = self.share
        self._new_positions = 0
        self._waiting += self._play_games()
        if self._searched == 0 and (self._played >= _GAMES_WITHOUT_CHOICE or self.share >= 1):
            raise ValueError(
                f"in {self._played} games of {self.network.game} no player had a choice: there is"
                " nothing to learn"
            )
        if not self._step:
            if self._searched < _FIRST_POSITIONS and self.share < _FIRST_SHARE:
                return
            self._begin()
        decay = self._settings.decay
        for p in (p for game in self._waiting for p in game.values(self._unit, decay)):
            self._trainer.add(p.board, p.turn, p.view, p.own, p.score)
            self._new_positions += 1
        self._positions += self._new_positions
        self._waiting = []

    def _play_games(self) -> list[PlayedGame]:
        """Return the games of the next round, in the order of their numbers."""
        numbers = range(self._next, self._next + self._round_games())
        self._next = numbers.stop
        found: dict[int, PlayedGame] = {}
        inputs, settings = self.network.network.inputs, self._settings.selfplay
        # the first games are those of the game's own evaluation
        network = None if self._is_new and not self._step else self.network.network
        searches = [ShallowSearch(game, network, settings.nodes) for game in self._games]
        threads = len(searches)

        def play(thread: int) -> None:
            game, search = self._games[thread], searches[thread]
            for number in numbers[thread::threads]:
                if search.is_ended or (found and self.share >= 1):
                    return
                seed = (self._settings.seed * 1_000_003 + number) % _SEEDS
                found[number] = play_game(game, search, inputs, settings, seed)

        with ThreadPoolExecutor(threads, "forthvm train") as pool:
            try:
                for _ in pool.map(play, range(threads)):
                    pass
            except BaseException:  # such as Ctrl-C
                for search in searches:
                    search.is_ended = True
                raise
        self._played += len(found)
        self._searched += sum(len(game.positions) for game in found.values())
        return [game for _, game in sorted(found.items())]

    def _begin(self) -> None:
        """Begin with the game's own evaluation, if it has one, as the first games show it."""
        weights = self.network.network.weights
        if self._is_new:
            self._unit, bias = fitted_unit(self._waiting)
            if self._games[0]._loaded.evaluates and self._unit < MAX_UNIT:
                own = max(round(NETWORK_UNIT / self._unit), 1)
                unit = max(round(own * self._unit), 1)
                weights = replace(weights, own=own, unit=unit, bias=round(bias * NETWORK_UNIT))
            network = Network(self.network.network.inputs, weights)
            self.network = replace(self.network, network=network)
        self._step = _STEP
        if weights.own:
            usual = own_step(self._waiting, weights.unit / weights.own)
            self._step = min(max(usual, _LEAST_STEP), _MOST_STEP)
            if self.network.network.inputs.views > 2:
                self._step *= _STEP_FOR_MANY
        settings = self._settings
        self._trainer = Trainer(
            self.network.network, self._maps, size=settings.memory, seed=settings.seed
        )

    # --- learning --------------------------------------------------------------------------

    def learn(self) -> None:
        """Learn from the positions so far."""
        if not self._new_positions:
            return
        settings, trainer = self._settings, self._trainer
        batches = max(self._new_positions * settings.reuse // _BATCH, 1)
        first = _FIRST_RATE
        if self._first:  # few positions must not replace what was learned before
            first = _LATER_RATE * min(trainer.positions / _FIRST_POSITIONS, 1.0)
        rate = first + (_LAST_RATE - first) * self._round_share
        self._loss = trainer.run(batches, size=_BATCH, rate=rate, shrinkage=self._shrinkage())
        learned: dict[str, object] = {
            "games": self._first + self._played,
            "positions": _count(self._before, "positions") + self._positions,
            "seconds": _count(self._before, "seconds") + round(self.seconds),
            "seed": settings.seed,
            "nodes": settings.selfplay.nodes,
        }
        old = self.network
        self.network = GameNetwork(old.game, old.fingerprint, trainer.network(), learned)
        self._unit = float(self.network.network.weights.unit)

    def _shrinkage(self) -> float:
        """Return how much weights shrink: less with more games.

        A few games tell little about each place of each piece, and chance in their results would
        hide the small differences that the game's own evaluation knows.  The shrinkage is that of a
        normal prior of the weights, with mean 0 and the step as standard deviation: it is
        proportional to 1 / step^2, and to 1 / games, since the loss is a mean over the games.  A
        game tells about the places of all symmetries.
        """
        games = (self._first + self._played) * len(self._maps)
        return _SHRINKAGE / (max(games, 1) * self._step**2)


def _new_network(game: Game, inputs: NetworkInputs, hidden: int) -> GameNetwork:
    """Return a network without knowledge, with as many hidden units as a file can have.

    Raises:
        ValueError: The game has too many inputs.
    """

    def with_hidden(hidden: int) -> GameNetwork:
        network = Network(inputs, NetworkWeights.zero(inputs, hidden))
        return GameNetwork(game.name, fingerprint(game), network, {})

    rest = MAX_BYTES - _RESERVED_BYTES - len(with_hidden(0).data())
    if rest < 0:
        raise ValueError(f"a network for {game.name} would be larger than {MAX_BYTES} bytes")
    unit = 2 * (inputs.features + 2)  # for each feature, the bias and the output
    return with_hidden(min(hidden, rest // unit))


def _count(learned: Mapping[str, object], name: str) -> int:
    """Return a number of what a network has learned before; 0 if it is missing."""
    value = learned.get(name)
    return value if isinstance(value, int) and 0 <= value < 2**31 else 0
