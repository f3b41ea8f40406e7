"""A program that communicates by lines over pipes.

Owns the lines and the detection of the program's failures.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.text.wording import exit_text
from forthvm.engines.errors import UnknownEngineError
from forthvm.engines.protocols.errors import ProgramError
from forthvm.system.command_line import join_words
from forthvm.system.files import failure_reason
from forthvm.system.processes import ChildProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Program", "find_program"]

MAX_LINE_BYTES = 1 << 20
"""Maximum length of a line from the program, in bytes."""
_ERROR_BYTES = 4096
"""The number of last bytes of standard error that are stored."""
_STORED_LINES = 5
"""The number of last received lines that are stored for error messages."""
_MAX_SHOWN_BYTES = 1 << 16
"""The number of bytes of a line that are stored for error messages."""
_EXIT_CHECK_SECONDS = 0.25
"""Seconds between two checks whether the process has exited.  The end of its output is not a
sufficient check, because children of the process may keep the pipes open."""
_EXIT_WAIT = 0.5
"""Seconds to wait for the exit of a program that closed its output."""
_REST_SECONDS = 0.5
"""Seconds to wait for the last output of a program that has exited, if it does not end because a
child of the program has the pipe open."""


def find_program(argv: Sequence[str]) -> str:
    """Return the path of the program in a command line.

    Raises:
        UnknownEngineError: The program does not exist, or cannot be run.
    """
    program = shutil.which(argv[0])
    if program is None:
        path = shutil.which(argv[0], mode=os.F_OK) or argv[0]
        if not os.path.dirname(path):  # noqa: PTH120 - as typed
            problem = "is not found on PATH"
        elif Path(path).is_file():
            problem = "cannot be run: not executable"
        else:
            problem = "does not exist" if not Path(path).exists() else "is not a file"
        raise UnknownEngineError(f"program {argv[0]!r} {problem} (command: {_shown(argv)})")
    return str(Path(program).absolute())


class Program:
    """A running program.  Only one thread may use it, but any thread may call `wake`."""

    def __init__(self, argv: Sequence[str], *, folder: str | None = None) -> None:
        """Start the program.

        Args:
            argv: The program and its arguments.
            folder: Its working directory; None for the current directory.

        Raises:
            UnknownEngineError: The program does not exist.
            ProgramError: The system cannot start it.
        """
        self.argv = tuple(argv)
        self.name = Path(argv[0]).name
        path = find_program(argv)
        try:
            self._child = ChildProgram(
                [path, *self.argv[1:]], folder=folder, last_errors=_ERROR_BYTES
            )
        except (OSError, ValueError) as error:
            message = f"cannot be started: {failure_reason(error)}"
            raise ProgramError(message, program=self.name, command=_shown(argv)) from error
        self._woken = False
        self._output_ended = False
        self._incomplete_line = bytearray()
        self._unread_lines: deque[str] = deque()
        self.sent: deque[str] = deque(maxlen=3)
        self.received: deque[str] = deque(maxlen=_STORED_LINES)

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._child.pid

    @property
    def ended(self) -> bool:
        """Whether `end` was called."""
        return self._child.ended

    # --- lines --------------------------------------------------------------------------

    def send(self, line: str) -> None:
        """Send a line, without waiting until the program reads it."""
        self.sent.append(line)
        self._child.input.write(line.encode("utf-8", "surrogatepass") + b"\n")

    def read_line(self, deadline: float | None) -> str | None:
        """Wait for the next line of the program.

        Args:
            deadline: The value of `time.monotonic()` at which waiting ends; None for no limit.

        Returns:
            The line without its line end; None if the time is up or `wake` was called.

        Raises:
            ProgramError: The program exited, closed its output, or wrote an invalid line.
        """
        while not self._unread_lines:
            seconds = _EXIT_CHECK_SECONDS
            if deadline is not None:
                seconds = min(max(deadline - time.monotonic(), 0.0), seconds)
            if not self._receive(seconds) and self._has_ended():
                raise self._output_ended_error()
            if self._unread_lines:
                break
            if self._woken or (deadline is not None and time.monotonic() >= deadline):
                self._woken = False
                return None
        line = self._unread_lines.popleft()
        self.received.append(line)
        if "\0" in line:
            raise self.end_with_error("wrote a line with a NUL byte")
        return line

    def wake(self) -> None:
        """Make a running `read_line` return.  Any thread may call this."""
        self._woken = True
        self._child.output.wake()

    def check_running(self) -> None:
        """Check that the program is running; drop the lines that it has written.

        Raises:
            ProgramError: The program has exited.
        """
        self._receive(0.0)
        if self._child.has_exited():
            raise self.end_with_error(f"{self._end_and_describe_exit()} between two moves")
        self._unread_lines.clear()

    def end_with_error(self, problem: str, *, grace: float = 0.0) -> ProgramError:
        """End the program and return an error that describes the problem."""
        self.end(grace)
        errors = self._child.errors
        last_errors = errors.read(0.0) if errors is not None else None
        return ProgramError(
            problem,
            program=self.name,
            command=_shown(self.argv),
            sent=tuple(self.sent),
            received=tuple(self.received),
            errors=(last_errors or b"").decode("utf-8", "replace"),
            returncode=self._child.status,
        )

    def _has_ended(self) -> bool:
        """Return whether the program will write nothing more."""
        if self._output_ended:
            return True
        return self._child.has_exited() and not self._receive(_REST_SECONDS)

    def _output_ended_error(self) -> ProgramError:
        """Return the error of a program whose output has ended."""
        problem = (
            self._end_and_describe_exit()
            if self._child.wait(_EXIT_WAIT)
            else "closed its standard output"
        )
        if self._incomplete_line:  # an incomplete line may state the reason
            self.received.append(self._incomplete_line.decode("utf-8", "replace"))
        return self.end_with_error(problem)

    def _receive(self, seconds: float) -> bool:
        """Wait for output and split it into lines; return whether there was any.

        Raises:
            ProgramError: A line is too long.
        """
        data = self._child.output.read(seconds)
        if data is None:
            return False
        if not data:
            self._output_ended = True
            return False
        self._incomplete_line += data
        if b"\n" in data:
            *lines, unfinished = self._incomplete_line.split(b"\n")
            self._incomplete_line = bytearray(unfinished)
            self._unread_lines += [line.decode("utf-8", "replace").rstrip("\r") for line in lines]
        if len(self._incomplete_line) > MAX_LINE_BYTES:
            line = self._incomplete_line[:_MAX_SHOWN_BYTES]
            self.received.append(line.decode("utf-8", "replace"))
            raise self.end_with_error(f"wrote a line of more than {MAX_LINE_BYTES:,} bytes")
        return True

    # --- ending ------------------------------------------------------------------------

    def end(self, grace: float = 0.0) -> None:
        """End the program and its children.

        Args:
            grace: Seconds to wait after closing the program's input before the program is killed.
        """
        self._child.end(grace)

    def _end_and_describe_exit(self) -> str:
        """End the program and describe its exit."""
        self.end()
        status = self._child.status
        return "cannot be ended" if status is None else exit_text(status)


def _shown(argv: Sequence[str]) -> str:
    return join_words(argv)
