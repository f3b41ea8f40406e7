"""A program that communicates by lines over pipes.

Owns the process and the detection of its failures.  It must not know UGI.

The program runs in a session and process group of its own.  The process is reaped only after its
group has been killed; before, the system cannot assign the number of the group to another group.

If our own process is killed, it cannot end the program.  Therefore the group contains a guard: a
shell that waits until a pipe of our process closes, and then kills the group.

A call that waits for a line also reads standard error and writes pending input, so no thread is
needed.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import time
from collections import deque
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from forthvm.core.text.wording import exit_text
from forthvm.engines.errors import UnknownEngineError
from forthvm.engines.ugi.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Program", "find_program"]

MAX_LINE_BYTES = 1 << 20
"""Maximum length of a line from the program, in bytes."""
_ERROR_BYTES = 4096
"""The number of last bytes of standard error that are stored."""
_STORED_LINES = 5
"""The number of last received lines that are stored for error messages."""
_MAX_TRANSFER = 1 << 16
"""The maximum number of bytes read from or written to a pipe by one call."""
_EXIT_CHECK_SECONDS = 0.25
"""Seconds between two checks whether the process has exited.  The end of its output is not a
sufficient check, because children of the process may keep the pipes open."""
_EXIT_WAIT = 0.5
"""Seconds to wait for the exit of a program that closed its output."""
_TERMINATE_WAIT = 0.2
"""Seconds between SIGTERM and SIGKILL."""
_KILL_WAIT = 5.0
"""Seconds to wait for the exit of a killed program."""
_GUARD_SCRIPT = """\
(read -r _; sleep 1; kill -KILL 0) </dev/fd/{} >/dev/null 2>&1 &
exec "$0" "$@"
"""
"""The script of the shell: it starts the guard and then executes the program."""
_READABLE, _WRITABLE = select.POLLIN, select.POLLOUT


def find_program(argv: Sequence[str]) -> str:
    """Return the path of the program in a command line.

    Raises:
        UnknownEngineError: The program does not exist, or cannot be run.
    """
    program = shutil.which(argv[0])
    if program is None:
        path = shutil.which(argv[0], mode=os.F_OK) or argv[0]
        if os.sep not in path:
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
        guard_end, self._guard_pipe = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603, RUF100 - the user's command
                ["/bin/sh", "-c", _GUARD_SCRIPT.format(guard_end), path, *self.argv[1:]],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(guard_end,),
            )
        except (OSError, ValueError) as error:
            os.close(self._guard_pipe)
            text = getattr(error, "strerror", None) or str(error)
            raise ProgramError(
                f"cannot be started: {text}", program=self.name, command=_shown(argv)
            ) from error
        finally:
            os.close(guard_end)
        self._owner_pid = os.getpid()
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        for pipe in (stdin, stdout, stderr):
            os.set_blocking(pipe.fileno(), False)
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._lock = Lock()
        self._ended = False
        self._unsent_input = bytearray()
        self._incomplete_line = bytearray()
        self._unread_lines: deque[str] = deque()
        self._error_tail = bytearray()
        self._closed_outputs: set[int] = set()
        self.sent: deque[str] = deque(maxlen=3)
        self.received: deque[str] = deque(maxlen=_STORED_LINES)

    @property
    def pid(self) -> int:
        """The process id of the program, also the id of its group and session."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether `end` was called."""
        return self._ended

    # --- lines --------------------------------------------------------------------------

    def send(self, line: str) -> None:
        """Send a line; if the pipe is full, later calls of any method write the remaining bytes."""
        self.sent.append(line)
        self._unsent_input += line.encode("utf-8", "surrogatepass") + b"\n"
        self._write()

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
            if self._stdout.fileno() in self._closed_outputs:
                raise self._output_ended_error()
            seconds = (
                _EXIT_CHECK_SECONDS
                if deadline is None
                else min(deadline - time.monotonic(), _EXIT_CHECK_SECONDS)
            )
            woken = self._transfer(max(seconds, 0.0))
            if self._unread_lines:
                break
            if self._has_exited():
                self._read_remaining_output()
                if not self._unread_lines:
                    raise self._output_ended_error()
                break
            if woken or (deadline is not None and time.monotonic() >= deadline):
                return None
        line = self._unread_lines.popleft()
        self.received.append(line)
        if "\0" in line:
            raise self.end_with_error("wrote a line with a NUL byte")
        return line

    def wake(self) -> None:
        """Make a running `read_line` return.  Any thread may call this."""
        with self._lock:
            if not self._ended:
                with contextlib.suppress(BlockingIOError):  # the pipe is full of earlier calls
                    os.write(self._wake_write, b"!")

    def check_running(self) -> None:
        """Check that the program is running; drop the lines that it has written.

        Raises:
            ProgramError: The program has exited.
        """
        self._transfer(0.0)
        if self._has_exited():
            self._read_remaining_output()
            raise self.end_with_error(f"{self._end_and_describe_exit()} between two moves")
        self._unread_lines.clear()

    def end_with_error(self, problem: str, *, grace: float = 0.0) -> ProgramError:
        """End the program and return an error that describes the problem."""
        self.end(grace)
        return ProgramError(
            problem,
            program=self.name,
            command=_shown(self.argv),
            sent=tuple(self.sent),
            received=tuple(self.received),
            errors=self._error_tail.decode("utf-8", "replace"),
            returncode=self._process.returncode,
        )

    def _output_ended_error(self) -> ProgramError:
        """Return the error of a program whose output has ended."""
        deadline = time.monotonic() + _EXIT_WAIT
        while not self._has_exited() and time.monotonic() < deadline:
            self._transfer(0.01, read_only=True)
        problem = (
            self._end_and_describe_exit() if self._has_exited() else "closed its standard output"
        )
        if self._incomplete_line:  # an incomplete line may state the reason
            self.received.append(self._incomplete_line.decode("utf-8", "replace"))
        return self.end_with_error(problem)

    # --- pipes --------------------------------------------------------------------------

    def _transfer(self, seconds: float, *, read_only: bool = False) -> bool:
        """Wait until a pipe is ready, then read and write; return whether `wake` was called.

        If `read_only`, nothing is written, and calls of `wake` are ignored.
        """
        poll = select.poll()
        out, err = self._stdout.fileno(), self._stderr.fileno()
        open_ends = [fd for fd in (out, err) if fd not in self._closed_outputs]
        for fd in open_ends:
            poll.register(fd, _READABLE)
        if not read_only:
            poll.register(self._wake_read, _READABLE)
            if self._unsent_input and not self._stdin.closed:
                poll.register(self._stdin.fileno(), _WRITABLE)
        elif not open_ends:
            time.sleep(seconds)
            return False
        ready = {fd for fd, _ in poll.poll(seconds * 1000)}
        if out in ready:
            self._split_lines(self._read(out))
        if err in ready:
            self._error_tail += self._read(err)
            del self._error_tail[:-_ERROR_BYTES]
        if not self._stdin.closed and self._stdin.fileno() in ready:
            self._write()
        if self._wake_read in ready:
            os.read(self._wake_read, _MAX_TRANSFER)
            return True
        return False

    def _read(self, fd: int) -> bytes:
        try:
            data = os.read(fd, _MAX_TRANSFER)
        except BlockingIOError:
            return b""
        if not data:
            self._closed_outputs.add(fd)
        return data

    def _write(self) -> None:
        try:
            while self._unsent_input:
                del self._unsent_input[
                    : os.write(self._stdin.fileno(), self._unsent_input[:_MAX_TRANSFER])
                ]
        except BlockingIOError:
            pass
        except (BrokenPipeError, ValueError):
            self._unsent_input.clear()  # the program has exited; `read_line` raises the error

    def _split_lines(self, received: bytes) -> None:
        """Split received bytes into lines."""
        self._incomplete_line += received
        if b"\n" in received:
            *lines, unfinished = self._incomplete_line.split(b"\n")
            self._incomplete_line = bytearray(unfinished)
            self._unread_lines += [line.decode("utf-8", "replace").rstrip("\r") for line in lines]
        if len(self._incomplete_line) > MAX_LINE_BYTES:
            self.received.append(self._incomplete_line[:_MAX_TRANSFER].decode("utf-8", "replace"))
            raise self.end_with_error(f"wrote a line of more than {MAX_LINE_BYTES:,} bytes")

    def _read_remaining_output(self) -> None:
        """Read the remaining output of a process that has exited."""
        for _ in range(1 + MAX_LINE_BYTES // _MAX_TRANSFER):
            before = len(self._unread_lines), len(self._incomplete_line), bytes(self._error_tail)
            self._transfer(0.0, read_only=True)
            if before == (
                len(self._unread_lines),
                len(self._incomplete_line),
                bytes(self._error_tail),
            ):
                break

    # --- ending ------------------------------------------------------------------------

    def end(self, grace: float = 0.0) -> None:
        """End the program and all processes of its group.

        Args:
            grace: Seconds to wait after closing the program's input before the program is killed.
        """
        with self._lock:
            # A fork of our process has a copy of this object and must not end the program.
            if self._ended or os.getpid() != self._owner_pid:
                return
            self._ended = True
        with contextlib.suppress(OSError):
            self._stdin.close()
        if not self._wait_for_exit(grace):
            self._signal(signal.SIGTERM)
            self._wait_for_exit(_TERMINATE_WAIT)
        self._signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_WAIT)
        with contextlib.suppress(ProgramError):
            self._read_remaining_output()
        self._stdout.close()
        self._stderr.close()
        os.close(self._wake_read)
        os.close(self._wake_write)
        os.close(self._guard_pipe)

    def _wait_for_exit(self, seconds: float) -> bool:
        """Wait for the exit while reading output; return whether the program exited in time."""
        deadline = time.monotonic() + seconds
        while not self._has_exited():
            if time.monotonic() >= deadline:
                return False
            with contextlib.suppress(ProgramError):
                self._transfer(0.005, read_only=True)
        return True

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _has_exited(self) -> bool:
        """Whether the process has exited; it is not reaped if the system has `waitid`."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll() is not None
        try:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, flags) is not None
        except ChildProcessError:  # other code has waited for all children
            return self._process.poll() is not None

    def _end_and_describe_exit(self) -> str:
        """End the program and describe its exit."""
        self.end()
        status = self._process.returncode
        return "cannot be ended" if status is None else exit_text(status)


def _shown(argv: Sequence[str]) -> str:
    import shlex

    return shlex.join(argv)
