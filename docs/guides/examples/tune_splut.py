"""Learns what to count in Splut!, and how much: weights for its evaluation, by self-play.

    python tune_splut.py --rounds 2 --games 100 --seed 1
    forthvm run splut-duel --auto --engine South=negamax:nodes=500,evaluator=tune_splut:evaluate

Texel's method: play games; ask of the positions in them how well the weights foretell who won;
change the weights until they do it best.  Then play again with the new weights.  The first
round's games are at random; the others are tree searches (`SelfPlay`) whose leaves are judged
here with numpy, all of a step at once.  The same numbers and seed give the same weights.
"""

from __future__ import annotations

import argparse
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from splut_engine import FEATURES, STONES, features

import forthvm
from forthvm.engines.evaluator import EvaluationView
from forthvm.engines.selfplay import NUMBERS, SelfPlay
from forthvm.game import Game

TYPE_BITS = 0x03FF
OWNER_BITS = 0xFC00
"""What a board cell says of a piece, as #PieceType and #Player in scripts."""

SPACE = 256
"""Room for the moves of any position."""
MOST_PLIES = 600
"""A game that is not over by then is forgotten."""
LAST = 60
"""Moves before the end of a game that are learned from."""
FADING = 0.95
"""How much of a result is due to the position a move earlier, as in TD(lambda)."""
SCALE = 1000
"""Points of an evaluator's answer for 1 in the weights: odds of e to 1."""
UNITS = np.array([1, 1, 1, 1, 1, 1, 10, 10], dtype=float)
"""Counts are divided by these, so that all of them are about as large."""
WEIGHTS = Path(__file__).with_name("splut_weights.json")


# --- positions as numbers --------------------------------------------------------------------


class Counter:
    """Counts FEATURES for many boards at once."""

    def __init__(self, game: Game) -> None:
        """Works out which squares are in line, and how far apart."""
        number = {kind.name: kind.number for kind in game.piece_types}
        self._types = [number[name] for name in ("wizard", "dwarf", "troll")]
        self._stones = [number[name] for name in STONES]
        self._owners = np.array([0] + [player.cell for player in game.player_details])
        row, column = np.divmod(np.arange(game.rows * game.columns), game.columns)
        rows = np.abs(row[:, None] - row)
        columns = np.abs(column[:, None] - column)
        self._in_line = ((rows == 0) | (columns == 0)).astype(np.float32)
        self._apart = (rows + columns).astype(np.float32)

    def __call__(self, boards: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """A row of counts for each board, as the player of that number sees it."""
        grid = boards[:, : len(self._apart)]
        types = grid & TYPE_BITS
        mine = (grid & OWNER_BITS) == self._owners[movers][:, None]
        stones = np.isin(types, self._stones).astype(np.float32)
        lines, ways = stones @ self._in_line, stones @ self._apart
        wizards, dwarfs, trolls = (types == each for each in self._types)
        counts = [
            np.where(piece & side, weight, 0).sum(axis=1)
            for piece, weight in ((wizards, 1), (dwarfs, 1), (wizards, lines), (trolls, ways))
            for side in (mine, ~mine)
        ]
        return np.stack(counts, axis=1) / UNITS


@dataclass
class Model:
    """Weights, and a bias for there being more players than two: the odds that who looks wins."""

    weights: np.ndarray
    bias: float = 0.0

    def chances(self, counts: np.ndarray) -> np.ndarray:
        """How likely a win is, for each row of counts."""
        return 1 / (1 + np.exp(-np.clip(counts @ self.weights + self.bias, -30, 30)))

    def loss(self, counts: np.ndarray, won: np.ndarray) -> float:
        """How far the chances are from what came, squared, on the average."""
        return float(np.mean((self.chances(counts) - won) ** 2))


# --- games -----------------------------------------------------------------------------------


@dataclass
class Finished:
    """A game that somebody won."""

    number: int
    boards: list[tuple[int, ...]]
    """The last ones, in order."""
    winners: tuple[str, ...]


def games_at_random(game: Game, games: int, random: np.random.Generator) -> list[Finished]:
    """For the first round, when nothing is known yet: any move is as good."""
    finished = []
    for number in range(games):
        position = game.start()
        boards = deque([position.cells], maxlen=LAST)
        while position.result is None and position.ply < MOST_PLIES:
            moves = position.legal_moves
            position.push(moves[int(random.integers(len(moves)))])
            boards.append(position.cells)
        if position.result is not None and not position.result.draw:
            finished.append(Finished(number, list(boards), position.result.winners))
    return finished


def games_with_search(  # noqa: PLR0913 - the numbers of a round
    game: Game,
    model: Model,
    games: int,
    random: np.random.Generator,
    *,
    batch: int,
    playouts: int,
) -> list[Finished]:
    """Games against oneself, the leaves judged by a model."""
    count = Counter(game)
    numbers = contestants(game)
    play = SelfPlay(
        game,
        batch=batch,
        games=games,
        space=SPACE,
        playouts=playouts,
        most_plies=MOST_PLIES,
        warm_plies=MOST_PLIES,  # every move is drawn by its visits: many kinds of positions
    )
    while (leaves := play.leaves()) is not None:
        boards = np.asarray(leaves.boards).reshape(-1, play.cells)
        movers = np.array(leaves.movers)
        chances = model.chances(count(boards, movers))
        rewards = np.zeros((len(boards), NUMBERS), dtype=np.float32)
        rewards[:, numbers] = ((1 - chances) / (len(numbers) - 1))[:, None]
        rewards[np.arange(len(boards)), movers] = chances
        # No model of good moves: any is as likely, but for chance, which makes games differ.
        priors = random.random((len(boards), SPACE), dtype=np.float32) / SPACE
        play.submit(rewards, priors)
    return [
        Finished(played.number, list(played.boards[-LAST:]), played.outcome.winners)
        for played in sorted(play.finished, key=lambda each: each.number)
        if played.outcome is not None and not played.outcome.draw
    ]


def contestants(game: Game) -> list[int]:
    """Numbers of those who can win."""
    return [player.number for player in game.player_details if player.name in game.contestants]


@dataclass
class Sample:
    """What can be learned from: counts, and how much of a win is due to who looks."""

    counts: np.ndarray
    won: np.ndarray
    games: np.ndarray
    """Which game each is from: those of one game stay on one side of the split."""


def sample_of(game: Game, finished: list[Finished]) -> Sample:
    """The last positions of games, as each player sees them: a search may ask for any of them."""
    if not finished:
        raise SystemExit("no game was decided: play more of them")
    count, numbers = Counter(game), contestants(game)
    rows, won, games = [], [], []
    for each in finished:
        boards = np.array(each.boards)
        known = FADING ** np.arange(len(boards))[::-1]
        for number in numbers:
            result = float(game.players[number - 1] in each.winners)
            rows.append(count(boards, np.full(len(boards), number)))
            won.append(known * result + (1 - known) / len(numbers))
            games.append(np.full(len(boards), each.number))
    return Sample(np.concatenate(rows), np.concatenate(won), np.concatenate(games))


# --- learning --------------------------------------------------------------------------------


def fit(counts: np.ndarray, won: np.ndarray, *, keep_small: float = 1e-4, steps: int = 30) -> Model:
    """The weights that foretell best who won: Newton's method.

    `keep_small` is what a weight's square costs; without it a weight of which the games say
    nothing could be anything.
    """
    rows = np.hstack([counts, np.ones((len(counts), 1))])
    found = np.zeros(rows.shape[1])
    for _ in range(steps):
        chances = Model(found[:-1], found[-1]).chances(counts)
        slope = rows.T @ (chances - won) / len(rows) + keep_small * found
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows / len(rows)
        step = np.linalg.solve(bend + keep_small * np.eye(len(found)), slope)
        found -= step
        if np.abs(step).max() < 1e-9:  # noqa: PLR2004 - nothing left to learn
            break
    return Model(found[:-1], float(found[-1]))


def split(sample: Sample, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Which positions to learn from, and which to hold out: a quarter of the games."""
    games = random.permutation(np.unique(sample.games))
    held_out = np.isin(sample.games, games[: max(len(games) // 4, 1)])
    return ~held_out, held_out


def tune(  # noqa: PLR0913 - the command's options
    game: Game,
    *,
    rounds: int = 2,
    games: int = 100,
    batch: int = 50,
    playouts: int = 8,
    seed: int = 1,
) -> tuple[Model, list[dict[str, float]]]:
    """The weights after some rounds, and what each round came to."""
    random = np.random.default_rng(seed)
    model = Model(np.zeros(len(FEATURES)))
    learned: list[tuple[np.ndarray, np.ndarray]] = []
    record = []
    for number in range(rounds):
        if number == 0:
            finished = games_at_random(game, games, random)
        else:
            finished = games_with_search(game, model, games, random, batch=batch, playouts=playouts)
        sample = sample_of(game, finished)
        known, held_out = split(sample, random)
        unseen = sample.counts[held_out], sample.won[held_out]
        before = model.loss(*unseen)
        learned.append((sample.counts[known], sample.won[known]))  # of all rounds so far
        counts, won = (np.concatenate(each) for each in zip(*learned, strict=True))
        model = fit(counts, won)
        record.append(
            {
                "games": len(finished),
                "positions": len(sample.won),
                "loss before": round(before, 4),
                "loss after": round(model.loss(*unseen), 4),
            }
        )
    return model, record


# --- weights as a file, and as an evaluator --------------------------------------------------


def write(model: Model, path: Path, told: dict[str, object]) -> None:
    """Points for one of each feature, and how they were found."""
    points = [*np.rint(SCALE * model.weights / UNITS).astype(int), round(SCALE * model.bias)]
    weights = dict(zip([*FEATURES, "bias"], (int(each) for each in points), strict=True))
    path.write_text(json.dumps({"weights": weights, **told}, indent=1) + "\n", encoding="utf-8")


def evaluator(path: Path) -> Callable[[EvaluationView], int]:
    """A function for a native search, from a file of weights.

    It needs no numpy: for one board at a time plain Python is faster.
    """
    weights = json.loads(path.read_text(encoding="utf-8"))["weights"]
    points = [weights[name] for name in FEATURES]
    bias = weights["bias"]

    def judge(view: EvaluationView) -> int:
        counts = features(view.game, view.cells, view.turn)
        return bias + sum(map(int.__mul__, counts, points))

    return judge


@cache
def _default() -> Callable[[EvaluationView], int]:
    return evaluator(WEIGHTS)


def evaluate(view: EvaluationView) -> int:
    """The evaluator of `splut_weights.json` beside this file."""
    return _default()(view)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Learn weights for Splut!'s evaluation.")
    parser.add_argument("--game", default="splut-duel")
    for name, value in (("rounds", 2), ("games", 100), ("batch", 50), ("playouts", 8)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    given = vars(parser.parse_args(arguments))
    output = given.pop("output")
    model, record = tune(
        forthvm.load(given["game"]), **{k: v for k, v in given.items() if k != "game"}
    )
    write(model, output, {"found by": given, "rounds": record})
    print(output.read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
