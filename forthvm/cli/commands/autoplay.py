"""`forthvm autoplay`: plays matches and tournaments.

Owns the options and the output; the autoplay package plays the games.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.match_options import (
    DEFAULT_GAMES,
    create_match,
    resume_match,
)
from forthvm.cli.status import FAILED, INTERRUPTED, OK, UsageError
from forthvm.cli.streams import styled
from forthvm.core.text.wording import counted
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from forthvm.autoplay import Match
    from forthvm.autoplay.match.progress import Progress

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Plays matches and tournaments, and records every game in a file.

With one GAME, the entrants are engines, one for each --engine NAME=SPEC.  With two GAMEs, which
must be configurations of one game, each GAME is an entrant that plays with its script's engines."""
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
        "game", nargs="*", metavar="GAME", help="a game, or two configurations of a game"
    )
    group = parser.add_argument_group("the match")
    group.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=SPEC",
        help="an entrant and its engine; repeatable.  With two GAMEs, NAME is one of them",
    )
    group.add_argument(
        "-n",
        "--games",
        type=option_values.integer(1),
        metavar="N",
        help=f"number of games (default {DEFAULT_GAMES})",
    )
    group.add_argument(
        "--schedule",
        choices=("round-robin", "gauntlet", "swiss", "fixed"),
        metavar="KIND",
        default="round-robin",
        help="round-robin (default): every entrant meets every other; gauntlet: the first meets "
        "all others; swiss: entrants with equal scores meet; fixed: seats never change, as in the "
        "original AutoPlay",
    )
    group.add_argument(
        "--sprt",
        nargs="+",
        default=[],
        metavar="NAME=X",
        help="end the match when a sequential test decides: elo0=0 elo1=10 [alpha= beta=]",
    )
    group.add_argument(
        "--seed",
        type=option_values.integer(0, 2**31 - 1),
        metavar="N",
        help="random seed of the match (default 1)",
    )
    _add_engine_limits(parser)
    _add_game_rules(parser)
    group = parser.add_argument_group("workers and output")
    group.add_argument(
        "--jobs",
        "-j",
        type=option_values.integer(1, 1024),
        metavar="N",
        help="play N games in parallel (default: the number of cores)",
    )
    group.add_argument(
        "--workers",
        choices=("threads", "processes"),
        help="kind of workers (default: threads if all engines are native, else processes)",
    )
    group.add_argument(
        "--executor", metavar="dask=ADDRESS", help="play on a dask.distributed cluster"
    )
    group.add_argument("--out", type=Path, metavar="FILE", help="results file")
    group.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="play the missing games of a match; with -n, also further games",
    )
    group.add_argument(
        "--trust",
        action="store_true",
        help="with --resume: allow the programs, modules and scripts named in the file",
    )
    group = parser.add_argument_group("the output")
    group.add_argument(
        "--quiet", action="store_true", help="print the results only, not the progress"
    )
    group.add_argument(
        "--article", action="store_true", help="results in the format of the original AutoPlay"
    )
    group.add_argument("--json", action="store_true", help="results as one JSON document")
    parser.set_defaults(parser=parser)


def _add_engine_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits of the engines")
    group.add_argument(
        "--time", type=option_values.seconds, metavar="SECONDS", help="time for each move"
    )
    group.add_argument(
        "--clock",
        action="append",
        default=[],
        metavar="[NAME=]CLOCK",
        help="a clock for all entrants, or only for NAME: SECONDS, SECONDS+INCREMENT, or "
        "MOVES/SECONDS; repeatable",
    )
    group.add_argument(
        "--margin",
        type=option_values.seconds,
        metavar="SECONDS",
        help="tolerated excess of time (default: 0.1 with a clock, else 1 plus half of --time)",
    )
    group.add_argument(
        "--depth", type=option_values.integer(1), metavar="N", help="search depth in plies"
    )
    group.add_argument(
        "--nodes", type=option_values.integer(1), metavar="N", help="positions to search per move"
    )


def _add_game_rules(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the games")
    group.add_argument(
        "--opening-plies",
        type=option_values.integer(0, 1000),
        metavar="N",
        help="begin with N random moves, the same in all games of a pair "
        "(default 2; with --openings 0)",
    )
    group.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="use the openings in FILE in turn; a line has moves (`a2-a3; b7-b6`) or a saved "
        "position",
    )
    group.add_argument(
        "--max-plies",
        type=option_values.integer(1),
        default=2000,
        metavar="N",
        help="declare a draw after N plies (default 2000)",
    )
    group.add_argument(
        "--repetition",
        type=option_values.integer(2),
        default=0,
        metavar="N",
        help="declare a draw when a position occurs N times (default: by the game's rules only)",
    )
    group.add_argument(
        "--win-score",
        metavar="SCORE[:PLIES]",
        help="declare a win when both engines agree on a lead of SCORE for PLIES plies (default 6)",
    )
    group.add_argument(
        "--draw-score",
        metavar="SCORE[:PLIES[:AFTER]]",
        help="declare a draw when both engines report at most SCORE for PLIES plies (default 10), "
        "from ply AFTER (default 60) on",
    )
    group.add_argument(
        "--on-failure",
        choices=("forfeit", "void"),
        default="forfeit",
        help="when an engine fails, it loses (forfeit, the default) or the game does not count "
        "(void)",
    )
    group.add_argument(
        "--hang",
        type=option_values.number(0.001, option_values.MANY),
        default=600.0,
        metavar="SECONDS",
        help="an engine without a time limit fails after this time for a move (default 600)",
    )
    group.add_argument(
        "--memory",
        type=option_values.integer(32, 2**31),
        metavar="MIB",
        help="limit of the engines' memory in each worker process, in MiB, in addition to the "
        "memory after loading the game; at least 32",
    )
    shared_options.add_vm_options(group)
    shared_options.add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Plays a match, or the missing games of a match."""
    from forthvm.autoplay import MatchError, StoreError

    if args.resume is not None:  # an error of the results file is not wrong usage
        with resume_match(args) as match:
            return _play(match, args)
    try:
        match = create_match(args)
    except (MatchError, StoreError) as error:
        raise UsageError("\n  ".join([str(error), *error.hints])) from error
    with match:
        return _play(match, args)


def _play(match: Match, args: argparse.Namespace) -> int:
    from forthvm.core.errors import Interrupted
    from forthvm.system.limits import processors

    progress = None if args.quiet else _progress()
    file = match.store.path
    if progress is not None and args.resume is None:
        progress.note(
            f"{match.settings.game}: {counted(match.games, 'game')}, results go to {file}"
        )
        for text in filter(None, [_uneven_seats(match), _few_openings(match)]):
            progress.note(text)
    elif match.test is not None and (text := _few_openings(match)):
        print(text, file=sys.stderr)
    status = OK
    try:
        match.run(
            jobs=args.jobs or processors(),
            workers=args.workers,
            executor=args.executor,
            watcher=progress,
        )
    except (KeyboardInterrupt, Interrupted):  # Interrupted: Ctrl-C while a script was running
        status = INTERRUPTED
    except Exception as error:
        hints = getattr(error, "hints", None)
        if hints is not None:
            error.hints = (*hints, _how_to_resume(match))  # type: ignore[attr-defined]
        raise
    finally:
        if progress is not None:
            progress.end()
    some_fail = _print_results(match, args)
    if status == OK and some_fail:
        status = FAILED
    if status == INTERRUPTED:  # printed last, so that users see it
        sys.stdout.flush()
        print(f"interrupted: {_how_to_resume(match)}", file=sys.stderr)
    return status


def _how_to_resume(match: Match) -> str:
    """Returns the number of recorded games and the command that continues the match."""
    from forthvm.autoplay.results.foreign_code import engine_code

    recorded = _recorded_count(match)
    trust = " --trust" if engine_code(match.settings) else ""
    return (
        f"{recorded} of {counted(match.games, 'game')} recorded; continue with: "
        f"forthvm autoplay --resume {quoted(str(match.store.path))}{trust}"
    )


def _recorded_count(match: Match) -> int:
    """Returns the number of games in the results file.

    After Ctrl-C, the file can have a game that is not yet in `match.rows`.
    """
    from forthvm.autoplay import StoreError

    try:
        return len(match.store.numbers())
    except StoreError:  # the match ended because the file could not be written
        return len(match.rows)


def _print_results(match: Match, args: argparse.Namespace) -> bool:
    """Prints the results; returns whether an engine failed in most of its games."""
    from forthvm.autoplay.report.summary_text import article_lines, failures, tables
    from forthvm.autoplay.results.export import document
    from forthvm.autoplay.statistics.summary import summarise_store
    from forthvm.cli.terminal import columns

    summary = summarise_store(match.store.match(), match.store.games())
    if args.json or args.article:  # these forms have no place for messages
        print("\n".join(failures(summary)), end="\n" * bool(summary.failing), file=sys.stderr)
    if args.json:
        shared_options.print_json({**document(summary), "file": str(match.store.path)})
        return bool(summary.failing)
    lines = article_lines(summary) if args.article else tables(summary, columns())
    print("\n".join(lines))
    if not args.quiet and not args.article and match.rows and not match.missing_games:
        print(f"\nMore: forthvm report {match.store.path}")
    return bool(summary.failing)


def _uneven_seats(match: Match) -> str:
    """Returns a note if the entrants do not have all seats equally often; else ""."""
    from forthvm.autoplay.match.schedule import cycle_length

    settings = match.settings
    if settings.schedule in {"swiss", "fixed"}:
        return ""
    cycle = cycle_length(settings.schedule, len(settings.entrants), len(match.seats))
    if match.games % cycle == 0:
        return ""
    return (
        f"note: each entrant has each seat equally often after {counted(cycle, 'game')}; "
        f"{match.games} is not a multiple of {cycle}"
    )


def _few_openings(match: Match) -> str:
    """Returns a note if there are too few openings for engines without random numbers; else ""."""
    from forthvm.autoplay.match.schedule import cycle_length
    from forthvm.engines.registry import draws_random_numbers

    settings = match.settings
    if any(draws_random_numbers(entrant.spec) for entrant in settings.entrants):
        return ""
    games_of_opening = 1
    if settings.schedule != "fixed":
        games_of_opening = cycle_length(settings.schedule, len(settings.entrants), len(match.seats))
    needed = -(-match.games // games_of_opening)
    openings = match.different_openings(needed)
    if openings >= needed:
        return ""
    most = openings * games_of_opening
    test = " The sequential test leaves out copies of games." if match.test is not None else ""
    return (
        f"note: the match has {counted(openings, 'different opening')}, so engines that draw no "
        f"random numbers play at most {counted(most, 'different game')} of {match.games:,}.{test} "
        "More openings: --opening-plies N, --openings FILE"
    )


def _progress() -> Progress:
    import os

    from forthvm.autoplay.match.progress import Progress
    from forthvm.cli.terminal import columns

    is_dumb = os.environ.get("TERM", "") in {"dumb", "unknown"}  # cannot move the cursor
    rewrite = sys.stderr.isatty() and not is_dumb
    return Progress(styled(sys.stderr), rewrite=rewrite, width=columns)
