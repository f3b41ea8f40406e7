"""Training: rounds of self-play, after each of which a network learns from the positions.

Owns the rounds.  A round's games depend only on the seed, the numbers of the games and the network
before the round, and are learned in the order of their numbers.  So training with a limit of games
has the same result with any number of threads.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.bindings import Network, NetworkWeights, Trainer
from forthvm.engines import get
from forthvm.engines.network import GameNetwork, fingerprint

from .inputs import choose_inputs
from .selfplay import SelfPlaySettings, play_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.game import Game

    from .selfplay import Sample

__all__ = ["Progress", "TrainingSettings", "train"]

_MAX_WEIGHT_BYTES = 3 << 20
"""Files have at most 4 MB, with tables and weights."""
_ROUND_POSITIONS = 2048
"""About as many positions are played in a round."""
_BATCH = 1024
_FIRST_RATE, _LAST_RATE = 0.002, 0.0002
_TABLE_MEGABYTES = 2
_SEEDS = 1 << 32
_GAMES_WITHOUT_POSITIONS = 64
"""After so many games without a choice training ends."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is learned.

    Attributes:
        seconds: The time to train; None: no limit.
        games: The number of games to play; None: no limit.
        threads: The number of games that are played at the same time.
        hidden: The number of hidden units; 0 for a linear network.
        seed: The seed of all random choices, 0 to 2^32 - 1.
        memory: Memory for the newest positions, in bytes.
        reuse: How often each position is learned, on average.
        selfplay: How games are played.
    """

    seconds: float | None = None
    games: int | None = None
    threads: int = 1
    hidden: int = 32
    seed: int = 1
    memory: int = 192 << 20
    reuse: int = 16
    selfplay: SelfPlaySettings = field(default_factory=SelfPlaySettings)

    def share(self, seconds: float, games: int) -> float:
        """Return which share of the training is done, from 0 to 1."""
        by_time = seconds / self.seconds if self.seconds else 0.0
        by_games = games / self.games if self.games else 0.0
        return min(max(by_time, by_games), 1.0)


@dataclass(frozen=True)
class Progress:
    """What training has done.

    Attributes:
        seconds: The time since the start.
        games: The number of games played.
        positions: The number of positions in them.
        loss: The mean loss in the last round: the cross entropy of expected and final scores.
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
        report(training.progress())
    return training.network


class _Training:
    def __init__(self, game: Game, settings: TrainingSettings, start: GameNetwork | None) -> None:
        if start is None:
            inputs = choose_inputs(game)
            hidden = min(settings.hidden, _MAX_WEIGHT_BYTES // (2 * inputs.features))
            network = Network(inputs, NetworkWeights.zero(inputs.features, hidden))
            start = GameNetwork(game.name, fingerprint(game), network, {})
        else:
            start.check_game(game)
        self.network = start
        self._settings = settings
        self._games = [game, *(game.clone() for _ in range(settings.threads - 1))]
        self._trainer = Trainer(start.network, size=settings.memory, seed=settings.seed)
        self._is_ended = False  # the threads end after their games
        self._begun = time.monotonic()
        self._played = 0
        self._positions = 0
        self._new_positions = 0
        self._round_share = 0.0  # at the beginning of the round
        self._loss = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

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
        mean = self._positions / self._played if self._played else 64.0
        count = max(round(_ROUND_POSITIONS / max(mean, 1.0)), 1)
        most = self._settings.games
        return count if most is None else min(count, most - self._played)

    def play_round(self) -> None:
        """Play games, and add their positions in the order of the games."""
        self._round_share = self.share
        numbers = range(self._played, self._played + self._round_games())
        found: dict[int, list[Sample]] = {}
        threads = len(self._games)

        def play(thread: int) -> None:
            engine = get("negamax", net=self.network, tt=_TABLE_MEGABYTES)
            for number in numbers[thread::threads]:
                if self._is_ended:
                    return
                engine.new_game()
                seed = (self._settings.seed * 1_000_003 + number) % _SEEDS
                found[number] = play_game(
                    self._games[thread],
                    engine,
                    self.network.network,
                    self._settings.selfplay,
                    seed,
                )

        with ThreadPoolExecutor(threads, "forthvm train") as pool:
            try:
                for _ in pool.map(play, range(threads)):
                    pass
            except BaseException:  # such as Ctrl-C
                self._is_ended = True
                raise
        for number in numbers:
            for sample in found[number]:
                self._trainer.add(sample.board, sample.turn, sample.view, sample.target)
        self._new_positions = sum(len(samples) for samples in found.values())
        self._positions += self._new_positions
        self._played += len(numbers)
        if self._positions == 0 and self._played >= _GAMES_WITHOUT_POSITIONS:
            raise ValueError(
                f"in {self._played} games of {self.network.game} no player had a choice: there is"
                " nothing to learn"
            )

    # --- learning --------------------------------------------------------------------------

    def learn(self) -> None:
        """Learn from the positions so far."""
        settings = self._settings
        batches = max(self._new_positions * settings.reuse // _BATCH, 1)
        rate = _FIRST_RATE + (_LAST_RATE - _FIRST_RATE) * self._round_share
        self._loss = self._trainer.run(batches, size=_BATCH, rate=rate)
        learned: dict[str, object] = {
            "games": self._played,
            "positions": self._positions,
            "seconds": round(self.seconds),
            "seed": settings.seed,
            "nodes": settings.selfplay.nodes,
        }
        old = self.network
        self.network = GameNetwork(old.game, old.fingerprint, self._trainer.network(), learned)
