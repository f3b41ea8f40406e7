"""A worker process: its start and end by the parent process, and its main loop.

Owns the command line of the worker, the connection between parent and worker, and the protocol.
pool.py handles lost workers.

Standard input and standard output of the worker are the connection.  A message is the number of its
bytes, and the bytes, which are pickled.

`multiprocessing` would start the worker by `python -c`, which puts the current folder at the front
of `sys.path`; a worker would then import a file `sqlite3.py` in that folder.  The command below
loads the same `forthvm` as the parent, and then copies the parent's `sys.path`.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import struct
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.worker import SharedStatus, use_status
from forthvm.core.errors import ForthVMError
from forthvm.core.text.advice import for_command_line
from forthvm.core.text.wording import exit_text
from forthvm.system.files import remove
from forthvm.system.interrupts import ignore_interrupts
from forthvm.system.processes import ChildProgram

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from forthvm.autoplay.match.worker import Report

__all__ = ["WorkerProcess", "WorkerStartError", "serve"]

_START_SECONDS = 60.0
"""The time limit for the start of a process, including the import of forthvm."""
_END_SECONDS = 2.0
"""The time after which a process that does not end is killed."""
_REST_SECONDS = 0.5
"""The time to wait for the last message of a process that has ended, if a child of the process has
the pipe open."""
_SIZE = struct.Struct("<Q")

_COMMAND = """\
# forthvm worker_process
import json, sys
package, path, status = json.loads(sys.argv.pop())
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("forthvm", package)
sys.modules["forthvm"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["forthvm"])
from forthvm.autoplay.match.worker_process import serve
sys.path[:] = path
serve(status)
"""


class WorkerStartError(ForthVMError):
    """A worker process could not be started, or ended before it was ready for a task."""


class WorkerProcess:
    """The parent's side of a worker process."""

    def __init__(self) -> None:
        """Start the process, which accepts tasks after `wait_until_ready`.

        Raises:
            WorkerStartError: The system cannot start the process.
        """
        try:
            self.status, self._path = SharedStatus.create()
            try:
                self._child = ChildProgram(_command(self._path))
            except BaseException:
                self._close_status()
                raise
        except (OSError, ValueError) as error:
            raise WorkerStartError(f"a worker process cannot be started: {error}") from error
        self._received = bytearray()
        self._is_ready = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._child.pid

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return not self._child.has_exited()

    @property
    def ready(self) -> bool:
        """Whether the process accepts tasks."""
        return self._is_ready

    def wait_until_ready(self) -> None:
        """Wait until the process accepts tasks.

        Raises:
            WorkerStartError: The process ended, or did not answer in time.
        """
        deadline = time.monotonic() + _START_SECONDS
        with contextlib.suppress(EOFError):
            while not self._is_ready and (seconds := deadline - time.monotonic()) > 0:
                self._is_ready = self.receive(seconds) is not None
        if not self._is_ready:
            self.end()
            description = self.ending_description()
            raise WorkerStartError(f"a worker process could not start: it {description}")

    def send(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Send a task; `receive` returns whether it succeeded, and its result or exception.

        Raises:
            Exception: The function or an argument cannot be pickled.
        """
        task = pickle.dumps((function, arguments))
        self._child.input.write(_SIZE.pack(len(task)) + task)

    def receive(self, seconds: float) -> tuple[bool, Any] | None:
        """Wait for a message of the process.

        Returns:
            The message; None if there is no message after some time, at most `seconds`.

        Raises:
            EOFError: The process has ended.
        """
        data = self._child.output.read(seconds)
        if data is None and self._child.has_exited():
            # A child process of the worker may still have the pipe open.
            data = self._child.output.read(_REST_SECONDS) or b""
        if data is None:
            return None
        if not data:
            raise EOFError
        self._received += data
        if len(self._received) < _SIZE.size:
            return None
        end = _SIZE.size + _SIZE.unpack_from(self._received)[0]
        if len(self._received) < end:
            return None
        message = bytes(self._received[_SIZE.size : end])
        del self._received[:end]
        outcome: tuple[bool, Any] = pickle.loads(message)  # noqa: S301, RUF100 - our own process
        return outcome

    def kill(self) -> None:
        """Kill the process, even during a task."""
        self._child.kill()

    def end(self, *, hung: bool = False) -> Report:
        """End the process and return its last report; if `hung`, kill the process immediately."""
        if hung:
            self._child.kill()
        self._child.end(_END_SECONDS)
        report = self.status.read_game()
        self._close_status()
        return report

    def ending_description(self) -> str:
        """Return a description of the process's end."""
        status = self._child.status
        return "stopped answering" if status is None else exit_text(status)

    def _close_status(self) -> None:
        self.status.close()
        with contextlib.suppress(OSError):  # the folder has become read-only
            remove(self._path)  # if the process has not removed it


def _command(status: Path) -> Sequence[str]:
    package = Path(__file__).parents[2] / "__init__.py"
    start = [str(package), sys.path, str(status)]
    # The flag keeps the current folder out of `sys.path`.
    isolation_flag = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, isolation_flag, "-c", _COMMAND, json.dumps(start)]


# --- in the process ---------------------------------------------------------------------------


def serve(status_path: str) -> None:
    """Run tasks until the parent closes standard input."""
    ignore_interrupts()  # the parent handles Ctrl-C
    tasks, results = _take_standard_streams()
    path = Path(status_path)
    status = SharedStatus(path)
    with contextlib.suppress(OSError):  # some systems refuse to remove an open file
        path.unlink()
    use_status(status)
    # Error messages go into the results file; their hints name command-line options.
    with for_command_line(), contextlib.suppress(OSError):
        _send(results, (True, "ready"))
        while len(size := tasks.read(_SIZE.size)) == _SIZE.size:
            _send(results, _run_task(tasks.read(_SIZE.unpack(size)[0])))


def _take_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and standard output, which the code of engines must not use.

    Their output goes to standard error.
    """
    null = os.open(os.devnull, os.O_RDWR)  # it becomes standard error if that is closed
    tasks, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return tasks, results


def _run_task(task: bytes) -> tuple[bool, object]:
    """Run the function of a task; return whether it succeeded, and its result or exception."""
    try:
        function, arguments = pickle.loads(task)  # noqa: S301, RUF100 - data of the parent
        return True, function(*arguments)
    except BaseException as error:
        return False, error


def _send(results: BinaryIO, outcome: tuple[bool, object]) -> None:
    """Send the outcome of a task, or an error if the outcome cannot be pickled."""
    try:
        message = pickle.dumps(outcome)
    except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
        _, value = outcome
        text = f"{type(value).__name__}: {value}; {error}"
        message = pickle.dumps((False, RuntimeError(text)))
    results.write(_SIZE.pack(len(message)) + message)
    results.flush()
