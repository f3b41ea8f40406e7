"""Learns the weights of an evaluation of Splut! by self-play.

    python tune_splut.py --rounds 2 --games 100 --seed 1
    forthvm run splut-duel --auto --engine South=negamax:nodes=500,evaluator=tune_splut:evaluate

It uses Texel's method: play games, measure how well the weights predict the winners from the
positions, and change the weights until the prediction is best.  Then play again with the new
weights.  The first round plays random games; later rounds use tree searches (`SelfPlay`) whose
leaves are evaluated with numpy, all leaves of a step together.  The same options and seed give
the same weights.
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
from forthvm.engines.position_arrays import REWARDS_PER_ROW
from forthvm.engines.selfplay import SelfPlay
from forthvm.game import Game

TYPE_BITS = 0x03FF
OWNER_BITS = 0xFC00
"""The bits of a board cell for type and owner of a piece, as #PieceType and #Player in scripts."""

SPACE = 256
"""Size of the action space, at least the number of moves in any position."""
MAX_PLIES = 600
"""Longer games are discarded."""
LAST = 60
"""Number of positions at the end of a game that are used for learning."""
DISCOUNT = 0.95
"""Weight of the result one move before the end, its square two moves before, and so on; the other
part of the weight belongs to an equal result.  Compare TD(lambda)."""
SCALE = 1000
"""The evaluator's points for 1 in the logistic model, where 1 more multiplies the odds by e."""
UNITS = np.array([1, 1, 1, 1, 1, 1, 10, 10], dtype=float)
"""Counts are divided by these units, so that all of them have a similar size."""
WEIGHTS = Path(__file__).with_name("splut_weights.json")


# --- positions as numbers --------------------------------------------------------------------


class Counter:
    """Counts FEATURES on many boards together."""

    def __init__(self, game: Game) -> None:
        """Computes for each pair of squares whether they are in line, and their distance."""
        number = {kind.name: kind.number for kind in game.piece_types}
        self._types = [number[name] for name in ("wizard", "dwarf", "troll")]
        self._stones = [number[name] for name in STONES]
        self._owners = np.array([0] + [player.cell for player in game.player_details])
        row, column = np.divmod(np.arange(game.grid.rows * game.grid.columns), game.grid.columns)
        rows = np.abs(row[:, None] - row)
        columns = np.abs(column[:, None] - column)
        self._in_line = ((rows == 0) | (columns == 0)).astype(np.float32)
        self._distance = (rows + columns).astype(np.float32)

    def __call__(self, boards: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """Returns a row of counts for each board, from the view of its player in `movers`."""
        grid = boards[:, : len(self._distance)]
        types = grid & TYPE_BITS
        mine = (grid & OWNER_BITS) == self._owners[movers][:, None]
        stones = np.isin(types, self._stones).astype(np.float32)
        lines, distances = stones @ self._in_line, stones @ self._distance
        wizards, dwarfs, trolls = (types == each for each in self._types)
        counts = [
            np.where(piece & side, weight, 0).sum(axis=1)
            for piece, weight in ((wizards, 1), (dwarfs, 1), (wizards, lines), (trolls, distances))
            for side in (mine, ~mine)
        ]
        return np.stack(counts, axis=1) / UNITS


@dataclass
class Model:
    """A logistic model of winning: weights, and a bias for games with more than two players."""

    weights: np.ndarray
    bias: float = 0.0

    def chances(self, counts: np.ndarray) -> np.ndarray:
        """Returns the probability of a win for each row of counts."""
        return 1 / (1 + np.exp(-np.clip(counts @ self.weights + self.bias, -30, 30)))

    def loss(self, counts: np.ndarray, won: np.ndarray) -> float:
        """Returns the mean squared difference between probabilities and results."""
        return float(np.mean((self.chances(counts) - won) ** 2))


# --- games -----------------------------------------------------------------------------------


@dataclass
class Finished:
    """A decided game."""

    number: int
    boards: list[tuple[int, ...]]
    """The last boards, in order."""
    winners: tuple[str, ...]


def games_at_random(game: Game, games: int, random: np.random.Generator) -> list[Finished]:
    """Plays random games for the first round, in which there are no weights."""
    finished = []
    for number in range(games):
        position = game.start()
        boards = deque([position.cells], maxlen=LAST)
        while position.result is None and position.ply < MAX_PLIES:
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
    """Plays games of self-play whose leaves a model evaluates."""
    count = Counter(game)
    numbers = contestants(game)
    play = SelfPlay(
        game,
        batch=batch,
        games=games,
        space=SPACE,
        playouts=playouts,
        max_plies=MAX_PLIES,
        sampled_plies=MAX_PLIES,  # moves are chosen in proportion to visits, for variety
    )
    while (leaves := play.leaves()) is not None:
        boards = np.asarray(leaves.boards).reshape(-1, play.cells)
        movers = np.array(leaves.movers)
        chances = model.chances(count(boards, movers))
        rewards = np.zeros((len(boards), REWARDS_PER_ROW), dtype=np.float32)
        rewards[:, numbers] = ((1 - chances) / (len(numbers) - 1))[:, None]
        rewards[np.arange(len(boards)), movers] = chances
        # There is no model of good moves: priors are random, which makes games differ.
        priors = random.random((len(boards), SPACE), dtype=np.float32) / SPACE
        play.submit(rewards, priors)
    return [
        Finished(played.number, list(played.boards[-LAST:]), played.outcome.winners)
        for played in sorted(play.finished, key=lambda each: each.number)
        if played.outcome is not None and not played.outcome.draw
    ]


def contestants(game: Game) -> list[int]:
    """Returns the numbers of the players that can win."""
    return [player.number for player in game.player_details if player.name in game.contestants]


@dataclass
class TrainingData:
    """A row for each board and each player: counts, and the discounted result for the player."""

    counts: np.ndarray
    won: np.ndarray
    games: np.ndarray
    """The number of the game of each row: `split` does not divide games."""


def training_data(game: Game, finished: list[Finished]) -> TrainingData:
    """Returns the last positions of games, each from the view of every player."""
    if not finished:
        raise SystemExit("no game was decided: play more games")
    count, numbers = Counter(game), contestants(game)
    rows, won, games = [], [], []
    for each in finished:
        boards = np.array(each.boards)
        discounts = DISCOUNT ** np.arange(len(boards))[::-1]
        for number in numbers:
            result = float(game.players[number - 1] in each.winners)
            rows.append(count(boards, np.full(len(boards), number)))
            won.append(discounts * result + (1 - discounts) / len(numbers))
            games.append(np.full(len(boards), each.number))
    return TrainingData(np.concatenate(rows), np.concatenate(won), np.concatenate(games))


# --- learning --------------------------------------------------------------------------------


def fit(counts: np.ndarray, won: np.ndarray, *, penalty: float = 1e-4, steps: int = 30) -> Model:
    """Returns the weights that predict the winners best, by Newton's method.

    `penalty` multiplies the square of each weight; without it, weights that the games do not
    determine would be arbitrary.
    """
    rows = np.hstack([counts, np.ones((len(counts), 1))])
    weights = np.zeros(rows.shape[1])  # the last item is the bias
    for _ in range(steps):
        chances = Model(weights[:-1], weights[-1]).chances(counts)
        gradient = rows.T @ (chances - won) / len(rows) + penalty * weights
        hessian = (rows * (chances * (1 - chances))[:, None]).T @ rows / len(rows)
        step = np.linalg.solve(hessian + penalty * np.eye(len(weights)), gradient)
        weights -= step
        if np.abs(step).max() < 1e-9:  # converged
            break
    return Model(weights[:-1], float(weights[-1]))


def split(data: TrainingData, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Returns the rows for learning and the rows held out, which are a quarter of the games."""
    games = random.permutation(np.unique(data.games))
    held_out = np.isin(data.games, games[: max(len(games) // 4, 1)])
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
    """Returns the weights after some rounds, and the figures of each round."""
    random = np.random.default_rng(seed)
    model = Model(np.zeros(len(FEATURES)))
    learned: list[tuple[np.ndarray, np.ndarray]] = []
    record = []
    for number in range(rounds):
        if number == 0:
            finished = games_at_random(game, games, random)
        else:
            finished = games_with_search(game, model, games, random, batch=batch, playouts=playouts)
        rows = training_data(game, finished)
        training, held_out = split(rows, random)
        unseen = rows.counts[held_out], rows.won[held_out]
        before = model.loss(*unseen)
        learned.append((rows.counts[training], rows.won[training]))  # includes earlier rounds
        counts, won = (np.concatenate(each) for each in zip(*learned, strict=True))
        model = fit(counts, won)
        record.append(
            {
                "games": len(finished),
                "positions": len(rows.won),
                "loss before": round(before, 4),
                "loss after": round(model.loss(*unseen), 4),
            }
        )
    return model, record


# --- weights as a file, and as an evaluator --------------------------------------------------


def write(model: Model, path: Path, details: dict[str, object]) -> None:
    """Writes the evaluator's points for each feature, and details of how they were learned."""
    points = [*np.rint(SCALE * model.weights / UNITS).astype(int), round(SCALE * model.bias)]
    weights = dict(zip([*FEATURES, "bias"], (int(each) for each in points), strict=True))
    path.write_text(json.dumps({"weights": weights, **details}, indent=1) + "\n", encoding="utf-8")


def evaluator(path: Path) -> Callable[[EvaluationView], int]:
    """Returns an evaluator for a native search, from a file of weights.

    It does not use numpy, since plain Python is faster for single boards.
    """
    weights = json.loads(path.read_text(encoding="utf-8"))["weights"]
    points = [weights[name] for name in FEATURES]
    bias = weights["bias"]

    def score(view: EvaluationView) -> int:
        counts = features(view.game, view.cells, view.turn)
        return bias + sum(map(int.__mul__, counts, points))

    return score


@cache
def _default() -> Callable[[EvaluationView], int]:
    return evaluator(WEIGHTS)


def evaluate(view: EvaluationView) -> int:
    """Evaluates with `splut_weights.json` in the folder of this file."""
    return _default()(view)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
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
