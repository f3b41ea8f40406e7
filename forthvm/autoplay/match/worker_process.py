"""A worker process: how the parent starts and ends it, and what it does in between.

Owns the command line, the connection between the two and the order of their messages.  It
must not know matches, nor what to do about a process that is lost (pool.py).

The process is started by a command of our own rather than by `multiprocessing`: that one runs
`python -c`, which puts the current folder in front of everything that can be imported, so that a
file `sqlite3.py` or a folder `forthvm/` there would be run by every worker.  Our process has the
very `forthvm` of its parent, and from then on imports from where its parent does (`sys.path`).
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

import forthvm
from forthvm.autoplay.match.worker import SharedStatus, use_status
from forthvm.core.advice import for_command_line
from forthvm.core.errors import ForthVMError
from forthvm.core.wording import exit_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.worker import Report

__all__ = ["WorkerProcess", "WorkerStartError", "serve"]

_START_SECONDS = 60.0
"""Within these a process has imported forthvm, however busy the machine is."""
_END_SECONDS = 2.0
"""Given to a process that ends by itself."""

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
        """Starts the process; it may take a task when `wait_until_ready` has returned.

        Raises:
            WorkerStartError: the system cannot start it.
        """
        self.connection, theirs = Pipe()
        lifeline, self._lifeline = os.pipe()
        self.status, self._path = SharedStatus.create()
        try:
            _block_interrupts()
            self._process = subprocess.Popen(  # noqa: S603, RUF100 - our own command
                _command(theirs.fileno(), lifeline, self._path),
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), lifeline),
            )
        except (OSError, ValueError) as error:
            self._close()
            raise WorkerStartError(f"a worker process cannot be started: {error}") from error
        finally:
            theirs.close()
            os.close(lifeline)
        self._is_ready = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def ready(self) -> bool:
        """Whether it has said that it takes tasks."""
        return self._is_ready

    def wait_until_ready(self) -> None:
        """Waits for a process that was just started.

        Raises:
            WorkerStartError: it has ended, or does not answer.
        """
        if self._is_ready:
            return
        with contextlib.suppress(EOFError, OSError):
            if self.connection.poll(_START_SECONDS):
                self.connection.recv_bytes()
                self._is_ready = True
                return
        self.end()
        raise WorkerStartError(f"a worker process could not start: it {self.how_it_ended()}")

    def kill(self) -> None:
        """Ends it at once, whatever it is doing."""
        self._process.kill()

    def end(self, *, hung: bool = False) -> Report:
        """Has the process end, by itself unless it hangs; gives what it said last."""
        if hung:
            self._process.kill()
        self.connection.close()  # it ends when there is nothing at the other end
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        report = self.status.read_game()
        self._close()
        return report

    def how_it_ended(self) -> str:
        """In words."""
        status = self._process.returncode
        return "stopped answering" if status is None else exit_text(status)

    def _close(self) -> None:
        self.connection.close()
        self.status.close()
        self._path.unlink(missing_ok=True)  # unless the process has removed the name
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1


def _command(connection: int, lifeline: int, status: Path) -> Sequence[str]:
    start = [forthvm.__file__, sys.path, connection, lifeline, str(status)]
    # No current folder in front of the standard library.
    alone = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, alone, "-c", _COMMAND, json.dumps(start)]


def _block_interrupts() -> None:
    """Has processes that this thread starts hear of no Ctrl-C until they are ready for it."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


# --- in the process ---------------------------------------------------------------------------


def serve(connection_number: int, lifeline: int, status_path: str) -> None:
    """Does tasks until the parent closes the connection."""
    # Ctrl-C is for the parent to hear.  Handled rather than ignored: programs that an engine
    # starts would inherit that.
    signal.signal(signal.SIGINT, _nothing)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for number in (connection_number, lifeline):
        os.set_inheritable(number, False)
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    # What an engine prints must not get between the parent's lines.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    path = Path(status_path)
    status = SharedStatus(path)
    with contextlib.suppress(OSError):  # in use, on systems that mind
        path.unlink()
    use_status(status)
    connection: Connection[Any, Any] = Connection(connection_number)
    # Messages go into the results file, which commands show.
    with for_command_line(), contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        connection.send_bytes(b"ready")
        while True:
            _send(connection, _answer(connection.recv_bytes()))


def _answer(task: bytes) -> tuple[bool, object]:
    """What the function of a task returned or raised."""
    try:
        function, arguments = pickle.loads(task)  # noqa: S301, RUF100 - the parent's
        return True, function(*arguments)
    except BaseException as error:
        return False, error


def _send(connection: Connection[Any, Any], answer: tuple[bool, object]) -> None:
    try:
        connection.send(answer)
    except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
        said = f"{type(answer[1]).__name__}: {answer[1]}; {error}"
        connection.send((False, RuntimeError(said)))


def _nothing(_signal: int, _frame: object) -> None:
    """Is done about a signal."""


def _end_with_parent(lifeline: int) -> None:
    """Ends this process when its parent has ended, whatever it is doing."""
    os.read(lifeline, 1)
    os._exit(1)
