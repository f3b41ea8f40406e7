"""Compares tiers of forthvm with gforth-fast and C on the same programs.

Owns the choice of benchmarks and the printed table; benchmarks/runner.py measures.  The runs of the
tiers and of the peers (gforth-fast, C) are interleaved, so that a change of the
machine's load affects all of them.  A ratio is forthvm's time divided by the peer's: below 1,
forthvm is faster.  The table shows the ratio of the medians and, in brackets, of the best samples.

    python -m benchmarks.compare [--runs N] [--tiers interpreter,native] [--peers LIST]
                                 [--seconds S] [--json] [NAME ...]
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack

from benchmarks import OURS, Effort, Figure, Peers, Tier, all_benchmarks, geometric_means, measure
from benchmarks.show import document, number

GROUPS = ("interpreter", "script")
PEERS = "gforth-fast,C"


Column = tuple[str, str]  # a tier of forthvm and a peer: the column shows the ratio of their times


def selected(names: list[str]) -> list[str]:
    """Return the names of the benchmarks that the arguments select by name or group.

    Raises:
        KeyError: no benchmark or group has that name.
    """
    known = all_benchmarks()
    found = []
    for name in names or GROUPS:
        group = [each.name for each in known.values() if each.group == name and not each.slow]
        found += group or [known[name].name]
    return found


def cell(figure: Figure, system: str, peer: str) -> str:
    """Return the ratio of the medians and, in brackets, of the best samples, as text."""
    if system not in figure.values or peer not in figure.values:
        return "-"
    return f"{figure.ratio(system, peer):.2f} ({figure.ratio(system, peer, best=True):.2f})"


def head(columns: list[Column]) -> str:
    """Return the heading of the table."""
    titles = (peer if system == OURS else f"{system}/{peer}" for system, peer in columns)
    return f"{'ms':20}{'':12}" + "".join(f"{title:>26}" for title in titles)


def row(figure: Figure, columns: list[Column]) -> str:
    """Return the row of a benchmark."""
    measured = [number(figure.median(system)) for system in figure.ours if system in figure.values]
    cells = "".join(f"{cell(figure, system, peer):>26}" for system, peer in columns)
    return f"{figure.benchmark.name:20}{' '.join(measured):>12}{cells}"


def means(figures: list[Figure], columns: list[Column]) -> list[str]:
    """Return a line with geometric means for each group."""
    median, best = geometric_means(figures), geometric_means(figures, best=True)
    lines = []
    for group, found in median.items():
        cells = (
            f"{found[system][peer]:.2f} ({best[group][system][peer]:.2f})"
            if peer in found.get(system, {})
            else "-"
            for system, peer in columns
        )
        lines.append(f"mean of {group:24}" + "".join(f"{each:>26}" for each in cells))
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; return 1 if a result is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks or groups")
    parser.add_argument("--runs", type=int, default=9, help="samples per system")
    parser.add_argument("--seconds", type=float, default=0.05, help="length of a sample")
    parser.add_argument("--tiers", default="", help="execution tiers, separated by commas")
    parser.add_argument("--peers", default=PEERS, help="peers, separated by commas")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        names = selected(options.names)
    except KeyError as error:
        parser.error(f"no such benchmark: {error}")
    figures = []
    with ExitStack() as stack:
        peers = stack.enter_context(Peers(options.peers.split(",")))
        tiers = {name: stack.enter_context(Tier(name)) for name in options.tiers.split(",") if name}
        columns = [
            (system, peer) for peer in options.peers.split(",") for system in tiers or (OURS,)
        ]
        if not options.json:
            print(head(columns))
        for name in names:
            figure = measure(
                all_benchmarks()[name],
                options.runs,
                effort=Effort(seconds=options.seconds),
                peers=peers,
                tiers=tiers,
            )
            figures.append(figure)
            if not options.json:
                print(row(figure, columns), flush=True)
            for system, text in figure.wrong.items():
                print(f"wrong: {name} by {system}: {text}", file=sys.stderr)
    if options.json:
        print(json.dumps(document(figures, peers.versions, peers.absent), indent=2))
    else:
        print("\n".join(means(figures, columns)))
        for name, reason in peers.absent.items():
            print(f"skipped: {name} ({reason})")
    return int(any(figure.wrong for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
