"""`forthvm analyse`: measures properties of a game.

Owns the options and the progress line; the autoplay package plays, counts and solves.
"""

from __future__ import annotations

import argparse
from copy import copy
from typing import TYPE_CHECKING

from forthvm.cli.loading import (
    add_current_folder_to_sys_path,
    budget_of,
    load_game,
    make_position,
    resolve_game,
)
from forthvm.cli.match_options import configuration_of
from forthvm.cli.options import (
    GAME_OR_POSITION,
    JOBS,
    LIMITS,
    POSITION,
    VIRTUAL_MACHINE,
    Option,
    integer,
    seconds,
)
from forthvm.cli.status import INTERRUPTED, OK
from forthvm.cli.terminal import StatusLine, columns, print_json
from forthvm.study.game_analysis import (
    DEFAULT_GAME_SECONDS,
    DEFAULT_GAMES,
    DEFAULT_POSITIONS,
    analyse,
)

if TYPE_CHECKING:
    from forthvm.autoplay import Configuration
    from forthvm.autoplay.match.running_game import Start

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Measures a game: length, number of legal moves, decisive games, advantage of the first player, with
intervals.  One engine plays all seats; by default it plays at random.  Small games are solved, and
their numbers are exact."""
EPILOG = """\
examples:
  forthvm analyse tictactoe
  forthvm analyse breakthrough --engine negamax:depth=2 -n 50
  forthvm analyse chess --time 60 --solve 0
  forthvm analyse reversi-6x6 --json | jq .branching
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("--json", help="print the numbers as JSON"),
    "the games",
    Option("-n, --games N", integer(1),
        help=f"number of games (default {DEFAULT_GAMES}, or fewer after "
        f"{DEFAULT_GAME_SECONDS:g} seconds)"),
    Option("--time SECONDS", seconds, help="start no game after this time"),
    Option("--engine SPEC", default="random",
        help="the engine of all seats, such as negamax:depth=2 (default random)"),
    Option("--opening-plies N", integer(0, 1000),
        help="begin with N random moves, so that deterministic engines do not repeat one game "
        "(default 2; with the engine random 0)"),
    Option("--max-plies N", integer(1), 2000, help="stop a game after N plies (default 2000)"),
    Option("--seed N", integer(0, 2**31 - 1), 1, help="random seed of the games (default 1)"),
    JOBS,
    "solving",
    Option("--solve N", integer(0), DEFAULT_POSITIONS,
        help=f"solve games with at most N positions (default {DEFAULT_POSITIONS:,}; 0: never)"),
    *POSITION,
    "the virtual machine",
    *VIRTUAL_MACHINE,
    *LIMITS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Plays and solves the game, and prints the numbers."""
    from forthvm.study.game_analysis_text import document, lines
    from forthvm.system.limits import processors

    load_args = copy(args)
    load_args.seed = load_args.game_log = None  # --seed is for playing the games, not for loading
    resolve_game(load_args)
    configuration = configuration_of(load_args, load_args.game)
    add_current_folder_to_sys_path(args.engine)
    with StatusLine() as progress:
        analysis = analyse(
            configuration,
            engine=args.engine,
            games=args.games,
            seconds=args.time,
            seed=args.seed,
            jobs=args.jobs or processors(),
            start=_start(configuration, args, load_args),
            max_plies=args.max_plies,
            opening_plies=args.opening_plies,
            solve_up_to=args.solve,
            max_seconds=args.max_seconds,
            max_memory=args.max_memory,
            watch=progress,
        )
    if args.json:
        print_json(document(analysis))
    else:
        print("\n".join(lines(analysis, columns())))
    return INTERRUPTED if analysis.interrupted else OK


def _start(
    configuration: Configuration, args: argparse.Namespace, load_args: argparse.Namespace
) -> Start:
    """Returns the start of the games: the moves and the set-up that the options describe."""
    from forthvm.autoplay.match.running_game import Start, load_configuration

    if args.position is None and args.moves is None:
        return Start()
    if args.position is None:
        game = load_configuration(configuration, seed=args.seed, budget=budget_of(args))
    else:
        game = load_game(load_args)
    position = make_position(game, load_args)
    moves = tuple((entry.player, entry.text) for entry in position.history)
    return Start(moves, position._setup)
