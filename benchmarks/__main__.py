"""The command `python -m benchmarks`: measures the speed of this machine.

Owns the command line: which benches run, and what is printed.  It must not know how a bench
measures.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack

from benchmarks import OURS, TIERS, Bench, Effort, Figure, Peers, Tier, geometric_means, measure
from benchmarks.peers import NAMES
from benchmarks.runner import all_benches
from benchmarks.show import Table, document, markdown
from forthvm.core.errors import Interrupted
from forthvm.core.text.wording import close_names

__all__ = ["main"]

OK, FAILED, INTERRUPTED = 0, 1, 130

DESCRIPTION = """\
Runs benches, each of which checks its own answer, and prints the medians.  Slow benches run
only when they are named.  Installed peers do the same work in the same run; for each, the
ratio is printed: forthvm's time as a multiple of the peer's, so below 1 forthvm is faster.
Wrong answers make the exit status 1."""
EPILOG = """\
examples:
  python -m benchmarks
  python -m benchmarks fib scan --repeats 9
  python -m benchmarks interpreter script --peers gforth-fast,C
  python -m benchmarks '*-chess' --peers none
  python -m benchmarks interpreter --tiers interpreter,native
  python -m benchmarks --json > today.json
  python -m benchmarks duel-10
  python -m benchmarks --list
"""


class UsageError(Exception):
    """The command line names something that does not exist."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _configure(parser)
    try:
        return _run(parser.parse_args(argv))
    except UsageError as error:
        parser.error(str(error))


def _configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="benches, groups of benches, or patterns with * (default: all but slow)",
    )
    parser.add_argument("--list", action="store_true", help="list the benches")
    parser.add_argument("--repeats", type=_positive, metavar="N", help="measure each N times")
    parser.add_argument(
        "--peers",
        type=_listed,
        metavar="LIST",
        help="peers to measure, separated by commas, or none (default: those installed)",
    )
    parser.add_argument(
        "--tiers",
        type=_listed,
        metavar="LIST",
        default=(),
        help="measure these execution tiers, each in its own process: interpreter,native",
    )
    parser.add_argument(
        "--check", action="store_true", help="only check the answers, at tiny sizes, once"
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the figures as JSON")
    shape.add_argument("--markdown", action="store_true", help="print the figures as Markdown")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not a positive integer")
    return value


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _run(args: argparse.Namespace) -> int:
    """Measures and prints; Ctrl-C prints what is done so far."""
    known = all_benches()
    chosen = _choose(args.names, known)
    if args.list:
        _list(chosen)
        return OK
    wanted = _known_peers(args.peers)
    _check_tiers(args.tiers)
    with ExitStack() as stack:
        peers = stack.enter_context(Peers(wanted))
        tiers = {name: stack.enter_context(Tier(name)) for name in args.tiers}
        return _measure_all(args, chosen, peers, tiers)


def _measure_all(
    args: argparse.Namespace, chosen: Sequence[Bench], peers: Peers, tiers: dict[str, Tier]
) -> int:
    figures: list[Figure] = []
    status = OK
    steps = _measured(args, chosen, peers, tiers)
    try:
        if args.json or args.markdown:
            figures.extend(steps)
        else:
            _print_tables(args, chosen, peers, steps, figures)
    except KeyboardInterrupt:
        print("interrupted: partial results follow", file=sys.stderr)
        status = INTERRUPTED
    _print_end(args, figures, peers)
    if status == OK and any(figure.wrong for figure in figures):
        status = FAILED
    return status


def _measured(
    args: argparse.Namespace, chosen: Sequence[Bench], peers: Peers, tiers: dict[str, Tier]
) -> Iterator[Figure]:

    effort = Effort(tiny=args.check)
    for bench in chosen:
        repeats = 1 if args.check else args.repeats
        try:
            yield measure(bench, repeats, effort=effort, peers=peers, tiers=tiers)
        except Interrupted as error:  # Ctrl-C inside a word
            raise KeyboardInterrupt from error


def _print_tables(
    args: argparse.Namespace,
    chosen: Sequence[Bench],
    peers: Peers,
    steps: Iterator[Figure],
    figures: list[Figure],
) -> None:
    """Each figure as soon as it is there."""
    width = shutil.get_terminal_size().columns
    ours = args.tiers or (OURS,)
    for group in dict.fromkeys(bench.group for bench in chosen):
        members = [bench for bench in chosen if bench.group == group]
        taking_part = {name for bench in members for name in bench.peers if peers.has(name)}
        table = Table(members, ours, width, taking_part)
        if figures:
            print()
        _print_lines(table.head(group))
        done: list[Figure] = []
        try:
            for _ in members:
                figure = next(steps)
                done.append(figure)
                figures.append(figure)
                _print_lines(table.rows(figure))
        finally:
            for who, ratios in geometric_means(done).get(group, {}).items():
                if ratios:
                    _print_lines(table.means(who, ratios))


def _print_lines(lines: Iterable[str]) -> None:
    print("\n".join(lines), flush=True)


def _print_end(args: argparse.Namespace, figures: Sequence[Figure], peers: Peers) -> None:

    if args.json:
        print(json.dumps(document(figures, peers.versions, peers.absent), indent=2))
    elif args.markdown:
        print(markdown(figures, peers.versions, peers.absent), end="")
    else:
        for name, why in peers.absent.items():
            print(f"skipped: {name} ({why})")


# --- what is chosen ---------------------------------------------------------------------


def _choose(names: Sequence[str], known: dict[str, Bench]) -> list[Bench]:
    """In the order of the list, each once; groups and patterns skip the slow benches."""
    if not names:
        return [bench for bench in known.values() if not bench.slow]
    chosen = {bench.name for name in names for bench in _named(name, known)}
    return [bench for bench in known.values() if bench.name in chosen]


def _named(name: str, known: dict[str, Bench]) -> list[Bench]:
    if name in known:
        return [known[name]]
    groups = dict.fromkeys(bench.group for bench in known.values())
    found = [
        bench
        for bench in known.values()
        if not bench.slow and (bench.group == name or fnmatch.fnmatchcase(bench.name, name))
    ]
    if not found:
        near = close_names(name, [*known, *groups])
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(
            f"no bench {name!r}{hint}\n  groups: {', '.join(groups)}"
            "\n  python -m benchmarks --list names all benches"
        )
    return found


def _known_peers(wanted: Sequence[str] | None) -> Sequence[str]:

    if wanted is None:
        return NAMES
    if list(wanted) == ["none"]:
        return ()
    return _all_known(wanted, NAMES, "peer")


def _check_tiers(wanted: Sequence[str]) -> None:

    _all_known(wanted, TIERS, "tier")


def _all_known(wanted: Sequence[str], names: Iterable[str], kind: str) -> Sequence[str]:
    for name in wanted:
        if name not in names:
            raise UsageError(f"no {kind} {name!r} ({kind}s: {', '.join(names)})")
    return wanted


def _list(chosen: Sequence[Bench]) -> None:
    for number, group in enumerate(dict.fromkeys(bench.group for bench in chosen)):
        if number:
            print()
        print(group)
        members = [bench for bench in chosen if bench.group == group]
        names = max(len(bench.name) for bench in members)
        units = max(len(bench.unit) for bench in members)
        for bench in members:
            summary = bench.summary + _notes(bench)
            print(f"{bench.name:{names}}  {bench.unit:{units}}  {summary}")


def _notes(bench: Bench) -> str:
    peers = f"; peers: {', '.join(bench.peers)}" if bench.peers else ""
    return peers + (" (slow: only when named)" if bench.slow else "")


if __name__ == "__main__":
    sys.exit(main())
