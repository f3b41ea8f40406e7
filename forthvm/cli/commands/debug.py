"""`forthvm debug`: a script token by token, forward and back.

Owns the options, what is to be run, and reading the commands; what they do is in
forthvm/debug/session/commands.py, and the full screen in forthvm/repl/debugger_view.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.core.vm import VM
    from forthvm.debug import Session, Target
    from forthvm.game import Game, Position

__all__ = [
    "DESCRIPTION",
    "EPILOG",
    "configure",
    "debug_failure",
    "reached_or_failing",
    "run",
]

DESCRIPTION = """\
Runs a script token by token and stops at breakpoints: at words, lines, moves, captures,
squares, changes of memory, failures.  It goes back as well as forward.  In a game it runs the
generation of moves in a position, or what else is asked for; in a file that is not a game, a word
or a line of Forth.

At a terminal it fills the screen; with --lines, --commands, or from a pipe it takes commands a
line each, and `help` lists them.  Status 1: a command of --commands or of the pipe failed."""
EPILOG = """\
examples:
  forthvm debug breakthrough
  forthvm debug my-game.4th --play "Pawn a2 - a3"
  forthvm debug splut --search axiom --depth 2
  forthvm debug sums.4th --word total --lines
  printf 'break on move if here c3 =\\ncontinue\\nboard\\n' | forthvm debug breakthrough
"""

_FAILS_BEFORE = """\
The script fails on the way to that position: the session begins before that, and `continue` goes
to the failure."""
_WORDS_ONLY = "a file that defines no game has words and lines only: --word or --line"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser)
    shared_options.add_position_options(parser)
    group = parser.add_argument_group("what is run")
    what = group.add_mutually_exclusive_group()
    what.add_argument(
        "--word", nargs="+", metavar="WORD", help="a word, numbers before it go on the stack"
    )
    what.add_argument("--line", metavar="TEXT", help="a line of Forth")
    what.add_argument("--play", metavar="'M1; M2'", help="moves, with the questions after each")
    what.add_argument(
        "--new-game", action="store_true", help="OnNewGame, the set-up, and the first questions"
    )
    what.add_argument(
        "--search", choices=("axiom", "script"), help="a search by that engine for a move"
    )
    group.add_argument(
        "--depth", type=option_values.whole(1, 60), default=3, help="of --search, in plies"
    )
    group.add_argument(
        "--nodes",
        type=option_values.whole(0),
        metavar="N",
        help="positions that --search may look at",
    )
    group = parser.add_argument_group("the debugger")
    group.add_argument("--commands", type=Path, metavar="FILE", help="commands to begin with")
    group.add_argument("--lines", action="store_true", help="commands in lines, no full screen")
    group.add_argument("--library", action="store_true", help="stop inside library words, too")


def run(args: argparse.Namespace) -> int:
    """Debugs until it is left."""
    from forthvm.debug import Session

    commands = _commands(args.commands)
    target = _target(args)
    with Session(target, library=args.library, output=_printed) as session:
        return _hold(session, commands, lines=args.lines or args.commands is not None)


def debug_failure(target: Target) -> int:
    """Opens the debugger where a target fails."""
    from forthvm.debug import Session

    with Session(target, output=_printed) as session:
        state = session.continue_()
        if state.ended and state.error is not None:  # a token that was no word, say
            session.back()
        return _hold(session, [], lines=False)


def _hold(session: Session, commands: list[str], *, lines: bool) -> int:
    """Lets the person or the pipe work with a session until it is left."""
    person = sys.stdin.isatty() and sys.stdout.isatty()
    if person and not lines:
        from forthvm.repl.debugger_view import DebuggerView

        return DebuggerView(session).run()
    return _lines(session, commands, person=person)


def _printed(text: str) -> None:
    """What the script prints stands between the answers."""
    print(text, end="" if text.endswith("\n") else "\n", flush=True)


def _commands(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--commands: cannot read {path}: {error}") from error


def _lines(session: Session, commands: list[str], *, person: bool) -> int:
    from forthvm.core.errors import ForthVMError
    from forthvm.debug.session.commands import Lines

    lines = Lines(session, print, columns)
    lines.begin()
    status = OK
    for line, echo in _input(commands, person=person):
        if echo:
            print(f"> {line}")
        try:
            if not lines.do(line):
                break
        except ForthVMError as error:
            if person:
                print(error.what())
            else:
                print(f"forthvm: {line.strip()}: {error.what()}", file=sys.stderr)
                status = FAILED
    return status


def _input(commands: list[str], *, person: bool) -> Iterable[tuple[str, bool]]:
    """The lines, and whether they are shown, since the user has not typed them."""
    for line in commands:
        yield line, True
    if commands and not person:
        return
    while True:
        try:
            line = input("> ") if person else sys.stdin.readline()
        except EOFError:
            print()
            return
        except KeyboardInterrupt:  # at the prompt: a line is given up
            print()
            continue
        if not person and not line:
            return
        yield line.rstrip("\n"), not person


def _target(args: argparse.Namespace) -> Target:
    """What is to be run."""
    from forthvm.core.errors import NoGameError

    try:
        game = shared_options.load_game(args, echo=False)
    except NoGameError:
        if args.play or args.search or args.moves or args.position or args.new_game:
            raise
        return _bare(args)
    return _game_target(game, args)


def _game_target(game: Game, args: argparse.Namespace) -> Target:
    from forthvm.debug.session import targets as target

    if args.new_game:
        return target.new_game_target(game)
    position = reached_or_failing(game, args)
    if isinstance(position, target.Target):
        print(_FAILS_BEFORE, file=sys.stderr)
        return position
    if args.play:
        return target.play_target(position, *shared_options.split_moves(args.play))
    if args.search:
        nodes = args.nodes if args.nodes is not None else target.SEARCH_NODES
        return target.search_target(position, engine=args.search, depth=args.depth, nodes=nodes)
    if args.word or args.line:
        return _words(args, game.vm, position=position)
    return target.moves_target(position)


def reached_or_failing(game: Game, args: argparse.Namespace) -> Position | Target:
    """The position that the options name, or the target that fails on the way to it.

    Raises:
        UsageError, MoveError, PositionError: the options name none.
        ForthVMError: the script fails while a saved position is read.
    """
    from forthvm.core.errors import ForthVMError, Interrupted, MoveError, PositionError
    from forthvm.debug.session import targets as target

    try:
        position = shared_options.make_position(
            game, argparse.Namespace(**{**vars(args), "moves": None})
        )
    except (MoveError, PositionError, Interrupted):
        raise
    except ForthVMError:
        if args.position is not None:
            raise
        return target.new_game_target(game)
    moves = shared_options.split_moves(args.moves or "")
    for at, text in enumerate(moves):
        before = position.copy()
        try:
            position.push_text(text)
            _ = position.result, position.legal_moves  # the questions after a move belong to it
        except (MoveError, Interrupted):
            raise
        except ForthVMError:
            return target.play_target(before, *moves[at:])
    return position


def _bare(args: argparse.Namespace) -> Target:
    """A file that is not a game."""
    from forthvm.core.vm import VM

    if not (args.word or args.line):
        raise UsageError(_WORDS_ONLY)
    vm = VM(
        library=args.axiom_lib or "axiom",
        include=args.include,
        game_log=args.game_log,
        seed=args.seed,
        checked=args.checked,
        budget=shared_options.budget_of(args),
        output=sys.stderr,
    )
    vm.load(args.game)
    return _words(args, vm)


def _words(args: argparse.Namespace, vm: VM, position: object = None) -> Target:
    from forthvm.debug.session import targets as target
    from forthvm.game import Position

    at = position if isinstance(position, Position) else None
    if args.line:
        return target.line_target(vm, args.line, position=at)
    *numbers, word = args.word
    try:
        cells = [int(number) for number in numbers]
    except ValueError as error:
        raise UsageError("--word: numbers, then a word") from error
    return target.word_target(vm, word, *cells, position=at)
