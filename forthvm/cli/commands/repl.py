"""`forthvm repl`: interprets ForthScript line by line, with or without a game.

Owns the options, the streams and the screen; forthvm/repl/ owns the session.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.cli.loading import budget_of, load_game, make_position
from forthvm.cli.options import (
    ASCII,
    CHECKED,
    LOADING,
    MAX_SECONDS_AT_PROMPT,
    POSITION,
    Option,
    with_rows,
)
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.streams import styled
from forthvm.cli.terminal import Screen
from forthvm.core.budget import DEFAULT_SECONDS
from forthvm.core.text.tables import columned, table
from forthvm.core.text.visible import visible_lines
from forthvm.core.text.wording import wrapped
from forthvm.repl.prompt.config import config_path

if TYPE_CHECKING:
    from forthvm.core.errors import ForthVMError
    from forthvm.game import Game
    from forthvm.repl import Session, Shell
    from forthvm.repl.prompt.config import Settings

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Interprets ForthScript line by line, to write, understand and repair games.  With GAME, lines run in
a position of the game, and commands show it, make moves and explain them; `help` lists the
commands.  At the prompt, forthvm checks as with --checked; --no-checked runs lines as scripts run.

From a pipe it runs a script and prints only the script's output.  It stops at the first error in
Forth, but continues after a command that failed.  Exit status: 1 after an error, else 0."""
EPILOG = """\
examples:
  forthvm repl
  forthvm repl tictactoe
  forthvm repl my-game.4th --moves "Pawn a2 - a3"
  echo '2 3 + .' | forthvm repl
  forthvm repl --std 2012 program.fth
"""

OPTIONS = (
    Option("[GAME]",
        help="the name of a game (`forthvm games` lists them) or a script file; default: no game; "
        "with --std: a file to include first"),
    Option("--std", choices=("2012",),
        help="interpret standard Forth (Forth 2012) instead of ForthScript"),
    Option("--files DIR", Path, needs=["--std 2012"],
        help="with --std: the folder below which words such as OPEN-FILE read and write files"),
    *with_rows(LOADING, MAX_SECONDS_AT_PROMPT, Option(CHECKED.form, help=CHECKED.help)),
    *POSITION,
    "the prompt",
    Option("--keys", choices=("emacs", "vi"), help="key bindings of the line editor"),
    Option("--theme NAME", help="colours: dark, light, plain, or a Pygments style"),
    Option("--config FILE", Path, config_path,
        help="file with settings (default: %(default)s)"),
    Option("--no-history", help="do not save the history"),
    ASCII,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Reads lines until the user leaves or the input ends."""
    screen = ReplScreen(ascii_only=args.ascii)
    at_prompt = screen.terminal and screen.input_is_terminal
    if args.checked is None:  # standard Forth always reports underflows, and has no board
        args.checked = at_prompt and args.std is None
    if args.max_seconds is None:
        # No limit at the prompt, where Ctrl-C stops a script, and for programs in standard Forth,
        # which may wait for input.
        args.max_seconds = 0.0 if at_prompt or args.std else DEFAULT_SECONDS
    return _run_prompt(args, screen) if at_prompt else _run_pipe(args, screen)


def _run_pipe(args: argparse.Namespace, screen: ReplScreen) -> int:
    from forthvm.repl import Shell
    from forthvm.repl.batch import run_script

    session = _session(args)
    shell = Shell(session, screen, load_game=_loader(args), show_board=False)
    if str(args.position) == "-":
        return OK  # the position was read from the pipe
    if not _include_first(shell, args):
        return OK
    failed = run_script(shell, sys.stdin.read(), on_failure=_print_failure)
    return FAILED if failed else OK


def _include_first(shell: Shell, args: argparse.Namespace) -> bool:
    """Includes the file that was named with --std.  Returns False if it runs BYE."""
    from forthvm.repl.shell import LeaveError

    try:
        if args.std is not None and args.game is not None:
            shell.session.vm.load(args.game)
    except LeaveError:
        return False
    finally:
        shell.screen.fresh_line()
    return True


def _print_failure(location: str, error: ForthVMError) -> None:
    print(f"{location}: {error.report()}", file=sys.stderr)


def _run_prompt(args: argparse.Namespace, screen: ReplScreen) -> int:
    from forthvm.core.errors import ForthVMError
    from forthvm.repl import Shell
    from forthvm.repl.prompt.config import read_settings
    from forthvm.repl.prompt.theme import theme_of

    settings, problems = read_settings(args.config, must_exist="--config" in args.given)
    settings = _with_options(settings, args)
    try:
        theme = theme_of(settings.theme, settings.colours)
    except ValueError as error:
        problems.append(str(error))
        theme = theme_of("dark", settings.colours)
    screen.theme = theme
    if settings.page:
        screen.start_paging()
    session = _session(args)
    shell = Shell(
        session,
        screen,
        load_game=_loader(args),
        show_stack=settings.stack,
        show_board=settings.board,
    )
    for problem in problems:
        shell.print(screen.paint("warning", problem))
    if shell.session.game is not None and settings.board:
        _draw_first_position(shell)
    try:
        leaves = not _include_first(shell, args)
    except ForthVMError as error:
        shell.print_error(error)
        leaves = False
    if not leaves:
        _read_lines(shell, settings, theme, screen)
    return OK


def _draw_first_position(shell: Shell) -> None:
    """Draws the first position, and prints errors, so that the user can repair the script."""
    from forthvm.core.errors import ForthVMError
    from forthvm.repl.commands.game import board

    try:
        board(shell)
    except ForthVMError as error:
        shell.print_error(error)
    finally:
        shell.session.load_position_memory()


def _read_lines(
    shell: Shell, settings: Settings, theme: Mapping[str, str], screen: ReplScreen
) -> None:
    """Reads and runs lines from the terminal until the user leaves."""
    from forthvm.repl.prompt.terminal import Terminal  # prompt_toolkit is slow to import

    problems: list[str] = []
    try:
        terminal = Terminal(shell, settings, theme, begin=screen.begin, problems=problems)
    except ValueError as error:  # an invalid colour
        problems.append(f"colours: {error}; no colours are used")
        terminal = Terminal(shell, settings, {}, begin=screen.begin, problems=problems)
    screen.painter = shell
    for problem in problems:
        shell.print(screen.paint("warning", problem))
    terminal.run()


def _with_options(settings: Settings, args: argparse.Namespace) -> Settings:
    """Returns the settings of the file, overridden by the options of the command line."""
    changes: dict[str, Any] = {}
    if args.keys:
        changes["keys"] = args.keys
    if args.theme:
        changes["theme"] = args.theme
    if args.no_history:
        changes["history"] = ""
    return replace(settings, **changes)


def _session(args: argparse.Namespace) -> Session:
    from forthvm.repl import Session

    if args.std is not None and (args.position or args.axiom_lib or args.axiom):
        raise UsageError("--std is for a session without --position, --axiom or --axiom-lib")
    if args.std is None and (args.game is not None or args.position is not None):
        args = copy(args)  # loading a saved position changes the options
        game = load_game(args, echo=True, unfinished=True)
        return Session.of_game(game, make_position(game, args))
    from forthvm.core.vm import VM

    vm = VM(
        library="forth2012" if args.std else args.axiom_lib or "axiom",
        # There is no main script, whose folder LOAD would search: use the current folder.
        include=[Path.cwd(), *args.include],
        axiom=args.axiom,
        seed=args.seed,
        checked=args.checked,
        budget=budget_of(args),
        files=args.files,
    )
    if vm.standard is not None:
        vm.standard.read_input = _read_input
        vm.standard.leave = _leave
        vm.standard.files.on_refusal = cache(_explain_files)
    return Session(vm)


def _explain_files() -> None:
    """Says, once, why the words for files fail."""
    print(
        "forthvm: the script may not use files; --files DIR lets it use those in DIR",
        file=sys.stderr,
    )


def _read_input() -> str | None:
    """Returns the line that ACCEPT or KEY reads, None at the end of the input."""
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _leave() -> None:
    from forthvm.repl.shell import LeaveError

    raise LeaveError


def _loader(args: argparse.Namespace) -> Callable[[str], Game]:
    """Returns a function that loads another game with the same options."""
    common_options = {**vars(args), "position": None}

    def load(name: str) -> Game:
        options = argparse.Namespace(**{**common_options, "game": name})
        return load_game(options, echo=True, unfinished=True)

    return load


class ReplScreen(Screen):
    """Standard output of the REPL.

    Attributes:
        theme: Styles by kind of text; empty: no colours.
        painter: The shell that colours source text; None before the first prompt.
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        """Reads the properties of the streams; output is not paged before `start_paging`."""
        super().__init__(ascii_only=ascii_only)
        self.theme: Mapping[str, str] = {}
        self.painter: Shell | None = None
        self._at_line_start = True
        self._write: Callable[[str], object] = self._print
        self._begin_page: Callable[[], None] | None = None

    def start_paging(self) -> None:
        """Pages long output from now on."""
        from forthvm.repl.prompt.pager import Pager
        from forthvm.system.console import read_key, terminal_size

        pager = Pager(self._print, read_key, terminal_size)
        self._write, self._begin_page = pager.write, pager.begin

    def begin(self) -> None:
        """Starts a new page before a line is executed."""
        self._at_line_start = True
        if self._begin_page is not None:
            self._begin_page()

    def write(self, text: str) -> None:
        """Prints a part of a line, or several lines."""
        if text:
            self._at_line_start = text.endswith("\n")
            self._write(text)

    def _print(self, text: str) -> None:
        # `styled` enables colours and the pager's escape codes, which only terminals understand.
        stream = styled(sys.stdout) if self.terminal else sys.stdout
        stream.write(text)
        stream.flush()

    def fresh_line(self) -> None:
        """Begins a new line unless the cursor is at the start of a line."""
        if not self._at_line_start and self.terminal:
            self.write("\n")

    def paint(self, kind: str, text: str) -> str:
        """Returns a text in the colours of its kind; source text is coloured word by word."""
        text = visible_lines(text)
        if not self.colour:
            return text
        from forthvm.repl.prompt.theme import escape

        if kind == "source" and self.painter is not None:
            from forthvm.repl.prompt.editing import coloured

            parts = [
                (fragment[0].removeprefix("class:forth-"), fragment[1])
                for fragment in coloured(self.painter, text)
            ]
        else:
            parts = [(kind, text)]
        return "".join(_painted(escape(self.theme.get(name, "")), part) for name, part in parts)

    def table(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Returns the lines of a table, with the last column wrapped."""
        return table(rows, self.width)

    def columned(self, cells: Sequence[str]) -> list[str]:
        """Returns the lines of cells arranged in columns."""
        return columned(cells, self.width)

    def wrap(self, text: str) -> list[str]:
        """Returns the lines of a text that is wrapped at blanks."""
        return wrapped(text, self.width - 4)


def _painted(code: str, text: str) -> str:
    return f"{code}{text}\x1b[0m" if code and text.strip() else text
