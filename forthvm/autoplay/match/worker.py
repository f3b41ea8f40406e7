"""The code that a worker runs to play a game, and the status that it reports.

A worker is a thread, a process, or a process on another machine; its supervisor reads the status.
Owns the loaded configurations that a worker uses again for later games of the match.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.match.game import Abandoned, play, run_time_limit
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.system.limits import limit_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.game import Observer, Status, Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.store import GameRow
    from forthvm.engines import Engine
    from forthvm.game import Game

__all__ = [
    "BETWEEN_ENGINES_SECONDS",
    "NO_REPORT",
    "Report",
    "SharedStatus",
    "ThreadStatus",
    "WorkerStatus",
    "play_task",
    "use_status",
]

BETWEEN_ENGINES_SECONDS = 60.0
"""Seconds without a running engine after which a worker with a game counts as hanging."""


class _Local(threading.local):
    status: Status | None = None
    digest: str = ""
    loaded_match: LoadedMatch | None = None


_local = _Local()


def play_task(settings: Settings, task: Task, observer: Observer | None = None) -> GameRow:
    """Play a game in this thread.

    Raises:
        Abandoned: The match was stopped.
        ForthVMError: A configuration cannot be loaded, or an engine is not installed here.
    """
    status = _local.status
    assert status is not None
    digest = settings.digest
    try:
        if _local.loaded_match is None or _local.digest != digest:
            status.no_engine_running(0)
            budget = settings.budget.replace(seconds=run_time_limit(settings))
            _local.loaded_match, _local.digest = LoadedMatch(settings, budget=budget), digest
            if settings.memory is not None and isinstance(status, SharedStatus):
                # The game is loaded before: a VM reserves hundreds of megabytes of address space,
                # of which it uses only a small part.
                limit_memory(settings.memory << 20)
        if isinstance(status, ThreadStatus):
            status.games = _local.loaded_match.games
        return play(settings, _local.loaded_match, task, status, observer)
    finally:
        if isinstance(status, WorkerStatus):
            status.idle()


def use_status(status: Status) -> None:
    """Set the status to which this thread's games report."""
    _local.status = status


class WorkerStatus:
    """Base class of statuses that can also report that the worker has no task."""

    def idle(self) -> None:
        """Report that the worker has no task."""
        raise NotImplementedError


# --- threads ------------------------------------------------------------------------------------


class ThreadStatus(WorkerStatus):
    """The status of a worker thread; another thread can call `stop` to stop the worker's game.

    No thread supervises hanging workers: the time limit of the VM ends their engines.
    """

    def __init__(self) -> None:
        """Create the status of a worker without a task."""
        self.games: Sequence[Game] = ()
        self._engine: Engine | None = None
        self._stopped = False

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """Report that an engine starts to think."""
        self._engine = engine
        if self._stopped:
            raise Abandoned

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Do nothing: a supervisor needs the moves only if a process dies."""

    def no_engine_running(self, ply: int) -> None:
        """Report that no engine is thinking."""
        self._engine = None
        if self._stopped:
            raise Abandoned

    def idle(self) -> None:
        """Report that the worker has no task."""
        self._engine = None

    def stop(self) -> None:
        """Request the end of the game.

        Any thread may call this.  One call can miss an engine that is just starting; the caller
        repeats the call until the game has ended.
        """
        self._stopped = True
        engine = self._engine
        if engine is not None:
            engine.stop()
        for game in self.games:
            game._loaded.vm.interrupt()


# --- processes ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """The last report of a worker process."""

    seat: int
    """The index of the seat whose engine is thinking; -1 if no engine is thinking."""
    ply: int
    """The number of moves made in the current game."""
    deadline: float
    """The time (`time.monotonic`) after which the worker counts as hanging; 0 without a task."""
    moves: tuple[tuple[str, str], ...] = ()
    """Player and text of the current game's moves; only the first moves if there are very many."""
    seconds: float = 0.0
    """The time since the game began."""


NO_REPORT = Report(seat=-1, ply=0, deadline=0.0)
_STATUS_LAYOUT = struct.Struct("<iid")
"""The first part of a status file: the fields `seat`, `ply` and `deadline` of a `Report`."""
_GAME_LAYOUT = struct.Struct("<dI")
"""The second part: the time at which the game began, and the size in bytes of the third part."""
_MOVES_OFFSET = _STATUS_LAYOUT.size + _GAME_LAYOUT.size
"""The offset of the third part: a line of JSON for each move."""
_FILE_SIZE = 1 << 20
"""The size of a status file."""


class SharedStatus(WorkerStatus):
    """The status of a worker process, in a memory-mapped file that the parent process reads.

    Unlike a message, a report takes only a microsecond to write and need not be received.
    """

    def __init__(self, path: Path) -> None:
        """Open an existing status file."""
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _FILE_SIZE)
        self._written_moves = 0  # the number of moves in the file
        self._moves_size = 0  # the size of these moves in bytes
        self._began = 0.0

    @classmethod
    def create(cls) -> tuple[SharedStatus, Path]:
        """Create a status file, which the worker process opens and then unlinks.

        Raises:
            OSError: The file cannot be written.
        """
        descriptor, name = tempfile.mkstemp(prefix="forthvm-")
        path = Path(name)
        try:
            # If the disk were full, writing to the memory of a sparse file would end this process.
            with os.fdopen(descriptor, "wb") as file:
                file.write(bytes(_FILE_SIZE))
            status = cls(path)
        except BaseException:
            path.unlink()
            raise
        status.idle()  # a file of zeros would report that the engine of the first seat is thinking
        return status, path

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """Report that an engine starts to think."""
        _STATUS_LAYOUT.pack_into(self._memory, 0, seat, ply, time.monotonic() + seconds)

    def no_engine_running(self, ply: int) -> None:
        """Report that no engine is thinking."""
        _STATUS_LAYOUT.pack_into(
            self._memory, 0, -1, ply, time.monotonic() + BETWEEN_ENGINES_SECONDS
        )

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Append the new moves of the game."""
        if not moves:
            self._written_moves = self._moves_size = 0
            self._began = time.monotonic()
        # JSON escapes line ends in the texts of moves.
        lines = [f"{json.dumps(move)}\n" for move in moves[self._written_moves :]]
        new_lines = "".join(lines).encode("ascii")
        begin = _MOVES_OFFSET + self._moves_size
        if begin + len(new_lines) > _FILE_SIZE:
            return
        self._memory[begin : begin + len(new_lines)] = new_lines
        self._written_moves = len(moves)
        self._moves_size += len(new_lines)
        # The size is written last: if the process is killed earlier, the old moves remain valid.
        _GAME_LAYOUT.pack_into(self._memory, _STATUS_LAYOUT.size, self._began, self._moves_size)

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
        return replace(self.read(), moves=moves, seconds=seconds)

    def close(self) -> None:
        """Close the file."""
        self._memory.close()
