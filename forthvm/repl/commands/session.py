"""Commands for the session: undo, redo, save, check, debug, quit."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import shown_name
from forthvm.repl.paths import file_named
from forthvm.repl.script import write_script

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["check", "debug", "quit_", "redo", "save", "undo"]


def undo(shell: Shell, _argument: str) -> None:
    """Take the last line back."""
    if not shell.session.undo():
        raise ForthVMError("there is nothing to take back")
    shell.take_output()
    shell.say("took the last line back")


def redo(shell: Shell, _argument: str) -> None:
    """Do again what was taken back."""
    if not shell.session.redo():
        raise ForthVMError("nothing was taken back")
    shell.take_output()
    shell.say("done again")


def save(shell: Shell, argument: str) -> None:
    """Write what the session defined."""
    if not argument:
        raise ForthVMError("save where?  save FILE")
    path = file_named(argument)
    script = write_script(shell.session, path)
    if not script.texts:
        raise ForthVMError("nothing to save: the session has defined nothing")
    path.write_text(script.text, encoding="utf-8")
    lines = script.text.count("\n")
    shell.say(f"wrote {path}, {lines} lines")
    if not script.exact:
        warning = "it does not load to the same state: that depends on lines that failed or played"
        shell.say(shell.screen.paint("warning", warning))


def check(shell: Shell, argument: str) -> None:
    """Look for mistakes without running anything."""
    from forthvm.check import check_files

    if argument:
        told = str(check_files([file_named(argument)], include=_folders(shell)))
    elif shell.session.kept():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "session.4th"
            path.write_text(write_script(shell.session, path).text, encoding="utf-8")
            told = str(check_files([path], include=_folders(shell)))
        for name in {str(path), shown_name(path)}:  # the temporary file no longer exists
            told = told.replace(name, "<session>")
    else:
        told = str(check_files([shell.session.need_game().path], include=_folders(shell)))
    shell.say(told)


def _folders(shell: Shell) -> list[Path]:
    """The folders that files of the session are loaded from."""
    game = shell.session.game
    return [game.path.parent, *game.options.include] if game is not None else []


def debug(shell: Shell, argument: str) -> None:
    """Run a line in the debugger."""
    if not argument:
        raise ForthVMError("debug what?  debug WORD..., such as debug 5 sq")
    from forthvm.repl.debugging import debug_line

    debug_line(shell, argument)


def quit_(_shell: Shell, _argument: str) -> None:
    """Leave."""
    from forthvm.repl.shell import LeaveError

    raise LeaveError
