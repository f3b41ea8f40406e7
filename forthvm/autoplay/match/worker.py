"""The tasks of a worker: a thread, a process, or a process on another machine.

Owns the loaded games that a worker reuses for later tasks, and the status that each kind of worker
reports to its supervisor.  It must not know the match's progress or its file.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import struct
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from forthvm.autoplay.match.game import Abandoned, longest_run, play
from forthvm.autoplay.match.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.game import Observer, Status, Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.store import GameRow
    from forthvm.engines import Engine
    from forthvm.game import Game

__all__ = [
    "EXIT_HUNG",
    "NO_REPORT",
    "Report",
    "SharedStatus",
    "ThreadStatus",
    "play_task",
    "use_status",
]

EXIT_HUNG = 86
"""The exit status of a worker process that ended itself because it was hanging."""

_HOST_SECONDS = 60.0
"""The time limit of the work between two calls of engines.  Scripts have their own limits."""


class _Local(threading.local):
    status: Status | None = None
    digest: str = ""
    table: Table | None = None


_local = _Local()


def play_task(settings: Settings, task: Task, observer: Observer | None = None) -> GameRow:
    """Play a game in this thread.  Configurations stay loaded for later tasks of the match.

    Raises:
        Abandoned: The match was stopped.
        ForthVMError: A configuration cannot be loaded, or an engine is not installed here.
    """
    status = _local.status
    if status is None:
        status = _local.status = _SelfEndingStatus()
    digest = settings.digest
    try:
        if _local.table is None or _local.digest != digest:
            status.no_engine_running(0)
            budget = settings.budget.replace(seconds=longest_run(settings))
            _local.table, _local.digest = Table(settings, budget=budget), digest
            if settings.memory is not None and isinstance(status, SharedStatus):
                _limit_memory(settings.memory)
        if isinstance(status, ThreadStatus):
            status.games = _local.table.games
        return play(settings, _local.table, task, status, observer)
    finally:
        if isinstance(status, _WorkerStatus):
            status.idle()


def use_status(status: Status) -> None:
    """Set the status to which this thread's games report."""
    _local.status = status


class _WorkerStatus:
    """Base class of statuses that can also report that the worker has no task."""

    def idle(self) -> None:
        """Report that the worker has no task."""
        raise NotImplementedError


# --- threads ------------------------------------------------------------------------------------


class ThreadStatus(_WorkerStatus):
    """The status of a worker thread, by which another thread can stop its game.

    Threads that hang are ended by the VM's time limit.
    """

    def __init__(self) -> None:
        """Create the status of a worker without task."""
        self.games: Sequence[Game] = ()
        self._engine: Engine | None = None
        self._stopped = False

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """Report that an engine starts to think."""
        self._engine = engine
        if self._stopped:
            raise Abandoned

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Do nothing: the moves of a thread cannot be lost."""

    def no_engine_running(self, ply: int) -> None:
        """Report that no engine is thinking."""
        self._engine = None
        if self._stopped:
            raise Abandoned

    def idle(self) -> None:
        """Report that the worker has no task."""
        self._engine = None

    def stop(self) -> None:
        """Stop the game.  Any thread may call this, repeatedly until the game has ended."""
        self._stopped = True
        engine = self._engine
        if engine is not None:
            engine.stop()
        for game in self.games:
            game.vm.interrupt()


# --- processes ----------------------------------------------------------------------------------


class Report(NamedTuple):
    """The last report of a worker process."""

    seat: int
    """The seat whose engine is thinking; -1 for none."""
    ply: int
    """The number of moves made in the current game."""
    deadline: float
    """The time (`time.monotonic`) after which the worker counts as hanging; 0 without a task."""
    moves: tuple[tuple[str, str], ...] = ()
    """Player and text of the current game's moves; only the first moves if there are very many."""
    seconds: float = 0.0
    """The time since the game began."""


NO_REPORT = Report(-1, 0, 0.0)
_STATUS_LAYOUT = struct.Struct("<iid")
"""The fields `seat`, `ply` and `deadline` of a `Report`, at the start of the file."""
_GAME_LAYOUT = struct.Struct("<dI")
"""The time at which the game began, and the size in bytes of its moves, which follow."""
_MOVES_OFFSET = _STATUS_LAYOUT.size + _GAME_LAYOUT.size
_FILE_SIZE = 1 << 20
"""The size of the file, which is sparse."""


class SharedStatus(_WorkerStatus):
    """The status of a worker process, in a memory-mapped file that the parent reads.

    Writing a report takes a microsecond, and the parent need not receive messages.
    """

    def __init__(self, path: Path) -> None:
        """Open an existing file."""
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _FILE_SIZE)
        self._written_moves = 0  # the number of moves in the file
        self._end = 0  # their size in bytes
        self._began = 0.0

    @classmethod
    def create(cls) -> tuple[SharedStatus, Path]:
        """Create a file; the worker process removes its name after opening it."""
        descriptor, name = tempfile.mkstemp(prefix="forthvm-")
        os.ftruncate(descriptor, _FILE_SIZE)
        os.close(descriptor)
        status = cls(Path(name))
        status.idle()  # a file of zeros would report that the engine of the first seat is thinking
        return status, Path(name)

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """Report that an engine starts to think."""
        _STATUS_LAYOUT.pack_into(self._memory, 0, seat, ply, time.monotonic() + seconds)

    def no_engine_running(self, ply: int) -> None:
        """Report that no engine is thinking."""
        _STATUS_LAYOUT.pack_into(self._memory, 0, -1, ply, time.monotonic() + _HOST_SECONDS)

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Append the new moves of the game."""
        if not moves:
            self._written_moves = self._end = 0
            self._began = time.monotonic()
        # A line of ASCII JSON can contain any text.
        lines = [f"{json.dumps(move)}\n" for move in moves[self._written_moves :]]
        new = "".join(lines).encode("ascii")
        begin = _MOVES_OFFSET + self._end
        if begin + len(new) > _FILE_SIZE:
            return
        self._memory[begin : begin + len(new)] = new
        self._written_moves, self._end = len(moves), self._end + len(new)
        # The size is written last: if the process is killed earlier, the old moves remain valid.
        _GAME_LAYOUT.pack_into(self._memory, _STATUS_LAYOUT.size, self._began, self._end)

    def idle(self) -> None:
        """Report that the worker has no task."""
        self.moves_changed(())
        _STATUS_LAYOUT.pack_into(self._memory, 0, -1, 0, 0.0)

    def read(self) -> Report:
        """Return the last report, without the moves."""
        return Report(*_STATUS_LAYOUT.unpack_from(self._memory, 0))

    def read_game(self) -> Report:
        """Return the last report, with the moves of the current game."""
        began, size = _GAME_LAYOUT.unpack_from(self._memory, _STATUS_LAYOUT.size)
        lines = self._memory[_MOVES_OFFSET : _MOVES_OFFSET + size].decode("ascii").splitlines()
        moves = tuple((player, text) for player, text in map(json.loads, lines))
        seconds = time.monotonic() - began if began else 0.0
        return self.read()._replace(moves=moves, seconds=seconds)

    def close(self) -> None:
        """Close the file."""
        self._memory.close()


def _limit_memory(mebibytes: int) -> None:
    """Limit the additional memory of this process.

    It is called after the game was loaded, because a VM reserves hundreds of megabytes of address
    space but uses only a small part.
    """
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    used = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        used = pages * resource.getpagesize()
    limit = used + mebibytes * 1024 * 1024
    with contextlib.suppress(OSError, ValueError):
        # Only the soft limit is changed, so that a later match in this process can raise it.
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


class _SelfEndingStatus(_WorkerStatus):
    """The status of a worker that another program started, such as dask on another machine.

    That program cannot end a hanging engine, so the process ends itself.  The cluster starts
    another process, and lost_games.py decides about the game.
    """

    _instances: ClassVar[list[_SelfEndingStatus]] = []
    _lock = threading.Lock()

    def __init__(self) -> None:
        self._deadline = 0.0
        with self._lock:
            self._instances.append(self)
            if len(self._instances) == 1:
                threading.Thread(
                    target=_exit_when_hanging, name="forthvm guard", daemon=True
                ).start()

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Do nothing: there is no supervisor to read the moves."""

    def no_engine_running(self, ply: int) -> None:
        self._deadline = time.monotonic() + _HOST_SECONDS

    def idle(self) -> None:
        self._deadline = 0.0

    @classmethod
    def any_hanging(cls) -> bool:
        now = time.monotonic()
        return any(0 < each._deadline < now for each in cls._instances)


def _exit_when_hanging() -> None:
    while not _SelfEndingStatus.any_hanging():
        time.sleep(0.5)
    os._exit(EXIT_HUNG)
