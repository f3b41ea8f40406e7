r"""Learns to play a board game from self-play, as AlphaZero does, on a CPU or a GPU.

    pip install 'forthvm[torch]'
    cd examples
    python alphazero.py train breakthrough-6x6.4th --folder runs/breakthrough --minutes 30
    python alphazero.py strength runs/breakthrough
    forthvm autoplay breakthrough-6x6.4th -n 200 --engine mcts:playouts=100 \
        --engine net=alphazero_engine:NetworkEngine:file=runs/breakthrough/network.pt,playouts=100

Each iteration plays games whose tree searches (`SelfPlay`) are guided by the network, and then
trains the network to predict the visits of the searches and the results of the games.  An
interrupted training continues with the last complete iteration when `train` is called again, and
ends with the same weights as an uninterrupted one.  The game must have two players, a rectangular
board, and no dice or hidden pieces.  docs/guides/learning.md explains the program.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from alphazero_engine import Encoder, Evaluator, Network, device
from torch.nn import functional

import forthvm
from forthvm.autoplay import Configuration, Entrant, Match, Settings, summarise_store
from forthvm.engines import PlayedGame, SelfPlay
from forthvm.render.chart_svg import Panel, chart_svg


@dataclass(frozen=True)
class Options:
    """The numbers of a training; its folder contains them."""

    game: str
    seed: int = 1
    blocks: int = 4
    channels: int = 32
    games: int = 256
    """Number of games in an iteration."""
    batch: int = 64
    """Number of games that a worker plays at the same time."""
    workers: int = 2
    """Number of processes that play games."""
    playouts: int = 40
    """Number of evaluated positions before a move is played."""
    sampled_plies: int = 12
    """The number of moves that are drawn in proportion to visits; later moves are the best."""
    noise: float = 0.25
    """Weight of random numbers in the priors of a root, so that all moves are tried."""
    concentration: float = 0.6
    """Parameter of the Dirichlet distribution of these random numbers."""
    window: int = 16
    """Training draws positions from the games of this number of iterations."""
    reuse: float = 3.0
    """Number of positions in training steps for each new position."""
    samples: int = 256
    """Number of positions in a training step."""
    rate: float = 2e-3
    decay: float = 1e-4
    mirror: bool = True
    """Whether games may also be learned with the columns of the board reversed."""
    max_plies: int = 400
    precision: str = "float32"
    """The numbers of inference: bfloat16 is faster on a GPU, and on a processor with AMX."""


# --- self-play -------------------------------------------------------------------------------


@dataclass
class Samples:
    """Positions to learn from, in the view of the player to move."""

    planes: np.ndarray
    policies: np.ndarray
    """For each position, the share of the visits that each action received."""
    results: np.ndarray
    """The reward of the player to move at the end of the game."""

    @classmethod
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """Returns the samples of all parts, in this order."""
        columns = zip(*((each.planes, each.policies, each.results) for each in parts), strict=True)
        return cls(*map(np.concatenate, columns))

    @classmethod
    def of_games(cls, encoder: Encoder, played: Sequence[PlayedGame]) -> Samples:
        """Returns a sample for each move of finished games."""
        boards, movers, policies, results = [], [], [], []
        for each in sorted(played, key=lambda one: one.number):
            returns = [0.0, 0.0] if each.outcome is None else each.outcome.returns()
            for board, mover, visits, actions in zip(
                each.boards, each.movers, each.visits, each.actions, strict=True
            ):
                if not sum(visits):
                    continue
                policy = np.zeros(encoder.actions.shape[1], dtype=np.float16)
                numbers = np.array(actions)
                known = numbers >= 0  # a move without a number has few visits
                images = encoder.actions[mover - 1, numbers[known]]
                np.add.at(policy, images, np.array(visits)[known] / sum(visits))
                boards.append(board)
                movers.append(mover - 1)
                policies.append(policy)
                results.append((1 + returns[mover - 1]) / 2)
        planes = encoder.encode(np.array(boards), np.array(movers))
        return cls(planes, np.stack(policies), np.array(results, dtype=np.float32))


def play_games(
    options: Options, actions: str, weights: bytes, iteration: int, worker: int
) -> tuple[Samples, tuple[int, float]]:
    """Plays a worker's games of an iteration.

    Returns:
        The samples; the number of the process and the processor time that it has used so far.
    """
    torch.set_num_threads(1)
    game = forthvm.load(options.game)
    game.actions.use_json(actions)
    encoder = Encoder(game)
    network = Network(encoder, options.blocks, options.channels)
    network.load_state_dict(torch.load(io.BytesIO(weights), weights_only=True))
    evaluate = Evaluator(encoder, network, options.precision)
    number = iteration * options.workers + worker
    random = np.random.default_rng([options.seed, number])
    play = SelfPlay(
        game,
        batch=options.batch,
        games=-(-options.games // options.workers),
        playouts=options.playouts,
        sampled_plies=options.sampled_plies,
        seed=(options.seed << 20) + number,
        max_plies=options.max_plies,
        threads=1,  # the other workers use the other processors
    )
    while (leaves := play.leaves()) is not None:
        play.submit(*evaluate(leaves, options.noise, options.concentration, random))
    return Samples.of_games(encoder, play.finished), (os.getpid(), time.process_time())


# --- training --------------------------------------------------------------------------------


class Training:
    """A training and its folder.

    The folder contains `options.json`, `actions.json`, `checkpoint.pt` after the last iteration, a
    file of samples of each iteration in the window, and networks for engines: the last one in
    `network.pt`, earlier ones in `network-0010.pt` and so on.
    """

    def __init__(self, options: Options, folder: Path) -> None:
        """Creates the folder, or continues the training in it."""
        torch.set_num_threads(1)  # for such small networks more threads mostly wait for each other
        self.options, self.folder = options, folder
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(options.seed)
        actions = folder / "actions.json"
        given = folder / "options.json"
        text = json.dumps(asdict(options), indent=1) + "\n"
        if given.exists() and given.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{given} has other options: use another folder")
        given.write_text(text, encoding="utf-8")
        self.game = forthvm.load(options.game)
        if actions.exists():
            self.game.actions.load(actions)
        else:
            self.game.actions.save(actions)
        self.encoder = Encoder(self.game)
        self.device = device()
        self.network = Network(self.encoder, options.blocks, options.channels).to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=options.rate, weight_decay=options.decay
        )
        self.iteration = 0
        self.earlier_seconds = 0.0
        """Processor time of earlier calls of `train`."""
        self.workers_seconds: dict[int, float] = {}
        if (folder / "checkpoint.pt").exists():
            self._restore()

    @property
    def cpu_minutes(self) -> float:
        """Processor time of all processes and threads, in minutes."""
        seconds = self.earlier_seconds + time.process_time() + sum(self.workers_seconds.values())
        return seconds / 60

    def iterate(self, pool: Executor) -> dict[str, float]:
        """Plays games, trains the network, and saves both; returns figures of the iteration."""
        buffer = io.BytesIO()
        torch.save({name: each.cpu() for name, each in self.network.state_dict().items()}, buffer)
        tasks = [
            pool.submit(
                play_games,
                self.options,
                self.game.actions.to_json(),
                buffer.getvalue(),
                self.iteration,
                worker,
            )
            for worker in range(self.options.workers)
        ]
        parts = []
        for task in tasks:
            samples, (process, seconds) = task.result()
            parts.append(samples)
            self.workers_seconds[process] = seconds
        new = Samples.joined(parts)
        np.savez(self._samples_path(self.iteration), **vars(new))
        losses = self._train(len(new.results))
        self.iteration += 1
        self._save()
        return {"positions": len(new.results), **losses}

    def _train(self, new: int) -> dict[str, float]:
        """Trains with samples of the window, in proportion to the number of new samples."""
        first = max(0, self.iteration + 1 - self.options.window)
        data = Samples.joined([self._samples(at) for at in range(first, self.iteration + 1)])
        random = np.random.default_rng([self.options.seed, self.iteration, 1])
        steps = max(1, round(self.options.reuse * new / self.options.samples))
        self.network.train()
        sums = np.zeros(2)
        for _ in range(steps):
            chosen = random.integers(len(data.results), size=self.options.samples)
            planes, policies = data.planes[chosen], data.policies[chosen]
            if self.options.mirror and self.encoder.mirrored is not None:
                half = random.random(len(chosen)) < 0.5
                planes[half] = planes[half, :, :, ::-1]
                policies[half] = policies[half][:, self.encoder.mirrored]
            sums += self._step(planes, policies, data.results[chosen])
        policy, value = sums / steps
        return {"policy loss": policy, "value loss": value}

    def _step(self, planes: np.ndarray, policies: np.ndarray, results: np.ndarray) -> np.ndarray:
        """Makes a training step; returns the losses of policy and value."""
        to_device = lambda each: torch.from_numpy(each).to(self.device).float()  # noqa: E731
        logits, value = self.network(to_device(planes))
        policy_loss = functional.cross_entropy(logits, to_device(policies))
        value_loss = functional.binary_cross_entropy_with_logits(value, to_device(results))
        self.optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        self.optimizer.step()
        return np.array([policy_loss.item(), value_loss.item()])

    # --- files ---

    def _samples(self, iteration: int) -> Samples:
        with np.load(self._samples_path(iteration)) as columns:
            return Samples(**columns)

    def _samples_path(self, iteration: int) -> Path:
        return self.folder / f"samples-{iteration:04}.npz"

    def _save(self) -> None:
        """Saves a checkpoint and a network for engines; removes samples that are not needed."""
        network = {
            "game": self.game.name,
            "actions": self.game.actions.to_json(),
            "blocks": self.options.blocks,
            "channels": self.options.channels,
            "weights": self.network.state_dict(),
            "iteration": self.iteration,
            "cpu minutes": self.cpu_minutes,
        }
        _write(network, self.folder / "network.pt")
        if self.iteration % 10 == 0 or self.iteration in {1, 2, 5}:
            _write(network, self.folder / f"network-{self.iteration:04}.pt")
        state = {"network": network, "optimizer": self.optimizer.state_dict()}
        _write(state, self.folder / "checkpoint.pt")
        self._samples_path(self.iteration - self.options.window).unlink(missing_ok=True)

    def _restore(self) -> None:
        state = torch.load(self.folder / "checkpoint.pt", map_location="cpu", weights_only=True)
        self.network.load_state_dict(state["network"]["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.iteration = state["network"]["iteration"]
        self.earlier_seconds = 60 * state["network"]["cpu minutes"]


def _write(state: dict[str, object], path: Path) -> None:
    """Writes a file as a whole: an interruption leaves the old file."""
    new = path.with_suffix(".new")
    torch.save(state, new)
    new.replace(path)


def train(options: Options, folder: Path, *, minutes: float, iterations: int | None) -> Training:
    """Trains until the processor time or the number of iterations is used up."""
    training = Training(options, folder)
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        while training.cpu_minutes < minutes and training.iteration != iterations:
            figures = training.iterate(pool)
            text = ", ".join(f"{name} {figure:.4g}" for name, figure in figures.items())
            spent = f"{training.cpu_minutes:.1f} of {minutes:g} CPU minutes"
            print(f"iteration {training.iteration} ({spent}): {text}", flush=True)
    return training


# --- strength --------------------------------------------------------------------------------


def strength(  # noqa: PLR0913 - the command's options
    folder: Path, *, opponent: str, games: int, playouts: int, jobs: int = 1, last: bool = False
) -> list[tuple[float, float, float, float]]:
    """Plays matches of the saved networks against an engine, and draws their scores.

    Each match has a results file for `forthvm report`.  An interrupted match continues.

    Returns:
        For each network the minutes of training, the mean score, and the ends of its interval.
    """
    options = json.loads((folder / "options.json").read_text(encoding="utf-8"))
    networks = [folder / "network.pt"] if last else sorted(folder.glob("network-*.pt"))
    rows = []
    for path in networks:
        trained = torch.load(path, map_location="cpu", weights_only=True)
        spec = f"alphazero_engine:NetworkEngine:file={path.resolve()},playouts={playouts}"
        settings = Settings(
            configurations=(Configuration(name=trained["game"], game=options["game"]),),
            entrants=(Entrant(name="network", spec=spec), Entrant(name="opponent", spec=opponent)),
            games=games,
            opening_plies=2,
        )
        results = folder / f"{path.stem}-{trained['iteration']}-games-{games}.db"
        resumed = results.exists()
        opened = (
            Match.resume(results, confirm=lambda *_: True)
            if resumed
            else Match.create(settings, results)
        )
        with opened as match:
            match.run(jobs=jobs)
            standing = summarise_store(match.store.match(), match.store.games()).standings
        (own,) = (each for each in standing if each.name == "network")
        low, high = own.interval.low, own.interval.high
        rows.append((trained["cpu minutes"], own.points / own.played, low, high))
        print(
            f"{path.name}: {trained['cpu minutes']:.1f} CPU minutes, iteration "
            f"{trained['iteration']}: score {100 * rows[-1][1]:.1f} % "
            f"({100 * low:.1f} to {100 * high:.1f}) of {own.played} games against {opponent}",
            flush=True,
        )
    rows.sort()
    _draw(rows, folder / "strength.svg", f"score against {opponent}, percent")
    return rows


def _draw(rows: Sequence[tuple[float, float, float, float]], path: Path, title: str) -> None:
    """Draws scores with their intervals."""
    minutes, *scores = zip(*rows, strict=True)
    mean, low, high = ([100 * score for score in each] for each in scores)
    panel = Panel(
        title=title,
        numbers=[round(each) for each in minutes],
        series={"network": mean},
        bands={"network": (low, high)},
        maximum=100,
    )
    chart = chart_svg([panel], title=title, number_label="minutes of processor time")
    path.write_text(chart, encoding="utf-8")


# --- the command line ------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description="Learn a game from self-play, as AlphaZero does.")
    commands = parser.add_subparsers(dest="command", required=True)
    trainer = commands.add_parser("train", help="train a network, or continue a training")
    trainer.add_argument("game", help="a bundled game or a script")
    trainer.add_argument("--folder", type=Path, required=True)
    trainer.add_argument("--minutes", type=float, default=30, help="of processor time")
    trainer.add_argument("--iterations", type=int)
    for field in fields(Options):
        if field.name == "mirror":
            trainer.add_argument("--no-mirror", dest="mirror", action="store_false")
        elif field.name != "game":
            kind = type(field.default)
            trainer.add_argument(
                f"--{field.name.replace('_', '-')}", type=kind, default=field.default
            )
    tester = commands.add_parser("strength", help="measure the saved networks")
    tester.add_argument("folder", type=Path)
    tester.add_argument("--opponent", default="mcts:playouts=100")
    tester.add_argument("--games", type=int, default=40)
    tester.add_argument("--playouts", type=int, default=100)
    tester.add_argument("--jobs", type=int, default=1)
    tester.add_argument("--last", action="store_true", help="only network.pt")
    given = vars(parser.parse_args(arguments))
    if given.pop("command") == "strength":
        strength(given.pop("folder"), **given)
    else:
        folder, minutes = given.pop("folder"), given.pop("minutes")
        iterations = given.pop("iterations")
        train(Options(**given), folder, minutes=minutes, iterations=iterations)


if __name__ == "__main__":
    main()
