"""What a worker does, whatever kind of worker it is: a thread, a process, one on another machine.

Owns the loaded games a worker keeps from task to task, and what each kind of worker tells
those who watch over it.  It must not know the match's progress or its file.
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

__all__ = ["HUNG", "NOTHING", "Report", "SharedStatus", "ThreadStatus", "play_task", "use_status"]

HUNG = 86
"""Exit status of a worker process that gave itself up."""

_HOST_SECONDS = 60.0
"""Between two engines everything is quick, and what scripts do has a limit of its own."""


class _Local(threading.local):
    status: Status | None = None
    digest: str = ""
    table: Table | None = None


_local = _Local()


def play_task(settings: Settings, task: Task, observer: Observer | None = None) -> GameRow:
    """Plays a game in this thread; games stay loaded for the next task of the same match.

    Raises:
        Abandoned: the match was stopped.
        ForthVMError: the games cannot be loaded, or an engine is not installed here.
    """
    status = _local.status
    if status is None:
        status = _local.status = _Guarded()
    digest = settings.digest
    try:
        if _local.table is None or _local.digest != digest:
            status.playing(0)
            budget = settings.budget.replace(seconds=longest_run(settings))
            _local.table, _local.digest = Table(settings, budget=budget), digest
            if settings.memory is not None and isinstance(status, SharedStatus):
                _limit_memory(settings.memory)
        if isinstance(status, ThreadStatus):
            status.games = _local.table.games
        return play(settings, _local.table, task, status, observer)
    finally:
        if isinstance(status, _Resting):
            status.rest()


def use_status(status: Status) -> None:
    """Has this thread's games reported there."""
    _local.status = status


class _Resting:
    """A status that can say that there is nothing to do."""

    def rest(self) -> None:
        """Between games."""
        raise NotImplementedError


# --- threads ------------------------------------------------------------------------------------


class ThreadStatus(_Resting):
    """Of a thread beside the runner's: its game can be stopped.

    What hangs is ended by the VM's own limit of time.
    """

    def __init__(self) -> None:
        """At rest."""
        self.games: Sequence[Game] = ()
        self._engine: Engine | None = None
        self._stopped = False

    def thinking(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """An engine is asked."""
        self._engine = engine
        if self._stopped:
            raise Abandoned

    def made(self, moves: Sequence[tuple[str, str]]) -> None:
        """No thread is lost with its moves."""

    def playing(self, ply: int) -> None:
        """No engine is asked."""
        self._engine = None
        if self._stopped:
            raise Abandoned

    def rest(self) -> None:
        """No game is played."""
        self._engine = None

    def stop(self) -> None:
        """Ends the game, whatever it is at.  Any thread; again and again until it has ended."""
        self._stopped = True
        engine = self._engine
        if engine is not None:
            engine.stop()
        for game in self.games:
            game.vm.interrupt()


# --- processes ----------------------------------------------------------------------------------


class Report(NamedTuple):
    """What a worker process last said."""

    seat: int
    """Whose engine is asked; -1: nobody's."""
    ply: int
    deadline: float
    """When it counts as hanging, by `time.monotonic`; 0: it has nothing to do."""
    moves: tuple[tuple[str, str], ...] = ()
    """Player and text, of the game in progress; the first ones, where they are very many."""
    seconds: float = 0.0
    """Since that game began."""


NOTHING = Report(-1, 0, 0.0)
_LAYOUT = struct.Struct("<iid")
_GAME = struct.Struct("<dI")
"""When the game began, and how many bytes its moves take, which follow."""
_MOVES_AT = _LAYOUT.size + _GAME.size
_ROOM = 1 << 20
"""Bytes of the file; what is not written takes none."""


class SharedStatus(_Resting):
    """Of a worker process: a few bytes in a file that the parent looks at.

    Memory, not messages: telling costs a microsecond, and the parent need not listen.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file, which has room for a report."""
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _ROOM)
        self._told = self._end = 0
        self._began = 0.0

    @classmethod
    def create(cls) -> tuple[SharedStatus, Path]:
        """A new file; whoever opens it second removes its name."""
        number, name = tempfile.mkstemp(prefix="forthvm-")
        os.ftruncate(number, _ROOM)
        os.close(number)
        status = cls(Path(name))
        status.rest()  # zeros would say that the engine of the first seat is asked
        return status, Path(name)

    def thinking(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """An engine is asked."""
        _LAYOUT.pack_into(self._memory, 0, seat, ply, time.monotonic() + seconds)

    def playing(self, ply: int) -> None:
        """No engine is asked."""
        _LAYOUT.pack_into(self._memory, 0, -1, ply, time.monotonic() + _HOST_SECONDS)

    def made(self, moves: Sequence[tuple[str, str]]) -> None:
        """The moves so far: what is new is added."""
        if not moves:
            self._told = self._end = 0
            self._began = time.monotonic()
        # ASCII lines: any text passes, and none is cut.
        new = "".join(f"{json.dumps(move)}\n" for move in moves[self._told :]).encode("ascii")
        begin = _MOVES_AT + self._end
        if begin + len(new) > _ROOM:
            return
        self._memory[begin : begin + len(new)] = new
        self._told, self._end = len(moves), self._end + len(new)
        # Last: who is ended in between has told what came before.
        _GAME.pack_into(self._memory, _LAYOUT.size, self._began, self._end)

    def rest(self) -> None:
        """No game is played."""
        self.made(())
        _LAYOUT.pack_into(self._memory, 0, -1, 0, 0.0)

    def read(self) -> Report:
        """What was last said."""
        return Report(*_LAYOUT.unpack_from(self._memory, 0))

    def read_game(self) -> Report:
        """The same, with the game in progress."""
        began, size = _GAME.unpack_from(self._memory, _LAYOUT.size)
        lines = self._memory[_MOVES_AT : _MOVES_AT + size].decode("ascii").splitlines()
        moves = tuple((player, text) for player, text in map(json.loads, lines))
        seconds = time.monotonic() - began if began else 0.0
        return self.read()._replace(moves=moves, seconds=seconds)

    def close(self) -> None:
        """Lets go of the file."""
        self._memory.close()


def _limit_memory(megabytes: int) -> None:
    """Lets this process have so much more.

    Not before the game is loaded: a VM reserves hundreds of megabytes of which it uses few.
    """
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    used = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        used = pages * resource.getpagesize()
    limit = used + megabytes * 1024 * 1024
    with contextlib.suppress(OSError, ValueError):
        # Soft: another match's games may need to be loaded.
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


class _Guarded(_Resting):
    """Of a worker whose parent is somebody else's, as on another machine.

    Nobody there can end one hanging engine, so the process ends itself; whoever started it
    starts another, and the game is tried again or given up by the runner's rule.
    """

    _guards: ClassVar[list[_Guarded]] = []
    _lock = threading.Lock()

    def __init__(self) -> None:
        self._deadline = 0.0
        with self._lock:
            self._guards.append(self)
            if len(self._guards) == 1:
                threading.Thread(target=_guard, name="forthvm guard", daemon=True).start()

    def thinking(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def made(self, moves: Sequence[tuple[str, str]]) -> None:
        """Nobody could be told."""

    def playing(self, ply: int) -> None:
        self._deadline = time.monotonic() + _HOST_SECONDS

    def rest(self) -> None:
        self._deadline = 0.0

    @classmethod
    def hanging(cls) -> bool:
        now = time.monotonic()
        return any(0 < guard._deadline < now for guard in cls._guards)


def _guard() -> None:
    while not _Guarded.hanging():
        time.sleep(0.5)
    os._exit(HUNG)
