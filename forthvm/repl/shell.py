"""Runs lines: commands or ForthScript.

Owns deciding whether a line is a command, and the output after a line.  It prints on a screen; the
caller reads lines and calls `run`.

A line is a command if its first word is the name of a command, the dictionary has no word with this
name, and no definition is open.  A name with the prefix `%` is always a command.
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
from forthvm.repl.values import possible_meanings
from forthvm.syntax import CLOSING_WORDS, read_structure
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from forthvm.game import Game
    from forthvm.repl.commands import Command
    from forthvm.repl.screen import Screen
    from forthvm.repl.session import Session

__all__ = ["LeaveError", "Shell"]

_MAX_SHOWN_CELLS = 8
_NARROW_SCREEN = 40  # columns; narrower prompts do not show the game


class LeaveError(Exception):
    """Raised when the user leaves the REPL."""


class Shell:
    """Runs lines in a session and prints their results on a screen.

    Attributes:
        session: The session in which lines run.
        screen: The screen for all output.
        words: Information about the session's words.
        load_game: Loads a game by name or path, with the options of `forthvm repl`.
        show_stack: Whether the stack is shown after each line.
        show_board: Whether the board is shown after a move.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        *,
        load_game: Callable[[str], Game],
        show_stack: bool = True,
        show_board: bool = True,
    ) -> None:
        """Redirect the output of the session's VM to the screen."""
        self.session = session
        self.screen = screen
        self.words = Words(session)
        self.load_game = load_game
        self.show_stack = show_stack
        self.show_board = show_board
        self._warning_count = len(session.vm.warnings)
        self.redirect_output()

    def redirect_output(self) -> None:
        """Redirect the output of the session's VM to the screen."""
        self.session.vm.output = lambda text: self.screen.write(visible_lines(text))

    # --- commands and the prompt --------------------------------------------------------

    def _available(self) -> tuple[Command, ...]:
        return commands.available(standard=self.session.vm.standard is not None)

    def _find_command(self, name: str) -> Command | None:
        command = commands.find(name)
        return command if command in self._available() else None

    def command_of(self, text: str) -> tuple[Command, str] | None:
        """Return the command of a line and its argument; None if the line is ForthScript."""
        word, *arguments = text.split(None, 1) or [""]
        argument = arguments[0].strip() if arguments else ""
        if "\n" in argument or "\n" in word:
            return None
        if word.startswith("%") and len(word) > 1:
            command = self._find_command(word[1:])
            return (command, argument) if command is not None else None
        command = self._find_command(word)
        if (
            command is None
            or self.session.open_definition
            or self.session.vm.find(word) is not None
        ):
            return None
        return command, argument

    @property
    def commands(self) -> Mapping[str, Command]:
        """The commands by name; names that are also words of the dictionary get the prefix `%`."""
        find = self.session.vm.find
        return {
            name if find(name) is None else f"%{name}": command
            for command in self._available()
            for name in (command.name, *command.aliases)
        }

    def prompt(self) -> str:
        """Return the prompt: the open definition, or the game and the player to move."""
        opened = self.session.open_definition
        if opened is None:
            name = self._game_and_turn()
        else:
            name = opened if opened == "]" else f": {opened}"
        if self.screen.width < _NARROW_SCREEN:
            name = ":" if opened else ""
        return f"{visible(name)}> "

    def _game_and_turn(self) -> str:
        session = self.session
        if session.game is None or session.position is None:
            return "forth"
        try:
            is_over = session.position.result is not None
            return session.game.name if is_over else f"{session.game.name} {session.position.turn}"
        except (Exception, KeyboardInterrupt):  # the script fails: `board` reports it
            return session.game.name
        finally:
            session.load_position_memory()

    # --- running lines ------------------------------------------------------------------

    def run(self, text: str, *, first_line: int = 1, name: str | None = None) -> None:
        """Run a line.

        Args:
            text: A line, or several lines of ForthScript.
            first_line: The number of the first line in error messages.
            name: The name of the text in error messages.

        Raises:
            ForthVMError: The line failed, or forthvm has a bug.  A command that fails leaves the
                session unchanged.
            KeyboardInterrupt: Ctrl-C ended the line; changes made by ForthScript stay.
            LeaveError: The line is the command `quit`.
            BrokenPipeError: The reader of the output has exited.
        """
        if not text.strip():
            return
        command_line = self.command_of(text)
        self.session.vm.restart_output()
        try:
            if command_line is None:
                self.session.interpret(text, name=name, first_line=first_line)
            else:
                self._run_command(*command_line)
        except (LeaveError, BrokenPipeError):
            raise
        except (Exception, SystemExit) as error:
            source = f"`{command_line[0].name}`" if command_line else "this line"
            raise _error_to_print(error, source) from error
        finally:
            self.session.load_position_memory()
            self.screen.fresh_line()
            if self.print_warnings() and command_line is None:
                for line in _unclosed(text, first_line):
                    self.print(line)

    def _run_command(self, command: Command, argument: str) -> None:
        """Run a command, and show the position if the command changed it."""
        if argument and not command.arguments:
            raise ForthVMError(f"`{command.name}` takes no argument: `{argument}`")
        session = self.session
        state_before = session.save_state()
        try:
            command.action(self, argument)
        except (LeaveError, EnoughError):
            raise
        except BaseException:
            session.restore_if_changed(state_before)
            self.redirect_output()
            raise
        finally:
            position_changed = (
                command.changes_session and session.position is not state_before.position
            )
            if position_changed:
                session.add_undo(state_before)
        if position_changed:
            from forthvm.repl.commands.game import show_position

            show_position(self)

    def print_warnings(self) -> bool:
        """Print the new warnings; return whether there were any."""
        warnings = self.session.vm.warnings
        for warning in warnings[self._warning_count :]:
            self.print(self.screen.paint("warning", f"warning: {warning}"))
        is_new = len(warnings) > self._warning_count
        self._warning_count = len(warnings)
        return is_new

    def print_error(self, error: BaseException) -> None:
        """Print an error, its location, and the stack."""
        self.screen.fresh_line()
        if isinstance(error, ForthVMError):
            first, *lines = error.report().split("\n")
            self.print("\n".join([self.screen.paint("error", first), *lines]))
        elif isinstance(error, KeyboardInterrupt):
            first, *lines = getattr(error, "__notes__", ["interrupted"])[0].split("\n")
            self.print("\n".join([self.screen.paint("error", first), *lines]))
        else:
            self.print(self.screen.paint("error", str(error)))
        failed = self.session.failed_stack
        if failed and failed != self.session.stack:
            self.print(f"  the stack was {self.stack_text(failed)}")
        self.session.failed_stack = ()

    def print_stack(self) -> None:
        """Show the stack, unless it is empty."""
        stack = self.session.stack
        if stack and self.show_stack:
            self.print(self.stack_text(stack))

    def stack_text(self, stack: tuple[int, ...]) -> str:
        """Return the stack in one line, the top last, each cell with its most likely meaning."""
        shown = stack[-_MAX_SHOWN_CELLS:]
        parts = ["…"] if len(stack) > len(shown) else []
        for cell in shown:
            meanings = possible_meanings(self.session, cell)
            parts.append(
                f"{cell}" + self.screen.paint("dim", f"({meanings[0]})" if meanings else "")
            )
        return f"{self.screen.paint('dim', f'<{len(stack)}>')} {' '.join(parts)}"

    def print(self, text: str = "") -> None:
        """Print one or several lines."""
        self.screen.write(f"{text}\n")


def _unclosed(text: str, first_line: int) -> Iterator[str]:
    """Yield a line for each control structure that its definition does not close."""
    structure = read_structure(text)
    ends = {one.end for one in structure.structures if one.word == ":"}
    for one in structure.structures:
        if one.word in CLOSING_WORDS and one.end in ends:
            line = first_line + text.count("\n", 0, one.start)
            column = one.start - text.rfind("\n", 0, one.start)
            yield f"  {line}:{column}: {one.word} without {CLOSING_WORDS[one.word]}"


def _error_to_print(error: BaseException, source: str) -> ForthVMError:
    """Return the error to print for an exception that `source`, a command or line, raised.

    An exception that neither the script nor the system caused is an internal error.
    """
    if isinstance(error, ForthVMError):
        return error
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename and error.strerror else ""
        return ForthVMError(f"{file}{failure_reason(error)}")
    if isinstance(error, MemoryError):
        return ForthVMError(f"not enough memory for {source}")
    description = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hints = ["please report it (FORTHVM_TRACEBACK=1 shows where it happened)"]
    if os.environ.get("FORTHVM_TRACEBACK"):
        hints = "".join(traceback.format_exception(error)).splitlines()
    return ForthVMError(f"internal error in {source}: {description}", hints=hints)
