"""`forthvm analyse`: measures properties of a game.

Owns the options and the progress line; the autoplay package plays, counts and solves.
"""

from __future__ import annotations

import argparse
from copy import copy
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import INTERRUPTED, OK, UsageError
from forthvm.cli.terminal import StatusLine

if TYPE_CHECKING:
    from forthvm.autoplay import Configuration
    from forthvm.autoplay.match.running_game import Start

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

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


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    from forthvm.study.game_analysis import (
        DEFAULT_GAME_SECONDS,
        DEFAULT_GAMES,
        DEFAULT_POSITIONS,
    )

    shared_options.add_game_argument(parser)
    group = parser.add_argument_group("the games")
    group.add_argument(
        "-n",
        "--games",
        type=option_values.integer(1),
        metavar="N",
        help=f"number of games (default {DEFAULT_GAMES}, or fewer after "
        f"{DEFAULT_GAME_SECONDS:g} seconds)",
    )
    group.add_argument(
        "--time",
        type=option_values.seconds,
        metavar="SECONDS",
        help="start no game after this time",
    )
    group.add_argument(
        "--engine",
        default="random",
        metavar="SPEC",
        help="the engine of all seats, such as negamax:depth=2 (default random)",
    )
    group.add_argument(
        "--opening-plies",
        type=option_values.integer(0, 1000),
        metavar="N",
        help="begin with N random moves, so that deterministic engines do not repeat one game "
        "(default 2; with the engine random 0)",
    )
    group.add_argument(
        "--max-plies",
        type=option_values.integer(1),
        default=2000,
        metavar="N",
        help="stop a game after N plies (default 2000)",
    )
    group.add_argument(
        "--seed",
        type=option_values.integer(0, 2**31 - 1),
        default=1,
        metavar="N",
        help="random seed of the games (default 1)",
    )
    group.add_argument(
        "--jobs",
        "-j",
        type=option_values.integer(1, 1024),
        metavar="N",
        help="play N games in parallel (default: the number of cores)",
    )
    parser.add_argument_group("solving").add_argument(
        "--solve",
        type=option_values.integer(0),
        default=DEFAULT_POSITIONS,
        metavar="N",
        help=f"solve games with at most N positions (default {DEFAULT_POSITIONS:,}; 0: never)",
    )
    shared_options.add_position_options(parser)
    group = parser.add_argument_group("the virtual machine")
    shared_options.add_vm_options(group)
    shared_options.add_limit_options(parser)
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")


def run(args: argparse.Namespace) -> int:
    """Plays and solves the game, and prints the numbers."""
    from forthvm.cli.terminal import columns
    from forthvm.study.game_analysis import analyse
    from forthvm.study.game_analysis_text import document, lines
    from forthvm.system.limits import processors

    load_args = copy(args)
    load_args.seed = load_args.game_log = None  # --seed is for playing the games, not for loading
    shared_options.resolve_game(load_args)
    configuration = _configuration(load_args)
    shared_options.add_current_folder_to_sys_path(args.engine)
    progress = StatusLine()
    try:
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
    finally:
        progress.clear()
    if args.json:
        shared_options.print_json(document(analysis))
    else:
        print("\n".join(lines(analysis, columns())))
    return INTERRUPTED if analysis.interrupted else OK


def _configuration(args: argparse.Namespace) -> Configuration:
    from forthvm.autoplay import Configuration
    from forthvm.game import find_game

    if args.axiom_lib is not None and not args.axiom_lib.is_dir():
        raise UsageError(f"--axiom-lib: there is no folder {args.axiom_lib}")
    name, path = find_game(args.game)
    return Configuration(
        name=name,
        game=args.game if name == args.game else str(path.absolute()),
        settings=tuple(args.set),
        axiom=args.axiom,
        library=None if args.axiom_lib is None else str(args.axiom_lib.absolute()),
        checked=args.checked,
        include=tuple(map(str, args.include)),
    )


def _start(
    configuration: Configuration, args: argparse.Namespace, load_args: argparse.Namespace
) -> Start:
    """Returns the start of the games: the moves and the set-up that the options describe."""
    from forthvm.autoplay.match.running_game import Start, load_configuration

    if args.position is None and args.moves is None:
        return Start()
    if args.position is None:
        game = load_configuration(
            configuration, seed=args.seed, budget=shared_options.budget_of(args)
        )
    else:
        game = shared_options.load_game(load_args)
    position = shared_options.make_position(game, load_args)
    moves = tuple((entry.player, entry.text) for entry in position.history)
    return Start(moves, position._setup)
