"""`forthvm bench`: measures this machine.

Owns the choice of benches and the printing; the benches are in forthvm/bench.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import platform
import sys
from typing import TYPE_CHECKING

from forthvm.cli import common
from forthvm.cli.app import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.bench import Bench, Figure

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Runs benches, each of which checks its own answer, and prints the medians.  Slow ones are
run only when they are named."""
EPILOG = """\
examples:
  forthvm bench
  forthvm bench fib scan --repeats 9
  forthvm bench duel
  forthvm bench --list
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("names", metavar="NAME", nargs="*", help="benches (default: all but slow)")
    parser.add_argument("--list", action="store_true", help="say which benches there are")
    parser.add_argument("--repeats", type=common.whole(1), metavar="N", help="measure each N times")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    """Measures and prints."""
    from forthvm.bench import all_benches, measure
    from forthvm.cli.terminal import Screen, table

    known = all_benches()
    chosen = _choose(args.names, known)
    screen = Screen()
    if args.list:
        rows = [(each.name, each.unit, each.summary + _slow(each)) for each in chosen]
        print("\n".join(table(rows, screen.width)))
        return 0
    figures = []
    for bench in chosen:
        figure = measure(bench, args.repeats)
        figures.append(figure)
        if not args.json:
            print(_line(figure), flush=True)
    if args.json:
        common.print_json(_document(figures))
    return 0


def _choose(names: Sequence[str], known: dict[str, Bench]) -> list[Bench]:
    if not names:
        return [bench for bench in known.values() if not bench.slow]
    chosen = []
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UsageError(f"no bench {name!r}{hint} (benches: {', '.join(known)})")
        chosen.append(known[name])
    return chosen


def _slow(bench: Bench) -> str:
    return " (slow: only when named)" if bench.slow else ""


def _line(figure: Figure) -> str:
    aim = f"  (aim: {figure.target})" if figure.target else ""
    return f"{figure.name:20} {_number(figure.median):>12} {figure.unit:8}{aim}".rstrip()


def _number(value: float) -> str:
    """Three digits that mean something."""
    hundred = 100
    return f"{value:,.0f}" if value >= hundred else f"{value:.3g}"


def _document(figures: Sequence[Figure]) -> dict[str, object]:
    from forthvm._version import __version__

    return {
        "forthvm": __version__,
        "python": sys.version.split()[0],
        "machine": platform.machine(),
        "system": platform.system(),
        "figures": [dataclasses.asdict(figure) for figure in figures],
    }
