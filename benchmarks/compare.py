"""Tiers of forthvm beside gforth-fast and C on the same programs: ratios and geometric means.

Owns the choice of benches and this table, for work on the interpreter and the machine code;
benchmarks/runner.py measures.  Samples of all participants are interleaved, so that a change
of the machine's load affects all of them.  A ratio is forthvm's time as a multiple of the
peer's, of the medians and (in brackets) of the best samples: below 1, forthvm is faster.

    python -m benchmarks.compare [--runs N] [--tiers interpreter,native] [--peers LIST]
                                 [--seconds S] [--json] [NAME ...]
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack

from benchmarks import OURS, Effort, Figure, Peers, Tier, all_benches, geometric_means, measure
from benchmarks.show import document, number

GROUPS = ("interpreter", "script")
PEERS = "gforth-fast,C"


def chosen(names: list[str]) -> list[str]:
    """Benches by name or group.

    Raises:
        KeyError: there is none of that name.
    """
    known = all_benches()
    found = []
    for name in names or GROUPS:
        group = [each.name for each in known.values() if each.group == name and not each.slow]
        found += group or [known[name].name]
    return found


def cell(figure: Figure, who: str, peer: str) -> str:
    """Ratio of the medians and of the best samples."""
    if who not in figure.values or peer not in figure.values:
        return "-"
    return f"{figure.ratio(who, peer):.2f} ({figure.ratio(who, peer, best=True):.2f})"


def head(pairs: list[tuple[str, str]]) -> str:
    """The line above."""
    titles = (peer if who == OURS else f"{who}/{peer}" for who, peer in pairs)
    return f"{'ms':20}{'':12}" + "".join(f"{title:>26}" for title in titles)


def row(figure: Figure, pairs: list[tuple[str, str]]) -> str:
    """A bench."""
    measured = [number(figure.median(who)) for who in figure.ours if who in figure.values]
    cells = "".join(f"{cell(figure, who, peer):>26}" for who, peer in pairs)
    return f"{figure.bench.name:20}{' '.join(measured):>12}{cells}"


def means(figures: list[Figure], pairs: list[tuple[str, str]]) -> list[str]:
    """A line for each group."""
    median, best = geometric_means(figures), geometric_means(figures, best=True)
    lines = []
    for group, found in median.items():
        cells = (
            f"{found[who][peer]:.2f} ({best[group][who][peer]:.2f})"
            if peer in found.get(who, {})
            else "-"
            for who, peer in pairs
        )
        lines.append(f"mean of {group:24}" + "".join(f"{each:>26}" for each in cells))
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Measures and prints; 1 if somebody gave a wrong answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="benches or groups")
    parser.add_argument("--runs", type=int, default=9, help="samples of each")
    parser.add_argument("--seconds", type=float, default=0.05, help="length of a sample")
    parser.add_argument("--tiers", default="", help="each in a process of its own")
    parser.add_argument("--peers", default=PEERS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        names = chosen(options.names)
    except KeyError as error:
        parser.error(f"no such bench: {error}")
    figures = []
    with ExitStack() as stack:
        peers = stack.enter_context(Peers(options.peers.split(",")))
        tiers = {name: stack.enter_context(Tier(name)) for name in options.tiers.split(",") if name}
        pairs = [(who, peer) for peer in options.peers.split(",") for who in tiers or (OURS,)]
        if not options.json:
            print(head(pairs))
        for name in names:
            figure = measure(
                all_benches()[name],
                options.runs,
                effort=Effort(seconds=options.seconds),
                peers=peers,
                tiers=tiers,
            )
            figures.append(figure)
            if not options.json:
                print(row(figure, pairs), flush=True)
            for who, text in figure.wrong.items():
                print(f"wrong: {name} by {who}: {text}", file=sys.stderr)
    if options.json:
        print(json.dumps(document(figures, peers.versions, peers.absent), indent=2))
    else:
        print("\n".join(means(figures, pairs)))
        for name, why in peers.absent.items():
            print(f"skipped: {name} ({why})")
    return int(any(figure.wrong for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
