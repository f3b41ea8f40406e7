"""`forthvm run`: plays a game, by human players and engines or by engines alone.

Owns the options and who sits where; the playing is in session.py and automatic.py.
"""

from __future__ import annotations

import argparse
import sys
from copy import copy
from shlex import quote
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from forthvm.cli.play.line_input import Reader
    from forthvm.cli.play.script_errors import Failures
    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.engines import Limits
    from forthvm.game import Game, Position

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Plays a game: you against an engine, or engines alone with --auto.

An engine is `script` (the one that the script names for the player; the default where it
names one), `negamax` (the default elsewhere), `mcts`, `maxn`, `brs`, `axiom` (the original's
search), `random`, `first`, `module:Class`, or one of an installed package.
Options follow a colon: negamax:depth=6,tt=64"""
EPILOG = """\
examples:
  forthvm run tictactoe
  forthvm run breakthrough --side Black --engine negamax:time=2
  forthvm run splut-duel --auto --engine South=script --engine North=random --seed 7
  forthvm run --position saved.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser)
    group = parser.add_argument_group("the players")
    group.add_argument(
        "--side",
        action="append",
        default=[],
        metavar="NAME",
        help="the player you play (repeatable; `all` for all players); default: forthvm asks",
    )
    group.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="[NAME=]SPEC",
        help="what plays, for all players or for NAME alone (default: the engine that the "
        "script names for the player, else negamax); can be repeated",
    )
    group.add_argument("--auto", action="store_true", help="engines play all sides")
    group.add_argument(
        "--time", type=option_values.seconds, metavar="SECONDS", help="for each engine move"
    )
    group.add_argument(
        "--depth", type=option_values.whole(1), metavar="N", help="plies engines search"
    )
    group.add_argument(
        "--ask-passes",
        action="store_true",
        help="ask you for a pass that is your only legal move, instead of playing it",
    )
    shared_options.add_position_options(parser)
    group = parser.add_argument_group("the output")
    group.add_argument(
        "--max-plies",
        type=option_values.whole(1),
        metavar="N",
        help="stop after N plies (with --auto: 10000 if not given)",
    )
    group.add_argument("--brief", action="store_true", help="with --auto: only the last board")
    group.add_argument("--think", action="store_true", help="with --auto: show engines' scores")
    group.add_argument("--ascii", action="store_true", help="print ASCII characters only")
    shared_options.add_everything_option(group)
    group.add_argument("--json", action="store_true", help="with --auto: one JSON document")
    group.add_argument(
        "--debug-on-error",
        action="store_true",
        help="where the script fails, open the debugger there (see `forthvm debug`)",
    )


def run(args: argparse.Namespace) -> int:
    """Plays."""
    from forthvm.cli.play.script_errors import Failures
    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.engines import Limits

    if args.json and not args.auto:
        raise UsageError("--json needs --auto")
    if args.auto and args.side:
        raise UsageError("--auto plays all sides: leave --side out")
    screen = Screen(ascii_only=args.ascii, everything=args.everything)
    game = shared_options.load_game(args, echo=not args.json)
    limits: Limits = Limits(time=args.time, depth=args.depth)
    seats = Seats(game, args.engine, seed=args.seed, limits=limits)
    failures = Failures(args, seats)
    try:
        position = _begin(game, args)
    except ForthVMError as error:
        failures.note_start(error)
        raise
    failures.begin(position)
    if args.auto:
        status = _alone(screen, position, seats, args, failures)
    else:
        status = _with_persons(screen, position, seats, args, failures)
    if status == OK:
        game.close()  # the script's last word, OnTerminate
    return status


def _begin(game: Game, args: argparse.Namespace) -> Position:
    """The position to play from; with --debug-on-error, in the debugger where the script fails."""
    if not args.debug_on_error:
        return shared_options.make_position(game, args)
    from forthvm.cli.commands.debug import debug_failure, reached_or_failing
    from forthvm.debug import Target

    reached = reached_or_failing(game, args)
    if isinstance(reached, Target):
        debug_failure(reached)
        return shared_options.make_position(game, args)  # fails, and says so
    return reached


def _alone(
    screen: Screen,
    position: Position,
    seats: Seats,
    args: argparse.Namespace,
    failures: Failures,
) -> int:
    """Engines play."""
    from forthvm.cli.play import automatic

    max_plies = args.max_plies or automatic.DEFAULT_MAX_PLIES
    try:
        if args.json:
            automatic.play_json(position, seats, max_plies)
        else:
            show = automatic.Show(boards=not args.brief, thoughts=args.think)
            automatic.play_text(screen, position, seats, max_plies, show)
    except ForthVMError as error:
        failures.note(error, position)
        if not failures.debugs(error):
            raise
        from forthvm.cli.terminal import error_columns

        print(error.report(error_columns()), file=sys.stderr)
        failures.debug(error, position)
        return FAILED
    return OK


def _with_persons(
    screen: Screen,
    position: Position,
    seats: Seats,
    args: argparse.Namespace,
    failures: Failures,
) -> int:
    from forthvm.cli.play.line_input import make_reader
    from forthvm.cli.play.prompt_history import PromptHistory
    from forthvm.cli.play.session import Session

    reader = make_reader(rich=screen.terminal and screen.asks)
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
    """Reads saved positions of the game that is played, whatever their seed and settings."""

    def read(path: Path, position: Position) -> Position:
        from forthvm.core.errors import PositionDigestError
        from forthvm.game.document.position_json import read_about

        text = option_values.read_text(path)
        saved, here = read_about(text).game, position.game
        if saved != here.name:
            raise UsageError(
                f"{path} is a position of {saved}, not of {here.name}; to play it, leave and use "
                f"forthvm run --position {quote(str(path))}"
            )
        try:
            return type(position).from_json(here, text)
        except PositionDigestError:  # another seed or other settings
            options = copy(args)
            options.game, options.set, options.seed, options.axiom = str(here.path), [], None, None
            options.position, options.saved_text, options.moves = path, None, None
            return shared_options.make_position(
                shared_options.load_game(options, echo=True), options
            )

    return read


def _choose_side(screen: Screen, reader: Reader, seats: Seats) -> bool:
    """Asks which side to play; False: the person left.  Unasked, the first player."""
    names = seats.names
    if not names:
        raise UsageError("this game has no player who chooses moves; use --auto")
    if len(names) == 1 or not screen.asks:
        seats.seat_person(names[0])
        return True
    while True:
        try:
            answer = reader.ask(
                f"Which side do you play: {', '.join(names)} or all? [{names[0]}] ",
                [*names, "all"],
            )
        except (EOFError, KeyboardInterrupt):
            screen.say()
            return False
        if answer.casefold() in {"quit", "exit", "q"}:
            return False
        try:
            seats.seat_person(answer or names[0])
        except UsageError as error:
            screen.say(f"{error}")
            continue
        return True
