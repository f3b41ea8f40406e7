"""Measures the gain of the JIT on games: perft, alpha-beta and random games.

Owns the games, the sizes and the table.  One process runs each game alternately in the interpreter
and in the JIT, so that a change of the machine's load affects both.  A ratio is the JIT's
processor time divided by the interpreter's, the median over rounds: below 1, the JIT is faster.
Both tiers must have the same result.

    python -m benchmarks.game_tiers [--rounds N] [GAME ...]

The golden games are small scripts with recordings of the original (tests/golden/games).  For
small programs see benchmarks/small_programs.py.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.runner import check
from benchmarks.tiers import VARIABLE
from forthvm import engines
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, load, perft

GOLDEN_GAMES = Path(__file__).resolve().parent.parent / "tests/golden/games"
TIERS = ("interpreter", "native")
KINDS = ("perft", "negamax", "playouts")
SEED = 7
WARM_UP, SAMPLE = 0.3, 0.05  # minimal processor seconds before the first sample, and of a sample


class Sizes(NamedTuple):
    """The sizes of the runs of a game; a run of size 0 is omitted."""

    perft: int
    """The depth."""
    negamax: int
    """The depth."""
    playouts: int
    """The number of playouts."""
    plies: int = 300
    """The maximal length of a playout."""


BUNDLED = {
    "breakthrough": Sizes(4, 4, 100),
    "chess": Sizes(3, 3, 3),
    "draughts": Sizes(5, 5, 20),
    "reversi": Sizes(4, 4, 10),
    "rithmomachia": Sizes(2, 2, 2, 40),
    "splut": Sizes(5, 4, 4),
    "thud": Sizes(2, 1, 2, 40),
    "yonin-shogi": Sizes(2, 2, 2, 40),
}
GOLDEN = {
    "Breakthrough": Sizes(4, 4, 20),
    "Flips": Sizes(4, 4, 10),
    "Jumps": Sizes(4, 5, 10),
    "Mixed01": Sizes(3, 3, 10, 60),
    "Sow": Sizes(6, 5, 20, 60),
    "Teams": Sizes(4, 4, 10, 60),
}


def first_choice(game: str | Path, tier: str) -> Position:
    """Load a game in a tier and return its first position without a chance player to move."""
    os.environ[VARIABLE] = tier
    position = load(game, seed=SEED).start()
    while position.is_chance:
        position.push(position.legal_moves[0])
    return position


def runs(sizes: Sizes, position: Position) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the kind of each run of a game and the function that executes it."""
    if sizes.perft:
        yield "perft", lambda: perft(position, sizes.perft)
    if sizes.negamax:
        engine = engines.get(f"negamax:depth={sizes.negamax},tt=1,net=none")
        yield "negamax", lambda: engine.play(position).score
    if sizes.playouts:
        yield (
            "playouts",
            lambda: random_playouts(position, sizes.playouts, seed=SEED, plies=sizes.plies),
        )


def seconds(run: Callable[[], object], minimum: float) -> float:
    """Return the mean processor seconds of a run, repeated for at least `minimum` seconds."""
    start, count = time.process_time(), 0
    while (spent := time.process_time() - start) < minimum or not count:
        run()
        count += 1
    return spent / count


def ratios(game: str | Path, sizes: Sizes, rounds: int) -> dict[str, float]:
    """Return the time in the JIT divided by the time in the interpreter, by kind of run."""
    found = {}
    runs_of_tiers = zip(*(runs(sizes, first_choice(game, tier)) for tier in TIERS), strict=True)
    for (kind, interpreted), (_, compiled) in runs_of_tiers:
        check(f"{kind} of {game}", compiled(), interpreted())
        seconds(compiled, WARM_UP)
        found[kind] = statistics.median(
            seconds(compiled, SAMPLE) / seconds(interpreted, SAMPLE) for _ in range(rounds)
        )
    return found


def table(title: str, games: dict[str | Path, Sizes], rounds: int) -> None:
    """Print a line for each game, and geometric means."""
    print(f"{title:20}" + "".join(f"{kind:>10}" for kind in KINDS), flush=True)
    found = []
    for game, sizes in games.items():
        found.append(ratios(game, sizes, rounds))
        print(f"{Path(game).stem:20}" + "".join(cell(found[-1].get(kind)) for kind in KINDS))
        sys.stdout.flush()
    each = [[line[kind] for line in found if kind in line] for kind in KINDS]
    means = [statistics.geometric_mean(column) if column else None for column in each]
    print(f"{'geometric mean':20}" + "".join(map(cell, means)))
    every = [ratio for column in each for ratio in column]
    print(f"{'of all':20}{cell(statistics.geometric_mean(every))}\n")


def cell(ratio: float | None) -> str:
    """Return a ratio, padded to the width of a column."""
    return f"{'-' if ratio is None else format(ratio, '.2f'):>10}"


def main() -> None:
    """Measure the games named by the arguments, or all games."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="samples of each tier")
    parser.add_argument("games", nargs="*", metavar="GAME", help="games by name")
    options = parser.parse_args()
    unknown = set(options.games) - set(BUNDLED) - set(GOLDEN)
    if unknown:
        parser.error(f"unknown games: {', '.join(sorted(unknown))}")

    def selected(sizes: dict[str, Sizes]) -> Iterator[tuple[str, Sizes]]:
        return ((name, each) for name, each in sizes.items() if name in (options.games or sizes))

    bundled: dict[str | Path, Sizes] = dict(selected(BUNDLED))
    golden: dict[str | Path, Sizes] = {
        GOLDEN_GAMES / f"{name}.4th": sizes for name, sizes in selected(GOLDEN)
    }
    for title, games in (("bundled games", bundled), ("golden games", golden)):
        if games:
            table(title, games, options.rounds)


if __name__ == "__main__":
    main()
