"""`forthvm autoplay`: plays matches and tournaments.

Owns the options and the output; the autoplay package plays the games.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.match_options import (
    DEFAULT_GAMES,
    create_match,
    resume_match,
)
from forthvm.cli.options import (
    JOBS,
    LIMITS,
    MANY,
    VIRTUAL_MACHINE,
    Option,
    integer,
    number,
    seconds,
)
from forthvm.cli.status import FAILED, INTERRUPTED, OK, UsageError
from forthvm.cli.streams import styled
from forthvm.cli.terminal import print_json
from forthvm.core.text.wording import counted
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from forthvm.autoplay import Match
    from forthvm.autoplay.match.progress import Progress

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

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

OPTIONS = (
    Option("[GAME ...]", attribute="game", help="a game, or two configurations of a game"),
    "the match",
    Option("--engine NAME=SPEC", repeatable=True,
        help="an entrant and its engine; repeatable.  With two GAMEs, NAME is one of them"),
    Option("-n, --games N", integer(1), help=f"number of games (default {DEFAULT_GAMES})"),
    Option("--schedule KIND", default="round-robin",
        choices=("round-robin", "gauntlet", "swiss", "fixed"),
        help="round-robin (default): every entrant meets every other; gauntlet: the first meets "
        "all others; swiss: entrants with equal scores meet; fixed: seats never change, as in the "
        "original AutoPlay"),
    Option("--sprt NAME=X [NAME=X ...]", default=[],
        help="end the match when a sequential test decides: elo0=0 elo1=10 [alpha= beta=]"),
    Option("--seed N", integer(0, 2**31 - 1), help="random seed of the match (default 1)"),
    "limits of the engines",
    Option("--time SECONDS", seconds, help="time for each move"),
    Option("--clock [NAME=]CLOCK", repeatable=True,
        help="a clock for all entrants, or only for NAME: SECONDS, SECONDS+INCREMENT, or "
        "MOVES/SECONDS; repeatable"),
    Option("--margin SECONDS", seconds,
        help="tolerated excess of time (default: 0.1 with a clock, else 1 plus half of --time)"),
    Option("--depth N", integer(1), help="search depth in plies"),
    Option("--nodes N", integer(1), help="positions to search per move"),
    "the games",
    Option("--opening-plies N", integer(0, 1000),
        help="begin with N random moves, the same in all games of a pair (default 2; with "
        "--openings 0)"),
    Option("--openings FILE", Path,
        help="use the openings in FILE in turn; a line has moves (`a2-a3; b7-b6`) or a saved "
        "position"),
    Option("--max-plies N", integer(1), 2000, help="declare a draw after N plies (default 2000)"),
    Option("--repetition N", integer(2), 0,
        help="declare a draw when a position occurs N times (default: by the game's rules only)"),
    Option("--win-score SCORE[:PLIES]",
        help="declare a win when both engines agree on a lead of SCORE for PLIES plies "
        "(default 6)"),
    Option("--draw-score SCORE[:PLIES[:AFTER]]",
        help="declare a draw when both engines report at most SCORE for PLIES plies (default 10), "
        "from ply AFTER (default 60) on"),
    Option("--on-failure", default="forfeit", choices=("forfeit", "void"),
        help="when an engine fails, it loses (forfeit, the default) or the game does not count "
        "(void)"),
    Option("--hang SECONDS", number(0.001, MANY), 600.0,
        help="an engine without a time limit fails after this time for a move (default 600)"),
    Option("--memory MIB", integer(32, 2**31),
        help="limit of the engines' memory in each worker process, in MiB, in addition to the "
        "memory after loading the game; at least 32"),
    *VIRTUAL_MACHINE,
    *LIMITS,
    "workers and output",
    JOBS,
    Option("--workers", choices=("threads", "processes"),
        help="kind of workers (default: threads if all engines are native, else processes)"),
    Option("--executor dask=ADDRESS", help="play on a dask.distributed cluster"),
    Option("--out FILE", Path, help="results file"),
    Option("--resume FILE", Path,
        help="play the missing games of a match; with -n, also further games"),
    Option("--trust",
        help="with --resume: allow the programs, modules and scripts named in the file"),
    "the output",
    Option("--quiet", help="print the results only, not the progress"),
    Option("--article", help="results in the format of the original AutoPlay"),
    Option("--json", help="results as one JSON document"),
)  # fmt: skip


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
        print_json({**document(summary), "file": str(match.store.path)})
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
