"""A worker process: its start and end by the parent process, and its main loop.

Owns the command line of the worker, the connection between parent and worker, and the protocol.
It must not know matches, or the handling of a lost worker (pool.py).

The *lifeline* is a pipe.  Only the parent has its writing end.  When the parent ends, the pipe
closes, and the worker ends too.

`multiprocessing` would start the worker by `python -c`, which puts the current folder at the front
of `sys.path`; a worker would then import a file `sqlite3.py` in that folder.  The command below
loads the same `forthvm` as the parent, and then copies the parent's `sys.path`.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.worker import SharedStatus, use_status
from forthvm.core.errors import ForthVMError
from forthvm.core.text.advice import for_command_line
from forthvm.core.text.wording import exit_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.worker import Report

__all__ = ["WorkerProcess", "WorkerStartError", "serve"]

_START_SECONDS = 60.0
"""The time limit for the start of a process, including the import of forthvm."""
_END_SECONDS = 2.0
"""The time after which a process that does not end is killed."""

_COMMAND = """\
# forthvm worker_process
import json, sys
package, path, connection, lifeline, status = json.loads(sys.argv.pop())
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("forthvm", package)
sys.modules["forthvm"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["forthvm"])
from forthvm.autoplay.match.worker_process import serve
sys.path[:] = path
serve(connection, lifeline, status)
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
        self.connection, child_end = Pipe()
        lifeline, self._lifeline = os.pipe()
        self.status, self._path = SharedStatus.create()
        try:
            _block_interrupts()
            self._process = subprocess.Popen(  # noqa: S603, RUF100 - our own command
                _command(child_end.fileno(), lifeline, self._path),
                stdin=subprocess.DEVNULL,
                pass_fds=(child_end.fileno(), lifeline),
            )
        except (OSError, ValueError) as error:
            self._close()
            raise WorkerStartError(f"a worker process cannot be started: {error}") from error
        finally:
            child_end.close()
            os.close(lifeline)
        self._is_ready = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    @property
    def ready(self) -> bool:
        """Whether the process accepts tasks."""
        return self._is_ready

    def wait_until_ready(self) -> None:
        """Wait until the process accepts tasks.

        Raises:
            WorkerStartError: The process ended, or did not answer in time.
        """
        if self._is_ready:
            return
        with contextlib.suppress(EOFError, OSError):
            if self.connection.poll(_START_SECONDS):
                self.connection.recv_bytes()
                self._is_ready = True
                return
        self.end()
        raise WorkerStartError(f"a worker process could not start: it {self.ending_description()}")

    def kill(self) -> None:
        """Kill the process, even during a task."""
        self._process.kill()

    def end(self, *, hung: bool = False) -> Report:
        """End the process and return its last report; if `hung`, kill the process immediately."""
        if hung:
            self._process.kill()
        self.connection.close()  # asks the process to end
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        report = self.status.read_game()
        self._close()
        return report

    def ending_description(self) -> str:
        """Return a description of the process's end."""
        status = self._process.returncode
        return "stopped answering" if status is None else exit_text(status)

    def _close(self) -> None:
        self.connection.close()
        self.status.close()
        self._path.unlink(missing_ok=True)  # if the process ended before it removed the file
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1


def _command(connection: int, lifeline: int, status: Path) -> Sequence[str]:
    package = Path(__file__).parents[2] / "__init__.py"
    start = [str(package), sys.path, connection, lifeline, str(status)]
    # The flag keeps the current folder out of `sys.path`.
    isolation_flag = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, isolation_flag, "-c", _COMMAND, json.dumps(start)]


def _block_interrupts() -> None:
    """Block SIGINT in this thread and in the child processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


# --- in the process ---------------------------------------------------------------------------


def serve(connection_number: int, lifeline: int, status_path: str) -> None:
    """Run tasks until the parent closes the connection."""
    # The parent handles Ctrl-C.  An empty handler is set instead of SIG_IGN, because programs that
    # an engine starts would inherit SIG_IGN.
    signal.signal(signal.SIGINT, _do_nothing)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for number in (connection_number, lifeline):
        os.set_inheritable(number, False)
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    # The output of engines goes to stderr, because the parent prints its results to stdout.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    path = Path(status_path)
    status = SharedStatus(path)
    with contextlib.suppress(OSError):  # some systems refuse to remove an open file
        path.unlink()
    use_status(status)
    connection: Connection[Any, Any] = Connection(connection_number)
    # Error messages go into the results file; their hints name command-line options.
    with for_command_line(), contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        connection.send_bytes(b"ready")
        while True:
            _send(connection, _run_task(connection.recv_bytes()))


def _run_task(task: bytes) -> tuple[bool, object]:
    """Run the function of a task; return whether it succeeded, and its result or exception."""
    try:
        function, arguments = pickle.loads(task)  # noqa: S301, RUF100 - data of the parent
        return True, function(*arguments)
    except BaseException as error:
        return False, error


def _send(connection: Connection[Any, Any], outcome: tuple[bool, object]) -> None:
    """Send the outcome of a task, or an error if the outcome cannot be pickled."""
    try:
        connection.send(outcome)
    except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
        _, value = outcome
        text = f"{type(value).__name__}: {value}; {error}"
        connection.send((False, RuntimeError(text)))


def _do_nothing(_signal: int, _frame: object) -> None:
    """A signal handler without effect."""


def _end_with_parent(lifeline: int) -> None:
    """End this process when its parent has ended, even during a task."""
    os.read(lifeline, 1)
    os._exit(1)
