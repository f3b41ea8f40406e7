"""`forthvm run`: plays a game between human players and engines, or between engines.

Owns the options and the choice of the user's side; the modules of cli/play run the game.
"""

from __future__ import annotations

import argparse
import sys
from copy import copy
from typing import TYPE_CHECKING

from forthvm.cli.files import read_text
from forthvm.cli.loading import load_game, make_position
from forthvm.cli.options import (
    ASCII,
    ENGINES,
    EVERYTHING,
    GAME_OR_POSITION,
    LOADING,
    POSITION,
    Option,
    integer,
    seconds,
)
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.core.errors import ForthVMError
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from forthvm.cli.play.line_input import Reader
    from forthvm.cli.play.script_errors import Failures
    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.engines import Limits
    from forthvm.game import Game, Position

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Plays a game: you against an engine or, with --auto, engines against each other.

Engines are `script` (the engine that the script names for the player), `negamax`, `mcts`, `maxn`,
`brs`, `axiom` (the original's search), `random`, `first`, `module:Class` (a class in Python),
a program (`uci:PROGRAM`, `usi:`, `ucci:`, `gtp:`, `xboard:`, `ugi:`), and engines of installed
packages.  The default is `script` if the script names an engine, else `negamax`.  Options of an
engine follow a colon: negamax:depth=6,tt=64"""
EPILOG = """\
examples:
  forthvm run tictactoe
  forthvm run chess --side White --level 5
  forthvm run breakthrough --side Black --engine negamax:time=2
  forthvm run splut-duel --auto --engine South=script --engine North=random --seed 7
  forthvm run --position saved.json
"""

OPTIONS = (
    GAME_OR_POSITION,
    *LOADING,
    "the players",
    Option("--side NAME", repeatable=True,
        help="the player that you play, or `all`; repeatable (default: forthvm asks)"),
    ENGINES,
    Option("--level [NAME=]N", repeatable=True,
        help="let the engines of all players, or of the player NAME, play at level N; repeatable "
        "(`forthvm levels GAME` lists the levels, 1 is the weakest)"),
    Option("--auto", help="let engines play all sides"),
    Option("--time SECONDS", seconds, help="time for each move of an engine"),
    Option("--depth N", integer(1), help="search depth of engines in plies"),
    Option("--ask-passes", help="do not make a pass automatically when it is your only legal move"),
    *POSITION,
    "the output",
    Option("--max-plies N", integer(1),
        help="stop after N plies (default: no limit; with --auto 10000)"),
    Option("--brief", help="with --auto: show only the last board"),
    Option("--think", help="with --auto: show engines' scores"),
    ASCII,
    EVERYTHING,
    Option("--json", needs=["--auto"], help="with --auto: print one JSON document"),
    Option("--debug-on-error",
        help="open the debugger where the script fails (see `forthvm debug`)"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Plays a game."""
    from forthvm.cli.play.script_errors import Failures
    from forthvm.cli.play.seats import Seats, level_specs
    from forthvm.cli.terminal import Screen
    from forthvm.engines import Limits

    if args.auto and args.side:
        raise UsageError("--auto plays all sides: leave --side out")
    screen = Screen(ascii_only=args.ascii, everything=args.everything)
    game = load_game(args, echo=not args.json)
    limits: Limits = Limits(time=args.time, depth=args.depth)
    specs = [*args.engine, *level_specs(game, args.level)]
    seats = Seats(game, specs, seed=args.seed, limits=limits)
    failures = Failures(args, seats)
    try:
        position = _begin(game, args)
    except ForthVMError as error:
        failures.add_hint_at_start(error)
        raise
    failures.begin(position)
    if args.auto:
        status = _play_automatically(screen, position, seats, args, failures)
    else:
        status = _play_at_prompt(screen, position, seats, args, failures)
    if status == OK:
        game.close()  # runs OnTerminate
    return status


def _begin(game: Game, args: argparse.Namespace) -> Position:
    """Returns the first position; with --debug-on-error, debugs a failure of the script."""
    if not args.debug_on_error:
        return make_position(game, args)
    from forthvm.cli.commands.debug import debug_failure, reached_or_failing
    from forthvm.debug import Target

    reached = reached_or_failing(game, args)
    if isinstance(reached, Target):
        debug_failure(reached)
        return make_position(game, args)  # raises the script's error
    return reached


def _play_automatically(
    screen: Screen,
    position: Position,
    seats: Seats,
    args: argparse.Namespace,
    failures: Failures,
) -> int:
    """Lets engines play all sides; returns the exit status."""
    from forthvm.cli.play import automatic

    max_plies = args.max_plies or automatic.DEFAULT_MAX_PLIES
    try:
        if args.json:
            automatic.play_json(position, seats, max_plies)
        else:
            shown = automatic.ShownParts(boards=not args.brief, search_summaries=args.think)
            automatic.play_text(screen, position, seats, max_plies, shown)
    except ForthVMError as error:
        failures.add_hints(error, position)
        if not failures.should_debug(error):
            raise
        from forthvm.cli.terminal import error_columns

        print(error.report(error_columns()), file=sys.stderr)
        failures.debug(error, position)
        return FAILED
    return OK


def _play_at_prompt(
    screen: Screen,
    position: Position,
    seats: Seats,
    args: argparse.Namespace,
    failures: Failures,
) -> int:
    """Plays with human players; returns the exit status."""
    from forthvm.cli.play.line_input import make_reader
    from forthvm.cli.play.prompt_history import PromptHistory
    from forthvm.cli.play.session import Session

    reader = make_reader(at_terminal=screen.terminal and screen.input_is_terminal)
    for name in args.side:
        seats.seat_person(name)
    if not seats.persons and not _choose_side(screen, reader, seats):
        return OK
    history = PromptHistory(_saved_reader(args), plays_passes=not args.ask_passes)
    session = Session(
        screen,
        reader,
        position,
        seats,
        max_plies=args.max_plies,
        failures=failures,
        history=history,
    )
    return OK if session.run() else FAILED


def _saved_reader(args: argparse.Namespace) -> Callable[[Path, Position], Position]:
    """Returns a function that reads a saved position with its seed and settings."""

    def read(path: Path, position: Position) -> Position:
        from forthvm.core.errors import PositionDigestError
        from forthvm.game.document.reading import read_about

        text = read_text(path)
        saved, game = read_about(text).game, position.game
        if saved != game.name:
            raise UsageError(
                f"{path} is a position of {saved}, not of {game.name}; to play it, leave this game "
                f"and run forthvm run --position {quoted(str(path))}"
            )
        try:
            return type(position).from_json(game, text)
        except PositionDigestError:  # the position was saved with another seed or other settings
            options = copy(args)
            options.game, options.set, options.seed, options.axiom = str(game.path), [], None, None
            options.position, options.saved_text, options.moves = path, None, None
            return make_position(load_game(options, echo=True), options)

    return read


def _choose_side(screen: Screen, reader: Reader, seats: Seats) -> bool:
    """Asks which side the user plays; returns False if the user leaves.

    The user plays the first player if there is no other or standard input is not a terminal.
    """
    names = seats.names
    if not names:
        raise UsageError("this game has no player that chooses moves; use --auto")
    if len(names) == 1 or not screen.input_is_terminal:
        seats.seat_person(names[0])
        return True
    while True:
        try:
            answer = reader.ask(
                f"Which side do you play: {', '.join(names)} or all? [{names[0]}] ",
                [*names, "all"],
            )
        except (EOFError, KeyboardInterrupt):
            screen.print()
            return False
        if answer.casefold() in {"quit", "exit", "q"}:
            return False
        try:
            seats.seat_person(answer or names[0])
        except UsageError as error:
            screen.print(f"{error}")
            continue
        return True
