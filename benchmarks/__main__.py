"""The command `python -m benchmarks`: measures the speed of forthvm and of peers on this machine.

Owns the command line: the choice of benchmarks and the output.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack

from benchmarks import OURS, TIERS, Benchmark, Effort, Figure, Peers, Tier, geometric_means, measure
from benchmarks.peers import NAMES
from benchmarks.runner import all_benchmarks
from benchmarks.show import Table, document, markdown
from forthvm.core.errors import Interrupted
from forthvm.core.text.wording import close_names

__all__ = ["main"]

OK, FAILED, INTERRUPTED = 0, 1, 130

DESCRIPTION = """\
Runs benchmarks, each of which checks its result, and prints the medians.  Slow benchmarks run
only if they are named.  Installed peers do the same work in the same run; for each peer the
ratio is printed: forthvm's time divided by the peer's, so below 1 forthvm is faster.
The exit status is 1 if a result is wrong."""
EPILOG = """\
examples:
  python -m benchmarks
  python -m benchmarks fib scan --repeats 9
  python -m benchmarks interpreter script --peers gforth-fast,C
  python -m benchmarks '*-chess' --peers none
  python -m benchmarks fib --tiers interpreter,native
  python -m benchmarks --json > today.json
  python -m benchmarks duel-10
  python -m benchmarks --list
"""


class UsageError(Exception):
    """The command line names something that does not exist."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
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
    """Declare the options."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="benchmarks, groups of benchmarks, or patterns with * (default: all except slow ones)",
    )
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument(
        "--repeats", type=_positive_integer, metavar="N", help="measure each N times"
    )
    parser.add_argument(
        "--peers",
        type=_comma_list,
        metavar="LIST",
        help="peers to measure, separated by commas, or none (default: those installed)",
    )
    parser.add_argument(
        "--tiers",
        type=_comma_list,
        metavar="LIST",
        default=(),
        help="measure execution tiers, each in its own process: interpreter, native (the JIT)",
    )
    parser.add_argument(
        "--check", action="store_true", help="only check the results, at small sizes, once"
    )
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--json", action="store_true", help="print the figures as JSON")
    formats.add_argument("--markdown", action="store_true", help="print the figures as Markdown")


def _positive_integer(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not a positive integer")
    return value


def _comma_list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _run(args: argparse.Namespace) -> int:
    """Measure and print; Ctrl-C prints the results so far."""
    known = all_benchmarks()
    chosen = _choose(args.names, known)
    if args.list:
        _list(chosen)
        return OK
    requested = _known_peers(args.peers)
    _check_tiers(args.tiers)
    with ExitStack() as stack:
        peers = stack.enter_context(Peers(requested))
        tiers = {name: stack.enter_context(Tier(name)) for name in args.tiers}
        return _measure_all(args, chosen, peers, tiers)


def _measure_all(
    args: argparse.Namespace, chosen: Sequence[Benchmark], peers: Peers, tiers: dict[str, Tier]
) -> int:
    figures: list[Figure] = []
    status = OK
    measurements = _figures(args, chosen, peers, tiers)
    try:
        if args.json or args.markdown:
            figures.extend(measurements)
        else:
            _print_tables(args, chosen, peers, measurements, figures)
    except KeyboardInterrupt:
        print("interrupted: partial results follow", file=sys.stderr)
        status = INTERRUPTED
    _print_summary(args, figures, peers)
    if status == OK and any(figure.wrong for figure in figures):
        status = FAILED
    return status


def _figures(
    args: argparse.Namespace, chosen: Sequence[Benchmark], peers: Peers, tiers: dict[str, Tier]
) -> Iterator[Figure]:
    effort = Effort(tiny=args.check)
    for benchmark in chosen:
        repeats = 1 if args.check else args.repeats
        try:
            yield measure(benchmark, repeats, effort=effort, peers=peers, tiers=tiers)
        except Interrupted as error:  # Ctrl-C inside a word
            raise KeyboardInterrupt from error


def _print_tables(
    args: argparse.Namespace,
    chosen: Sequence[Benchmark],
    peers: Peers,
    measurements: Iterator[Figure],
    figures: list[Figure],
) -> None:
    """Print each figure when it has been measured, and append it to `figures`."""
    width = shutil.get_terminal_size().columns
    systems = args.tiers or (OURS,)
    for group in dict.fromkeys(benchmark.group for benchmark in chosen):
        members = [benchmark for benchmark in chosen if benchmark.group == group]
        present = {name for benchmark in members for name in benchmark.peers if peers.has(name)}
        table = Table(members, systems, width, present)
        if figures:
            print()
        _print_lines(table.head(group))
        done: list[Figure] = []
        try:
            for _ in members:
                figure = next(measurements)
                done.append(figure)
                figures.append(figure)
                _print_lines(table.rows(figure))
        finally:
            for system, ratios in geometric_means(done).get(group, {}).items():
                if ratios:
                    _print_lines(table.means(system, ratios))


def _print_lines(lines: Iterable[str]) -> None:
    print("\n".join(lines), flush=True)


def _print_summary(args: argparse.Namespace, figures: Sequence[Figure], peers: Peers) -> None:
    if args.json:
        print(json.dumps(document(figures, peers.versions, peers.absent), indent=2))
    elif args.markdown:
        print(markdown(figures, peers.versions, peers.absent), end="")
    else:
        for name, reason in peers.absent.items():
            print(f"skipped: {name} ({reason})")


# --- choice of benchmarks -----------------------------------------------------------------


def _choose(names: Sequence[str], known: dict[str, Benchmark]) -> list[Benchmark]:
    """Return the named benchmarks, in the order of `known`.

    A group or pattern does not select slow benchmarks.
    """
    if not names:
        return [benchmark for benchmark in known.values() if not benchmark.slow]
    chosen = {benchmark.name for name in names for benchmark in _matching(name, known)}
    return [benchmark for benchmark in known.values() if benchmark.name in chosen]


def _matching(name: str, known: dict[str, Benchmark]) -> list[Benchmark]:
    if name in known:
        return [known[name]]
    groups = dict.fromkeys(benchmark.group for benchmark in known.values())
    found = [
        benchmark
        for benchmark in known.values()
        if not benchmark.slow
        and (benchmark.group == name or fnmatch.fnmatchcase(benchmark.name, name))
    ]
    if not found:
        near = close_names(name, [*known, *groups])
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(
            f"no benchmark {name!r}{hint}\n  groups: {', '.join(groups)}"
            "\n  python -m benchmarks --list names all benchmarks"
        )
    return found


def _known_peers(requested: Sequence[str] | None) -> Sequence[str]:
    if requested is None:
        return NAMES
    if list(requested) == ["none"]:
        return ()
    return _require_known(requested, NAMES, "peer")


def _check_tiers(requested: Sequence[str]) -> None:
    _require_known(requested, TIERS, "tier")


def _require_known(requested: Sequence[str], names: Iterable[str], kind: str) -> Sequence[str]:
    for name in requested:
        if name not in names:
            raise UsageError(f"no {kind} {name!r} ({kind}s: {', '.join(names)})")
    return requested


def _list(chosen: Sequence[Benchmark]) -> None:
    for number, group in enumerate(dict.fromkeys(benchmark.group for benchmark in chosen)):
        if number:
            print()
        print(group)
        members = [benchmark for benchmark in chosen if benchmark.group == group]
        names = max(len(benchmark.name) for benchmark in members)
        units = max(len(benchmark.unit) for benchmark in members)
        for benchmark in members:
            summary = benchmark.summary + _notes(benchmark)
            print(f"{benchmark.name:{names}}  {benchmark.unit:{units}}  {summary}")


def _notes(benchmark: Benchmark) -> str:
    peers = f"; peers: {', '.join(benchmark.peers)}" if benchmark.peers else ""
    return peers + (" (slow: only if named)" if benchmark.slow else "")


if __name__ == "__main__":
    sys.exit(main())
