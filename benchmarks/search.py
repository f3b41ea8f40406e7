"""Compares searches and playouts of Breakthrough 8x8 with C, OpenSpiel and plain Python.

Owns the peers and how each is timed.  Results are checked: perft counts and scores of equal
searches must agree, and White must win a plausible share of playouts.  Peers that are not installed
are skipped with a message.  Times are medians of processor time.

    python -m benchmarks.search [--runs N] [--json] [perft|search|playouts ...]
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forthvm
from benchmarks import Effort, Peers, breakthrough

SCRIPT = "LOAD breakthrough.4th\n: OnEvaluate ( -- score ) current-player material-balance ;\n"
PERFT, DEPTH, PLAYOUTS = 4, 4, 200
WHITE_SHARE = (0.4, 0.65)  # of random games: White begins and wins slightly more than half

# A measurement returns units (leaves, nodes, games), seconds, and a result to compare.
Measure = Callable[[], tuple[int, float, object]]


def timed(work: Callable[[], tuple[int, object]]) -> tuple[int, float, object]:
    """Return the units, the processor seconds and the result of a function in this process."""
    began = time.process_time()
    units, result = work()
    return units, time.process_time() - began, result


def our_start(folder: Path) -> forthvm.Position:
    """Return the initial position of Breakthrough, evaluated only by material."""
    source = Path(str(forthvm.load("breakthrough").path)).parent / "breakthrough.4th"
    shutil.copy(source, folder / "breakthrough.4th")
    (folder / "material.4th").write_text(SCRIPT, encoding="utf-8")
    return forthvm.load(folder / "material.4th").start()


def ours(folder: Path) -> dict[str, Measure]:
    """Return the measurements of forthvm, each of which is one call into C."""
    position = our_start(folder)

    def perft() -> tuple[int, object]:
        leaves = forthvm.perft(position, PERFT)
        return leaves, leaves

    def search(spec: str) -> tuple[int, object]:
        result = forthvm.engines.get(f"negamax:depth={DEPTH},{spec}").play(position)
        return result.nodes, result.score

    def playouts() -> tuple[int, object]:
        from forthvm.engines.position_arrays import random_playouts

        rewards = random_playouts(position, PLAYOUTS, seed=7)
        return PLAYOUTS, rewards["White"]

    plain = "tt=0,pvs=off,killers=off,history=off,captures=off,quiescence=off,"
    return {
        "perft": lambda: timed(perft),
        "search": lambda: timed(lambda: search(plain + "repetition=off")),
        "search, all features": lambda: timed(lambda: search("")),
        "playouts": lambda: timed(playouts),
    }


def plain_c(peers: Peers) -> dict[str, Measure]:
    """Return the measurements of C; its depths and numbers of games are larger, as it is faster."""
    if not peers.has("C"):
        raise FileNotFoundError(peers.absent["C"])

    def run(what: str, size: int) -> tuple[float, int]:
        # `tiny` means a single run here, because the size is given.
        return peers.run("C", what, "breakthrough", size, Effort(tiny=True))

    def perft() -> tuple[int, float, object]:
        seconds, leaves = run("perft", 6)
        return leaves, seconds, run("perft", PERFT)[1]

    def search() -> tuple[int, float, object]:
        seconds, nodes = run("negamax", 8)
        return nodes, seconds, run("score", DEPTH)[1]

    def playouts() -> tuple[int, float, object]:
        games = 20000
        seconds, wins = run("playouts", games)
        return games, seconds, wins / games

    return {"perft": perft, "search": search, "playouts": playouts}


def open_spiel() -> dict[str, Measure]:
    """Return the measurements of OpenSpiel's game in C++, called from Python."""
    import pyspiel  # a peer, not a dependency

    game = pyspiel.load_game("breakthrough")

    def count(state: Any, depth: int) -> int:  # noqa: ANN401 - a package without types
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(count(state.child(action), depth - 1) for action in actions)

    def perft() -> tuple[int, object]:
        leaves = count(game.new_initial_state(), 3)
        return leaves, None  # not compared: the depth is not PERFT

    def search() -> tuple[int, object]:
        """Run OpenSpiel's alpha-beta (in Python) with material as the value; count evaluations."""
        from open_spiel.python.algorithms import minimax

        nodes = [0]

        def material(state: object) -> int:
            nodes[0] += 1
            text = str(state)
            return text.count("b") - 1 - text.count("w")  # one b is the name of a column

        value, _ = minimax.alpha_beta_search(
            game, value_function=material, maximum_depth=DEPTH, maximizing_player_id=0
        )
        return nodes[0], value

    def playouts() -> tuple[int, object]:
        choices = random.Random(7)
        first_wins = 0
        for _ in range(PLAYOUTS):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choices.choice(state.legal_actions()))
            first_wins += state.returns()[0] > 0
        return PLAYOUTS, first_wins / PLAYOUTS

    return {
        "perft": lambda: timed(perft),
        "search": lambda: timed(search),
        "playouts": lambda: timed(playouts),
    }


def plain_python() -> dict[str, Measure]:
    """Return the measurements of plain Python (breakthrough.py)."""

    def search() -> tuple[int, object]:
        board = breakthrough.Board()
        score = board.negamax(1, DEPTH, -breakthrough.BOUND, breakthrough.BOUND)
        return board.nodes, score

    def playouts() -> tuple[int, object]:
        games = 50
        return games, breakthrough.wins(games) / games

    return {"search": lambda: timed(search), "playouts": lambda: timed(playouts)}


def systems(folder: Path, peers: Peers) -> dict[str, Callable[[], dict[str, Measure]]]:
    """Return a function for each system that returns the system's measurements.

    It raises ImportError or FileNotFoundError if the system is not installed.
    """
    return {
        "forthvm": lambda: ours(folder),
        "C": lambda: plain_c(peers),
        "OpenSpiel from Python": open_spiel,
        "Python": plain_python,
    }


def check(what: str, results: dict[str, object]) -> None:
    """Check that systems agree: exactly on counts and scores, roughly on shares of wins.

    Raises:
        AssertionError: the results do not agree.
    """
    known = [result for result in results.values() if result is not None]
    if what == "playouts":
        low, high = WHITE_SHARE
        assert all(low < float(str(share)) < high for share in known), results
    else:
        assert len(set(known)) <= 1, (what, results)


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("only", nargs="*", choices=["perft", "search", "playouts", []])
    options = parser.parse_args(arguments)
    rows: list[tuple[str, str, float]] = []
    with tempfile.TemporaryDirectory() as folder, Peers(["C"]) as peers:
        measures: dict[str, dict[str, Measure]] = {}
        for name, measures_of_system in systems(Path(folder), peers).items():
            try:
                measures[name] = measures_of_system()
            except (ImportError, FileNotFoundError) as error:
                print(f"{name}: not installed ({error})", file=sys.stderr)
        results: dict[str, dict[str, object]] = {}
        rates: dict[tuple[str, str], list[float]] = {}
        for _ in range(options.runs):  # interleaved, so that all systems have the same load
            for name, measured in measures.items():
                for what, measure in measured.items():
                    if options.only and what.split(",")[0] not in options.only:
                        continue
                    units, seconds, result = measure()
                    results.setdefault(what.split(",")[0], {})[f"{name} {what}"] = result
                    rates.setdefault((what, name), []).append(units / max(seconds, 1e-9))
        for what, results_of_systems in results.items():
            check(what, results_of_systems)
        rows = [(what, name, statistics.median(found)) for (what, name), found in rates.items()]
    if options.json:
        print(json.dumps([{"what": a, "peer": b, "per_second": c} for a, b, c in rows], indent=2))
        return 0
    for what, name, rate in sorted(rows):
        print(f"{what:22} {name:22} {rate:14,.0f} /s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
