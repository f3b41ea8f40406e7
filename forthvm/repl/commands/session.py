"""Commands for the session: undo, redo, save, check, debug, quit.

Owns what these commands do and print, and the change to the debugger; debugger_view.py draws its
screen.  Each function gets the shell and the command's argument.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import shown_name
from forthvm.repl.commands.game import file_named
from forthvm.repl.script import make_script

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["check", "debug", "debug_line", "quit_", "redo", "save", "undo"]


def undo(shell: Shell, _argument: str) -> None:
    """Undo the last line."""
    if not shell.session.undo():
        raise ForthVMError("there is nothing to take back")
    shell.redirect_output()
    shell.print("took the last line back")


def redo(shell: Shell, _argument: str) -> None:
    """Redo the line that `undo` took back."""
    if not shell.session.redo():
        raise ForthVMError("there is nothing to redo")
    shell.redirect_output()
    shell.print("redone")


def save(shell: Shell, argument: str) -> None:
    """Write a script with the definitions of the session."""
    if not argument:
        raise ForthVMError("FILE is missing: save FILE")
    path = file_named(argument)
    script = make_script(shell.session, path)
    if not script.session_lines:
        raise ForthVMError("nothing to save: the session has defined nothing")
    path.write_text(script.text, encoding="utf-8")
    lines = script.text.count("\n")
    shell.print(f"wrote {path}, {lines} lines")
    if not script.exact:
        warning = (
            "loading it does not restore the same state, which depends on lines that failed or on "
            "moves"
        )
        shell.print(shell.screen.paint("warning", warning))


def check(shell: Shell, argument: str) -> None:
    """Check a file, the session's definitions, or the game's script."""
    from forthvm.check import check_files

    if argument:
        report = str(check_files([file_named(argument)], include=_folders(shell)))
    elif shell.session.defining_lines():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "session.4th"
            path.write_text(make_script(shell.session, path).text, encoding="utf-8")
            report = str(check_files([path], include=_folders(shell)))
        for name in {str(path), shown_name(path)}:  # the temporary file no longer exists
            report = report.replace(name, "<session>")
    else:
        report = str(check_files([shell.session.need_game().path], include=_folders(shell)))
    shell.print(report)


def _folders(shell: Shell) -> list[Path]:
    """Return the folders from which the game's LOAD reads files."""
    game = shell.session.game
    return [game.path.parent, *game._loaded.options.include] if game is not None else []


def debug(shell: Shell, argument: str) -> None:
    """Run a line in the debugger."""
    if not argument:
        raise ForthVMError("LINE is missing: debug LINE, such as debug 5 sq")

    debug_line(shell, argument)


def quit_(_shell: Shell, _argument: str) -> None:
    """Leave the REPL."""
    from forthvm.repl.shell import LeaveError

    raise LeaveError


def debug_line(shell: Shell, text: str) -> None:
    """Run a line in the full-screen debugger, then undo the changes of the line.

    Raises:
        ForthVMError: there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ForthVMError("debug needs a terminal; forthvm debug --commands FILE does not")
    from forthvm.debug import Session
    from forthvm.debug.session import targets
    from forthvm.repl.debugger_view import DebuggerView

    target = targets.line_target(shell.session.vm, text, position=shell.session.position)
    with Session(target, output=shell.print) as session:
        DebuggerView(session).run()
    shell.print("left the debugger; the changes of the line are undone")
