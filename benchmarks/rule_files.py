"""Measures rule files of Zillions (.zrf) against scripts of the same games, and in hard shapes.

Owns the games, the sizes and the tables.  One process runs rule file and script in turn, so that
a change of the machine's load affects both.  A ratio is the rule file's processor time divided by
the script's, the median over rounds: 2 means that the rule file takes twice as long.  Both must
count the same moves; random games differ, so only their length is checked.  Rule files without a
script, in shapes that are hard to search, are measured by the nodes that alpha-beta visits in a
unit of time, divided by those in the bundled chess.

    python -m benchmarks.rule_files [--rounds N] [-o FILE] [GAME ...]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import NamedTuple

from benchmarks.game_tiers import SAMPLE, SEED, WARM_UP, cell, seconds
from benchmarks.runner import check
from forthvm.engines import Limits, choose_move, get
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, load, perft

TESTS = Path(__file__).resolve().parent.parent / "tests/zrf"
RULE_FILES = TESTS / "games"
SHAPES = sorted((TESTS / "shapes").glob("*.zrf"))
KINDS = ("perft", "playouts", "loop")
FIGURES = "<!-- The rest is written by `python -m benchmarks.rule_files -o FILE`. -->"
"""The line of a page after which the figures stand."""
SEARCH_SECONDS = 2.0
MAX_PLIES = 150  # of a random game


class Sizes(NamedTuple):
    """The sizes of the runs of a game."""

    perft: int
    """The depth."""
    playouts: int
    """The number of playouts without a loop in Python."""


GAMES = {  # by the name of the bundled script
    "breakthrough": Sizes(3, 100),
    "chess": Sizes(3, 10),
    "reversi": Sizes(5, 20),
    "thud": Sizes(2, 20),
}


def loop(start: Position) -> int:
    """Play a random game in a loop in Python; return the number of moves."""
    choices, position, plies = random.Random(SEED), start.copy(), 0
    while position.result is None and plies < MAX_PLIES:
        if position.is_stuck:
            position.push_pass()
        else:
            position.push(choices.choice(position.legal_moves))
        plies += 1
    return plies


def runs(sizes: Sizes, start: Position) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the kind of each run of a game and the function that executes it."""
    yield "perft", lambda: perft(start, sizes.perft)
    yield (
        "playouts",
        lambda: random_playouts(start, sizes.playouts, seed=SEED, plies=MAX_PLIES),
    )
    yield "loop", lambda: loop(start)


def check_runs(game: str, kind: str, ours: object, script: object) -> None:
    """Check the results of a run with the rule file and with the script."""
    if kind == "perft":
        check(f"perft of {game}", ours, script)
    elif isinstance(ours, dict):
        check(f"rewards of {game} add up to 1", round(sum(ours.values()), 1), 1.0)
    else:
        check(f"a random game of {game} has moves", ours in range(1, MAX_PLIES + 1), True)


def ratios(game: str, sizes: Sizes, rounds: int) -> dict[str, float]:
    """Return the rule file's time divided by the script's, by kind of run."""
    found = {}
    sides = load(RULE_FILES / f"{game}.zrf", seed=SEED).start(), load(game, seed=SEED).start()
    for (kind, ours), (_, script) in zip(*(runs(sizes, side) for side in sides), strict=True):
        check_runs(game, kind, ours(), script())
        seconds(ours, WARM_UP)
        seconds(script, WARM_UP)
        found[kind] = statistics.median(
            seconds(ours, SAMPLE) / seconds(script, SAMPLE) for _ in range(rounds)
        )
    return found


def nodes_per_second(game: str | Path) -> tuple[float, float]:
    """Return the processor seconds of a load, and the nodes of alpha-beta in one of them."""
    before = process_time()
    position = load(game, seed=SEED).start()
    loaded = process_time()
    found = choose_move(get("negamax"), position, Limits(time=SEARCH_SECONDS))
    return loaded - before, found.nodes / (process_time() - loaded)


def page(path: Path, games: Mapping[str, Mapping[str, float]], shapes: Mapping[str, float]) -> str:
    """Return a page with new figures."""
    head, line, _ = path.read_text(encoding="utf-8").partition(FIGURES)
    if not line:
        raise SystemExit(f"{path} lacks the line {FIGURES}")
    rows = [
        f"Measured on {datetime.now(UTC):%d %B %Y}.",
        "",
        "| time of the rule file / script | perft | random games | loop in Python |",
        "|---|--:|--:|--:|",
        *(
            f"| {game} | " + " | ".join(f"{at:.2f}" for at in found.values()) + " |"
            for game, found in games.items()
        ),
        "",
        "| nodes in a unit of time / those of the bundled chess | |",
        "|---|--:|",
        *(f"| {shape} | {ratio:.2f} |" for shape, ratio in shapes.items()),
    ]
    return head + line + "\n\n" + "\n".join(rows) + "\n"


def main() -> None:
    """Measure the games named by the arguments, or all games and shapes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9, help="samples of each side")
    parser.add_argument("-o", "--output", type=Path, help="a page, to write the figures into")
    parser.add_argument("games", nargs="*", metavar="GAME", help="games by name")
    options = parser.parse_args()
    unknown = set(options.games) - set(GAMES)
    if unknown:
        parser.error(f"unknown games: {', '.join(sorted(unknown))}")
    print(f"{'rule file : script':20}" + "".join(f"{kind:>10}" for kind in KINDS), flush=True)
    games, shapes = {}, {}
    for game in options.games or GAMES:
        games[game] = ratios(game, GAMES[game], options.rounds)
        print(f"{game:20}" + "".join(cell(games[game][kind]) for kind in KINDS))
        sys.stdout.flush()
    if options.games:
        return
    _, chess = nodes_per_second("chess")
    print(f"\n{'':20}{'load':>10}{'nodes/s':>10}{': chess':>10}")
    for path in SHAPES:
        load_seconds, nodes = nodes_per_second(path)
        shapes[path.stem] = nodes / chess
        print(f"{path.stem:20}{load_seconds:8.2f} s{nodes:10,.0f}{nodes / chess:10.2f}", flush=True)
    if options.output:
        options.output.write_text(page(options.output, games, shapes), encoding="utf-8")


if __name__ == "__main__":
    main()
