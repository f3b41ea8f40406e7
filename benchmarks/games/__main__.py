"""Measures games with the shapes of scripts that authors wrote for the original engine.

    python -m benchmarks.games                           rates of all games in both tiers
    python -m benchmarks.games --kinds axiom 'hands-*'   one kind of run, selected games
    python -m benchmarks.games --shares axiom            which part of forthvm the work goes into
    python -m benchmarks.games --check                   only check the results, at small sizes

Prints tables in Markdown.  Each run is checked: perft against counts by models in Python, searches
against recorded nodes, scores and moves, everything against the other tiers.  The tiers run
alternately in one process, so that a change of the machine's load affects all of them; a figure is
the median of the rounds, in processor time.
"""

from __future__ import annotations

import argparse
import fnmatch
import statistics
import sys
import time
from collections.abc import Sequence

from benchmarks.games import GAMES
from benchmarks.games.expected import EXPECTED
from benchmarks.games.runs import C_FUNCTIONS, KINDS, Result, Run, start
from benchmarks.games.shares import PARTS, Profile, available, profile
from benchmarks.runner import WrongResultError, check
from benchmarks.tiers import TIERS
from forthvm.game import perft

__all__ = ["check_counts", "check_result", "main"]

SAMPLE = 0.05  # minimal processor seconds of a sample
UNITS = {
    "perft": "move sequences",
    "playouts": "random games",
    "negamax": "nodes",
    "axiom": "nodes",
    "texts": "texts",
}
QUICK = 2000  # the largest count of perft that a quick check computes
TOP = 6  # functions named for each game


def check_counts(name: str, tier: str, limit: int = QUICK) -> None:
    """Check the counts of perft that are at most `limit`.

    Raises:
        WrongResultError: a count is wrong.
    """
    position = start(name, tier)
    for depth, count in enumerate(EXPECTED[name].perft, start=1):
        if count <= limit:
            check(f"perft {depth} of {name} in {tier}", perft(position, depth), count)


def check_result(name: str, kind: str, result: Result) -> None:
    """Check the result of a run against the expected one.

    Raises:
        WrongResultError: they differ.
    """
    expected = EXPECTED[name]
    known = {
        "perft": (expected.perft[-1], None),
        "negamax": expected.negamax,
        "axiom": (expected.axiom[0], expected.axiom[1:]),
    }
    if kind in known:
        check(f"{kind} of {name}", tuple(result), known[kind])


def _sample(run: Run) -> tuple[float, Result]:
    """Return the rate of a run that is repeated for at least SAMPLE seconds, and its result."""
    began, count = time.process_time(), 0
    while (spent := time.process_time() - began) < SAMPLE or not count:
        result = run()
        count += 1
    return result.amount * count / spent, result


def _rates(name: str, kind: str, tiers: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the rate of a run in each tier.

    Raises:
        WrongResultError: a result is wrong, or differs between the tiers.
    """
    runs = {tier: KINDS[kind](start(name, tier), name) for tier in tiers}
    rates: dict[str, list[float]] = {tier: [] for tier in tiers}
    first = next(iter(runs.values()))()
    check_result(name, kind, first)
    for number in range(rounds + 1):
        for tier, run in runs.items():
            rate, result = _sample(run)
            check(f"{kind} of {name} in {tier}", result, first)
            if number:  # the first round compiles
                rates[tier].append(rate)
    return {tier: statistics.median(found) for tier, found in rates.items()}


def _print_row(cells: Sequence[object]) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def _figure(rate: float) -> str:
    """Return a rate with three significant digits, for example 12,300."""
    digits = len(str(int(rate)))
    return f"{round(rate, 3 - digits):,.0f}" if rate >= 100 else f"{rate:.1f}"


def _measure(games: Sequence[str], kinds: Sequence[str], tiers: Sequence[str], rounds: int) -> int:
    """Print a table for each kind of run; return the number of wrong results."""
    wrong = 0
    compares = set(TIERS) <= set(tiers)
    for kind in kinds:
        print(f"\n{kind}, {UNITS[kind]} per second:\n")
        _print_row(["game", *tiers, *(["native : interpreter"] if compares else [])])
        _print_row(["---", *["--:"] * (len(tiers) + compares)])
        for name in games:
            try:
                rates = _rates(name, kind, tiers, rounds)
            except WrongResultError as error:
                wrong += 1
                print(f"\nwrong: {error}\n", file=sys.stderr)
                continue
            gain = [f"{rates['native'] / rates['interpreter']:.2f}"] if compares else []
            _print_row([name, *(_figure(rates[tier]) for tier in tiers), *gain])
    return wrong


def _print_shares(games: Sequence[str], kind: str, tier: str) -> None:
    """Print the share of each part in the instructions of a run, and the largest functions."""
    print(f"\n{kind} in {tier}, instructions, and the share of each part in %:\n")
    _print_row(["game", "million", f"per {UNITS[kind][:-1]}", *PARTS])
    _print_row(["---", *["--:"] * (len(PARTS) + 2)])
    profiles: dict[str, Profile] = {}
    for name in games:
        found = profiles[name] = profile(name, kind, tier)
        total = sum(found.parts.values())
        amount = KINDS[kind](start(name, tier), name)().amount
        shares = (f"{100 * found.share(part):.0f}" for part in PARTS)
        _print_row([name, f"{total / 1e6:.1f}", f"{total // amount:,}", *shares])
    print("\nLargest functions, in % of the instructions:\n")
    for name, found in profiles.items():
        total = sum(found.parts.values())
        largest = (
            f"{function} {100 * cost / total:.0f}" + (f" ({file})" if file else "")
            for (function, file), cost in found.functions.most_common(TOP)
        )
        print(f"- {name}: {', '.join(largest)}")


def _selected(patterns: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    for pattern in patterns:
        if not fnmatch.filter(GAMES, pattern):
            parser.error(f"unknown game: {pattern} (games: {', '.join(GAMES)})")
    return [name for name in GAMES if any(fnmatch.fnmatchcase(name, p) for p in patterns or "*")]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.games",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )

    def names(known: Sequence[str]) -> dict[str, object]:
        def parse(text: str) -> tuple[str, ...]:
            found = tuple(text.split(","))
            for each in found:
                if each not in known:
                    raise argparse.ArgumentTypeError(f"{each!r} is not one of {', '.join(known)}")
            return found

        return {"type": parse, "default": tuple(known), "metavar": "LIST"}

    parser.add_argument("games", nargs="*", metavar="GAME", help="games by name or pattern")
    parser.add_argument("--kinds", help=", ".join(KINDS), **names(tuple(KINDS)))  # type: ignore[arg-type]
    parser.add_argument("--tiers", help=", ".join(TIERS), **names(TIERS))  # type: ignore[arg-type]
    parser.add_argument("--rounds", type=int, default=5, help="samples of each tier")
    parser.add_argument("--shares", choices=tuple(C_FUNCTIONS), help="count instructions")
    parser.add_argument("--check", action="store_true", help="only check the results")
    parser.add_argument("--once", type=int, metavar="N", help="only run N times (for profilers)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure or check; return 1 if a result is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    games = _selected(options.games, parser)
    if options.once:
        for name in games:
            for kind in options.kinds:
                run = KINDS[kind](start(name, options.tiers[-1]), name)
                for _ in range(options.once):
                    run()
        return 0
    if options.shares:
        if not available():
            parser.error("--shares needs valgrind, which is not installed")
        _print_shares(games, options.shares, options.tiers[-1])
        return 0
    if options.check:
        return _check(games, options.tiers)
    return 1 if _measure(games, options.kinds, options.tiers, options.rounds) else 0


def _check(games: Sequence[str], tiers: Sequence[str]) -> int:
    """Check small counts of perft in each tier; return 1 if one is wrong."""
    status = 0
    for name in games:
        try:
            for tier in tiers:
                check_counts(name, tier)
        except WrongResultError as error:
            status = 1
            print(f"{name:16} {error}")
        else:
            print(f"{name:16} ok")
    return status


if __name__ == "__main__":
    sys.exit(main())
