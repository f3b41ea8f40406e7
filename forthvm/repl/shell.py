"""Runs lines: commands or ForthScript.

Owns the choice between the two, and the output after a line.  It must not know a terminal: it
is given a screen, and the reader of lines calls `obey`.

A line is a command when its first word names one, no word of that name is in the dictionary,
and nothing is open before it.  With `%` before it, it is always one.
"""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible, visible_lines
from forthvm.repl import commands
from forthvm.repl.info import Words
from forthvm.repl.prompt.pager import EnoughError
from forthvm.repl.values import readings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.game import Game
    from forthvm.repl.commands import Command
    from forthvm.repl.screen import Screen
    from forthvm.repl.session import Session

__all__ = ["LeaveError", "Shell"]

_SHOWN = 8
_NARROW = 40


class LeaveError(Exception):
    """The user leaves the REPL."""


class Shell:
    """Runs lines in a session and prints their results on a screen.

    Attributes:
        session: What lines work with.
        screen: Where everything is printed.
        words: Information about the session's words.
        load: Loads a game by name or path, with the options the REPL was started with.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        *,
        load: Callable[[str], Game],
        show_stack: bool = True,
        show_board: bool = True,
    ) -> None:
        """Prints what the script prints on the screen, too."""
        self.session = session
        self.screen = screen
        self.words = Words(session)
        self.load = load
        self.show_stack = show_stack
        self.show_board = show_board
        self._warned = len(session.vm.warnings)
        self.take_output()

    def take_output(self) -> None:
        """Let the session's VM print on the screen."""
        self.session.vm.output = lambda text: self.screen.write(visible_lines(text))

    # --- what a line is ---------------------------------------------------------------

    def command_of(self, text: str) -> tuple[Command, str] | None:
        """The command that a line is, with its argument; None: it is ForthScript."""
        word, *rest = text.split(None, 1) or [""]
        argument = rest[0].strip() if rest else ""
        if "\n" in argument or "\n" in word:
            return None
        if word.startswith("%") and len(word) > 1:
            command = commands.find(word[1:])
            return (command, argument) if command is not None else None
        command = commands.find(word)
        if command is None or self.session.compiling or self.session.vm.find(word) is not None:
            return None
        return command, argument

    @property
    def commands(self) -> Mapping[str, Command]:
        """The commands by the names that call them here: `%` before those that are words."""
        find = self.session.vm.find
        return {
            name if find(name) is None else f"%{name}": command
            for command in commands.COMMANDS
            for name in (command.name, *command.aliases)
        }

    def prompt(self) -> str:
        """The prompt: an open definition, or the game and the player to move."""
        opened = self.session.compiling
        name = f": {opened}" if opened else self._place()
        if self.screen.width < _NARROW:
            name = ":" if opened else ""
        return f"{visible(name)}> "

    def _place(self) -> str:
        session = self.session
        if session.game is None or session.position is None:
            return "forth"
        try:
            over = session.position.result is not None
            return session.game.name if over else f"{session.game.name} {session.position.turn}"
        except (Exception, KeyboardInterrupt):  # the script fails: `board` reports it
            return session.game.name
        finally:
            session.settle()

    # --- obeying ----------------------------------------------------------------------

    def obey(self, text: str, *, first_line: int = 1, name: str | None = None) -> None:
        """Run a line.

        Args:
            text: A line, or several of ForthScript.
            first_line: Number of its first line, for error messages.
            name: The text's name in error messages.

        Raises:
            ForthVMError: It failed, for whatever reason.  A command that fails leaves the session
                as it was before.
            KeyboardInterrupt: Ctrl-C ended it; what ForthScript had done until then stays.
            LeaveError: It asks to leave.
            BrokenPipeError: The reader of the output has gone away.
        """
        if not text.strip():
            return
        found = self.command_of(text)
        self.session.vm.restart_output()
        try:
            if found is None:
                self.session.interpret(text, name=name, first_line=first_line)
            else:
                self._run(*found)
        except (LeaveError, BrokenPipeError):
            raise
        except (Exception, SystemExit) as error:
            doing = f"`{found[0].name}`" if found else "this line"
            raise _reported(error, doing) from error
        finally:
            self.session.settle()
            self.screen.fresh_line()
            self.tell_warnings()

    def _run(self, command: Command, argument: str) -> None:
        """Run a command; if it has changed the position, show it."""
        if argument and not command.takes:
            raise ForthVMError(f"`{command.name}` takes no argument: `{argument}`")
        session = self.session
        before = session.moment()
        try:
            command.action(self, argument)
        except (LeaveError, EnoughError):
            raise
        except BaseException:
            session.return_to(before)
            self.take_output()
            raise
        finally:
            moved = command.changes and session.position is not before.position
            if moved:
                session.remember(before)
        if moved:
            from forthvm.repl.commands.game import show_position

            show_position(self)

    def tell_warnings(self) -> None:
        """Print the new warnings."""
        warnings = self.session.vm.warnings
        for warning in warnings[self._warned :]:
            self.say(self.screen.paint("warning", f"warning: {warning}"))
        self._warned = len(warnings)

    def tell(self, error: BaseException) -> None:
        """Print an error, its location, and the stack."""
        self.screen.fresh_line()
        if isinstance(error, ForthVMError):
            first, *rest = error.report().split("\n")
            self.say("\n".join([self.screen.paint("error", first), *rest]))
        elif isinstance(error, KeyboardInterrupt):
            first, *rest = getattr(error, "__notes__", ["interrupted"])[0].split("\n")
            self.say("\n".join([self.screen.paint("error", first), *rest]))
        else:
            self.say(self.screen.paint("error", str(error)))
        failed = self.session.failed_stack
        if failed and failed != self.session.stack:
            self.say(f"  the stack was {self.stack_text(failed)}")
        self.session.failed_stack = ()

    def tell_stack(self) -> None:
        """Show the stack, unless it is empty."""
        stack = self.session.stack
        if stack and self.show_stack:
            self.say(self.stack_text(stack))

    def stack_text(self, stack: tuple[int, ...]) -> str:
        """The stack in a line, the top last, each cell with its possible meanings."""
        shown = stack[-_SHOWN:]
        parts = ["…"] if len(stack) > len(shown) else []
        for cell in shown:
            found = readings(self.session, cell)
            parts.append(f"{cell}" + self.screen.paint("dim", f"({found[0]})" if found else ""))
        return f"{self.screen.paint('dim', f'<{len(stack)}>')} {' '.join(parts)}"

    def say(self, text: str = "") -> None:
        """Print a line, or several."""
        self.screen.write(f"{text}\n")


def _reported(error: BaseException, doing: str) -> ForthVMError:
    """Convert an exception to an error for output; bugs of forthvm are named as such."""
    if isinstance(error, ForthVMError):
        return error
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename and error.strerror else ""
        return ForthVMError(f"{place}{error.strerror or error}")
    if isinstance(error, MemoryError):
        return ForthVMError(f"not enough memory for {doing}")
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hints = ["please report it (FORTHVM_TRACEBACK=1 shows where it happened)"]
    if os.environ.get("FORTHVM_TRACEBACK"):
        hints = "".join(traceback.format_exception(error)).splitlines()
    return ForthVMError(f"internal error in {doing}: {what}", hints=hints)
