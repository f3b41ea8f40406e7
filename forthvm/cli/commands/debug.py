"""`forthvm debug`: steps through a script, forward and backward.

Owns the options, choosing the code to run, and reading commands.  The commands are implemented in
forthvm/debug/session/commands.py, the full screen in forthvm/repl/debugger_view.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.loading import budget_of, load_game, make_position, split_moves
from forthvm.cli.options import GAME_OR_POSITION, LOADING, POSITION, Option, integer
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
    "OPTIONS",
    "debug_failure",
    "reached_or_failing",
    "run",
]

DESCRIPTION = """\
Runs a script token by token, forward or backward, and stops at breakpoints: at words, lines, moves,
captures, squares, changes of memory and errors.  By default it runs the generation of moves in a
position.  For a file that is not a game, use --word or --line.

On a terminal it uses the full screen.  With --lines, --commands or a pipe it reads one command per
line; `help` lists the commands.

Exit status: 1 if a command from --commands or from the pipe failed."""
EPILOG = """\
examples:
  forthvm debug breakthrough
  forthvm debug my-game.4th --play "Pawn a2 - a3"
  forthvm debug splut --search axiom --depth 2
  forthvm debug sums.4th --word total --lines
  printf 'break on move if here c3 =\\ncontinue\\nboard\\n' | forthvm debug breakthrough
"""

_FAILS_EARLIER = """\
The script fails before it reaches the requested position.  The session begins before the failure,
and `continue` runs up to the failure."""
_NOT_A_GAME = "the file does not define a game: use --word or --line"

OPTIONS = (
    GAME_OR_POSITION,
    *LOADING,
    *POSITION,
    "the code to run",
    Option("--word WORD [WORD ...]", one_of="code",
        help="a word; numbers before it are pushed first"),
    Option("--line TEXT", one_of="code", help="a line of Forth"),
    Option("--play 'M1; M2'", one_of="code",
        help="moves, and after each the result and the move list"),
    Option("--new-game", one_of="code", help="OnNewGame, the set-up and the first move list"),
    Option("--search", choices=("axiom", "script"), one_of="code",
        help="an engine's search for a move"),
    Option("--depth N", integer(1, 60), 3, help="depth of --search in plies (default 3)"),
    Option("--nodes N", integer(0), help="positions that --search may visit"),
    "the debugger",
    Option("--commands FILE", Path, help="run the commands in FILE first"),
    Option("--lines", help="read lines; do not use the full screen"),
    Option("--library", help="also stop inside library words"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Debugs until the user leaves."""
    from forthvm.debug import Session

    commands = _commands(args.commands)
    target = _target(args)
    with Session(target, library=args.library, output=_print_output) as session:
        return _debug(session, commands, lines=args.lines or args.commands is not None)


def debug_failure(target: Target) -> int:
    """Opens the debugger where a target fails."""
    from forthvm.debug import Session

    with Session(target, output=_print_output) as session:
        state = session.continue_()
        if (
            state.ended and state.error is not None
        ):  # such as an unknown word, at which no token fails
            session.back()
        return _debug(session, [], lines=False)


def _debug(session: Session, commands: list[str], *, lines: bool) -> int:
    """Runs the debugger on the full screen or in lines; returns the exit status."""
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if at_terminal and not lines:
        from forthvm.repl.debugger_view import DebuggerView

        return DebuggerView(session).run()
    return _run_lines(session, commands, at_terminal=at_terminal)


def _print_output(text: str) -> None:
    """Prints output of the script on lines of its own, between the debugger's lines."""
    print(text, end="" if text.endswith("\n") else "\n", flush=True)


def _commands(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--commands: cannot read {path}: {error}") from error


def _run_lines(session: Session, commands: list[str], *, at_terminal: bool) -> int:
    """Reads and runs commands until the user leaves or the input ends."""
    from forthvm.core.errors import ForthVMError
    from forthvm.debug.session.commands import CommandLines

    lines = CommandLines(session, print, columns)
    lines.begin()
    status = OK
    for line, echo in _command_lines(commands, at_terminal=at_terminal):
        if echo:
            print(f"> {line}")
        try:
            if not lines.execute(line):
                break
        except ForthVMError as error:
            if at_terminal:
                print(error.short_message())
            else:
                print(f"forthvm: {line.strip()}: {error.short_message()}", file=sys.stderr)
                status = FAILED
    return status


def _command_lines(commands: list[str], *, at_terminal: bool) -> Iterable[tuple[str, bool]]:
    """Yields lines, each with a flag: whether to echo the line, which a terminal already shows."""
    for line in commands:
        yield line, True
    if commands and not at_terminal:
        return
    while True:
        try:
            line = input("> ") if at_terminal else sys.stdin.readline()
        except EOFError:
            print()
            return
        except KeyboardInterrupt:  # discards the typed line
            print()
            continue
        if not at_terminal and not line:
            return
        yield line.rstrip("\n"), not at_terminal


def _target(args: argparse.Namespace) -> Target:
    """Returns the code to run."""
    from forthvm.core.errors import NoGameError

    try:
        game = load_game(args, echo=False)
    except NoGameError:
        if args.play or args.search or args.moves or args.position or args.new_game:
            raise
        return _script_target(args)
    return _game_target(game, args)


def _game_target(game: Game, args: argparse.Namespace) -> Target:
    from forthvm.debug.session import targets

    if args.new_game:
        return targets.new_game_target(game)
    position = reached_or_failing(game, args)
    if isinstance(position, targets.Target):
        print(_FAILS_EARLIER, file=sys.stderr)
        return position
    if args.play:
        return targets.play_target(position, *split_moves(args.play))
    if args.search:
        nodes = args.nodes if args.nodes is not None else targets.SEARCH_NODES
        return targets.search_target(position, engine=args.search, depth=args.depth, nodes=nodes)
    if args.word or args.line:
        return _word_or_line_target(args, game._loaded.vm, position=position)
    return targets.moves_target(position)


def reached_or_failing(game: Game, args: argparse.Namespace) -> Position | Target:
    """Returns the position that the options describe.

    If the script fails on the way to the position, returns the target that repeats the failure.

    Raises:
        UsageError, MoveError, PositionError: the options do not describe a position.
        ForthVMError: the script fails while a saved position is read.
    """
    from forthvm.core.errors import ForthVMError, Interrupted, MoveError, PositionError
    from forthvm.debug.session import targets

    try:
        position = make_position(game, argparse.Namespace(**{**vars(args), "moves": None}))
    except (MoveError, PositionError, Interrupted):
        raise
    except ForthVMError:
        if args.position is not None:
            raise
        return targets.new_game_target(game)
    moves = split_moves(args.moves or "")
    for at, text in enumerate(moves):
        position_before = position.copy()
        try:
            position.push(text)
            _ = position.result, position.legal_moves  # a game computes both after every move
        except (MoveError, Interrupted):
            raise
        except ForthVMError:
            return targets.play_target(position_before, *moves[at:])
    return position


def _script_target(args: argparse.Namespace) -> Target:
    """Returns the target for a file that is not a game."""
    from forthvm.core.vm import VM

    if not (args.word or args.line):
        raise UsageError(_NOT_A_GAME)
    vm = VM(
        library=args.axiom_lib or "axiom",
        include=args.include,
        game_log=args.game_log,
        seed=args.seed,
        clock=args.seed or 0,
        checked=args.checked,
        budget=budget_of(args),
        output=sys.stderr,
    )
    vm.load(args.game)
    return _word_or_line_target(args, vm)


def _word_or_line_target(
    args: argparse.Namespace, vm: VM, position: Position | None = None
) -> Target:
    from forthvm.debug.session import targets

    if args.line:
        return targets.line_target(vm, args.line, position=position)
    *numbers, word = args.word
    try:
        cells = [int(number) for number in numbers]
    except ValueError as error:
        raise UsageError("--word: expected numbers, then a word") from error
    return targets.word_target(vm, word, *cells, position=position)
