"""`forthvm bench`: measures this machine.

Owns the choice of benches and the printing; the benches are in forthvm/bench.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from forthvm.cli import common
from forthvm.cli.app import FAILED, INTERRUPTED, OK, UsageError
from forthvm.core.wording import close_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from forthvm.bench import Bench, Figure, Peers, Tier

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Runs benches, each of which checks its own answer, and prints the medians.  Slow ones are
run only when they are named.  Peers that are installed do the same work in the same run; of
each the ratio is printed, forthvm's time as a multiple of the peer's: below 1, forthvm
is faster.  Wrong answers make the exit status 1."""
EPILOG = """\
examples:
  forthvm bench
  forthvm bench fib scan --repeats 9
  forthvm bench interpreter script --peers gforth-fast,C
  forthvm bench '*-chess' --peers none
  forthvm bench interpreter --tiers interpreter,native
  forthvm bench --json > today.json
  forthvm bench duel-10
  forthvm bench --list
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="benches, groups of benches, or patterns with * (default: all but slow)",
    )
    parser.add_argument("--list", action="store_true", help="say which benches there are")
    parser.add_argument("--repeats", type=common.whole(1), metavar="N", help="measure each N times")
    parser.add_argument(
        "--peers",
        type=_listed,
        metavar="LIST",
        help="who else is measured: names with commas between them, or none (default: who is here)",
    )
    parser.add_argument(
        "--tiers",
        type=_listed,
        metavar="LIST",
        default=(),
        help="measure these tiers, each in a process of its own: interpreter,native",
    )
    parser.add_argument(
        "--check", action="store_true", help="only check the answers, at tiny sizes, once"
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the figures as JSON")
    shape.add_argument("--markdown", action="store_true", help="print the figures as Markdown")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def run(args: argparse.Namespace) -> int:
    """Measures and prints; what is done so far, when Ctrl-C ends it."""
    from forthvm.bench import Peers, Tier, all_benches

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
        print("interrupted: what follows is what was done", file=sys.stderr)
        status = INTERRUPTED
    _print_end(args, figures, peers)
    if status == OK and any(figure.wrong for figure in figures):
        status = FAILED
    return status


def _measured(
    args: argparse.Namespace, chosen: Sequence[Bench], peers: Peers, tiers: dict[str, Tier]
) -> Iterator[Figure]:
    from forthvm.bench import Effort, measure
    from forthvm.core.errors import Interrupted

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
    from forthvm.bench import OURS, geometric_means
    from forthvm.bench.show import Table
    from forthvm.cli.terminal import Screen

    screen = Screen()
    ours = args.tiers or (OURS,)
    for group in dict.fromkeys(bench.group for bench in chosen):
        members = [bench for bench in chosen if bench.group == group]
        taking_part = {name for bench in members for name in bench.peers if peers.has(name)}
        table = Table(members, ours, screen.width, taking_part)
        if figures:
            screen.say()
        screen.lines(map(screen.bold, table.head(group)))
        done: list[Figure] = []
        try:
            for _ in members:
                figure = next(steps)
                done.append(figure)
                figures.append(figure)
                screen.lines(table.rows(figure))
        finally:
            for who, ratios in geometric_means(done).get(group, {}).items():
                if ratios:
                    screen.lines(table.means(who, ratios))


def _print_end(args: argparse.Namespace, figures: Sequence[Figure], peers: Peers) -> None:
    from forthvm.bench.show import document, markdown

    if args.json:
        common.print_json(document(figures, peers.versions, peers.absent))
    elif args.markdown:
        print(markdown(figures, peers.versions, peers.absent), end="")
    else:
        for name, why in peers.absent.items():
            print(f"skipped: {name} ({why})")


# --- what is chosen ---------------------------------------------------------------------


def _choose(names: Sequence[str], known: dict[str, Bench]) -> list[Bench]:
    """In the order of the list, each once; groups and patterns leave the slow ones out."""
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
            "\n  forthvm bench --list names all benches"
        )
    return found


def _known_peers(wanted: Sequence[str] | None) -> Sequence[str]:
    from forthvm.bench.peers import NAMES

    if wanted is None:
        return NAMES
    if list(wanted) == ["none"]:
        return ()
    return _all_known(wanted, NAMES, "peer")


def _check_tiers(wanted: Sequence[str]) -> None:
    from forthvm.bench import TIERS

    _all_known(wanted, TIERS, "tier")


def _all_known(wanted: Sequence[str], names: Iterable[str], kind: str) -> Sequence[str]:
    for name in wanted:
        if name not in names:
            raise UsageError(f"no {kind} {name!r} ({kind}s: {', '.join(names)})")
    return wanted


def _list(chosen: Sequence[Bench]) -> None:
    from forthvm.cli.terminal import Screen, table

    screen = Screen()
    for number, group in enumerate(dict.fromkeys(bench.group for bench in chosen)):
        if number:
            screen.say()
        screen.say_styled(screen.bold(group))
        members = [bench for bench in chosen if bench.group == group]
        rows = [(each.name, each.unit, each.summary + _notes(each)) for each in members]
        screen.lines(table(rows, screen.width))


def _notes(bench: Bench) -> str:
    beside = f"; beside {', '.join(bench.peers)}" if bench.peers else ""
    return beside + (" (slow: only when named)" if bench.slow else "")
