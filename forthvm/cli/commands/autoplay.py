"""`forthvm autoplay`: matches and tournaments.

Owns the options and what is printed; matches are the autoplay layer's.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.match_options import DEFAULT_GAMES, DEFAULT_OPENING, created, resumed
from forthvm.cli.status import INTERRUPTED, OK, UsageError
from forthvm.cli.streams import styled
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from forthvm.autoplay import Match
    from forthvm.autoplay.match.progress import Progress

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Plays matches and tournaments, and keeps every game in a file.

Two GAMEs are two configurations of one game that play each other, each by the engines that its
own script names.  With one GAME, entrants are engines: --engine NAME=SPEC for each."""
EPILOG = """\
examples:
  forthvm autoplay splut-duel splut-random -n 100
  forthvm autoplay splut-duel splut-random -n 100 --schedule fixed
  forthvm autoplay breakthrough --engine A=negamax:depth=4 --engine B=mcts:playouts=500 -n 200
  forthvm autoplay chess --engine new=my:Engine --engine old=negamax --sprt elo0=0 elo1=10 -n 5000
  forthvm autoplay --resume results.db
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "game", nargs="*", metavar="GAME", help="a game, or two configurations of one"
    )
    group = parser.add_argument_group("the match")
    group.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=SPEC",
        help="an entrant and its engine; repeat for each.  With two GAMEs NAME is one of them",
    )
    group.add_argument(
        "-n",
        "--games",
        type=option_values.whole(1),
        metavar="N",
        help=f"games in all (default {DEFAULT_GAMES})",
    )
    group.add_argument(
        "--schedule",
        choices=("round-robin", "gauntlet", "swiss", "fixed"),
        metavar="KIND",
        default="round-robin",
        help="who plays whom: all entrants each other (round-robin); the first all others "
        "(gauntlet); those with equal scores each other (swiss); or one seating that never "
        "changes, as in the original's AutoPlay (fixed)",
    )
    group.add_argument(
        "--sprt",
        nargs="+",
        default=[],
        metavar="NAME=X",
        help="end the match when a sequential test has decided: elo0=0 elo1=10 [alpha= beta=]",
    )
    group.add_argument(
        "--seed",
        type=option_values.whole(0, 2**31 - 1),
        metavar="N",
        help="random seed of the match (default 1)",
    )
    _add_thinking(parser)
    _add_games(parser)
    group = parser.add_argument_group("workers and output")
    group.add_argument(
        "--jobs",
        "-j",
        type=option_values.whole(1, 1024),
        metavar="N",
        help="games played in parallel",
    )
    group.add_argument(
        "--workers",
        choices=("threads", "processes"),
        help="(default: threads where all engines are native, else processes)",
    )
    group.add_argument(
        "--executor", metavar="dask=ADDRESS", help="play on a dask.distributed cluster"
    )
    group.add_argument("--out", type=Path, metavar="FILE", help="results file")
    group.add_argument(
        "--resume", type=Path, metavar="FILE", help="play the missing games; with -n, also more"
    )
    group.add_argument(
        "--trust",
        action="store_true",
        help="with --resume: let the file start the programs and import the modules that it names",
    )
    group = parser.add_argument_group("the output")
    group.add_argument(
        "--quiet", action="store_true", help="print the results only, not the progress"
    )
    group.add_argument("--article", action="store_true", help="results in the original's format")
    group.add_argument("--json", action="store_true", help="results as one JSON document")
    parser.set_defaults(declared=parser)


def _add_thinking(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits of the engines")
    group.add_argument(
        "--time", type=option_values.seconds, metavar="SECONDS", help="for each move"
    )
    group.add_argument(
        "--clock",
        action="append",
        default=[],
        metavar="[NAME=]CLOCK",
        help="a clock for all entrants, or for NAME alone: SECONDS, SECONDS+INCREMENT, or "
        "MOVES/SECONDS; repeatable",
    )
    group.add_argument(
        "--margin",
        type=option_values.seconds,
        metavar="SECONDS",
        help="forgiven beyond the time (default: 0.1 on a clock, else 1 and half the time)",
    )
    group.add_argument(
        "--depth", type=option_values.whole(1), metavar="N", help="search depth in plies"
    )
    group.add_argument(
        "--nodes", type=option_values.whole(1), metavar="N", help="positions to search"
    )


def _add_games(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the games")
    group.add_argument(
        "--opening-plies",
        type=option_values.whole(0, 1000),
        metavar="N",
        help="random moves to begin with, the same ones in both games of a pair "
        f"(default {DEFAULT_OPENING}; 0 for two GAMEs and with --openings)",
    )
    group.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="openings to use in turns: moves (`a2-a3; b7-b6`) or saved positions, one a line",
    )
    group.add_argument(
        "--max-plies",
        type=option_values.whole(1),
        default=2000,
        metavar="N",
        help="longer games are drawn (default 2000)",
    )
    group.add_argument(
        "--repetition",
        type=option_values.whole(2),
        default=0,
        metavar="N",
        help="drawn when a position comes up N times (default: never; most games see to it)",
    )
    group.add_argument(
        "--win-score",
        metavar="SCORE[:PLIES]",
        help="won when both engines agree on so much for PLIES plies (6)",
    )
    group.add_argument(
        "--draw-score",
        metavar="SCORE[:PLIES[:AFTER]]",
        help="drawn when both agree on so little for PLIES plies (10), from ply AFTER (60) on",
    )
    group.add_argument(
        "--on-failure",
        choices=("forfeit", "void"),
        default="forfeit",
        help="an engine that fails loses (the default), or the game does not count",
    )
    group.add_argument(
        "--hang",
        type=option_values.seconds,
        default=600.0,
        metavar="SECONDS",
        help="an engine without a limit of time is given up after so long (default 600)",
    )
    group.add_argument(
        "--memory",
        type=option_values.whole(32),
        metavar="MB",
        help="memory that engines may use in each worker process, besides what it has once the "
        "game is loaded; at least 32",
    )
    shared_options.add_vm_options(group)
    shared_options.add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Plays a match, or the rest of one."""
    from forthvm.autoplay import MatchError, StoreError

    if args.resume is not None:  # what is wrong then is the file's, not the command line's
        with resumed(args) as match:
            return _play(match, args)
    try:
        match = created(args)
    except (MatchError, StoreError) as error:
        raise UsageError("\n  ".join([str(error), *error.hints])) from error
    with match:
        return _play(match, args)


def _play(match: Match, args: argparse.Namespace) -> int:
    from forthvm.autoplay.match.executors import cores
    from forthvm.core.errors import Interrupted

    progress = None if args.quiet else _progress()
    file = match.store.path
    if progress is not None and args.resume is None:
        progress.note(
            f"{match.settings.game}: {counted(match.games, 'game')}, results go to {file}"
        )
        for text in _advice(match):
            progress.note(text)
    status = OK
    try:
        match.run(
            jobs=args.jobs or cores(),
            workers=args.workers,
            executor=args.executor,
            watcher=progress,
        )
    except (KeyboardInterrupt, Interrupted):  # the latter: while openings were drawn
        status = INTERRUPTED
    except Exception as error:
        hints = getattr(error, "hints", None)
        if hints is not None:
            error.hints = (*hints, _how_to_go_on(match))  # type: ignore[attr-defined]
        raise
    finally:
        if progress is not None:
            progress.end()
    _tell(match, args)
    if status == INTERRUPTED:  # last, where it is seen
        sys.stdout.flush()
        print(f"interrupted: {_how_to_go_on(match)}", file=sys.stderr)
    return status


def _how_to_go_on(match: Match) -> str:
    import shlex

    from forthvm.autoplay.results.foreign_code import engine_code

    # Asked of the file: Ctrl-C may come when a game is written and not yet in `match.rows`.
    done = _recorded(match)
    trust = " --trust" if engine_code(match.settings) else ""
    return (
        f"{done} of {counted(match.games, 'game')} kept; go on with: "
        f"forthvm autoplay --resume {shlex.quote(str(match.store.path))}{trust}"
    )


def _recorded(match: Match) -> int:
    from forthvm.autoplay import StoreError

    try:
        return len(match.store.numbers())
    except StoreError:  # the failure that ended the match
        return len(match.rows)


def _tell(match: Match, args: argparse.Namespace) -> None:
    """The results."""
    from forthvm.autoplay.report.summary_text import article_lines, tables
    from forthvm.autoplay.results.export import document
    from forthvm.autoplay.statistics.summary import summarise_store
    from forthvm.cli.terminal import columns

    summary = summarise_store(match.store.match(), match.store.games())
    if args.json:
        shared_options.print_json({**document(summary), "file": str(match.store.path)})
        return
    lines = article_lines(summary) if args.article else tables(summary, columns())
    print("\n".join(lines))
    if not args.quiet and not args.article and match.rows and not match.missing:
        print(f"\nMore: forthvm report {match.store.path}")


def _advice(match: Match) -> list[str]:
    """What limits how far the result can be relied on."""
    from forthvm.autoplay.match.schedule import cycle_length

    settings = match.settings
    if settings.schedule in {"swiss", "fixed"}:
        return []
    cycle = cycle_length(settings.schedule, len(settings.entrants), len(match.seats))
    if match.games % cycle == 0:
        return []
    return [
        f"note: seats come out even after every {counted(cycle, 'game')}; "
        f"{match.games} is not a multiple of that"
    ]


def _progress() -> Progress:
    import os

    from forthvm.autoplay.match.progress import Progress
    from forthvm.cli.terminal import columns

    dumb = os.environ.get("TERM", "") in {"dumb", "unknown"}
    return Progress(styled(sys.stderr), rewrite=sys.stderr.isatty() and not dumb, width=columns)
