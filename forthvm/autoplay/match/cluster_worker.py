"""The part of a match that runs on the machines of a dask cluster.

Owns the files of the match on this machine, the games of a batch, and the end of a process whose
engine hangs.

The coordinator (coordinator.py) submits these functions as dask tasks.  Their results are messages
of JSON, which dask sends at once: a machine that is switched off later has delivered its finished
games, and the coordinator unpickles nothing that this code sends.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from forthvm._version import __version__
from forthvm.autoplay.match.engine_specs import try_engine
from forthvm.autoplay.match.game import describe
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.worker import (
    BETWEEN_ENGINES_SECONDS,
    WorkerStatus,
    play_task,
    use_status,
)
from forthvm.autoplay.results.rows import row_values
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import has_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.engines import Engine

__all__ = ["SHIPPED", "Call", "Files", "check_version", "load_match", "play_batch"]

Files = Mapping[str, tuple[str, bytes]]
"""The digest and the contents of files by relative path."""
SHIPPED = "shipped:"
"""The beginning of a path in the settings that is below the folder of shipped files."""
_REPORT_SECONDS = 0.5
"""Finished games are reported at once, but not more often than after this time."""
_MAX_MATCHES = 8
"""The number of matches whose settings a process keeps."""
_EXIT_HUNG = 86
"""The exit status of a process that ended itself because it was hanging."""

_matches: dict[str, Settings] = {}
"""The settings of matches by the name of the coordinator's topic."""


class Call:
    """The identity of a dask task, and the way of its messages.

    `token` is known only to the coordinator and to the worker of the task, so that no other worker
    can send results in its name.
    """

    def __init__(self, topic: str, token: str) -> None:
        self.topic = topic
        self.token = token

    def send(self, message: object) -> None:
        """Send a message to the coordinator."""
        _dask_worker().log_event(self.topic, [self.token, json.dumps(message)])


def _dask_worker() -> Any:  # noqa: ANN401 - dask has no types
    from distributed import get_worker

    return get_worker()


# --- the files of a match ------------------------------------------------------------------------


def check_version(call: Call, files: Mapping[str, str]) -> None:
    """Send the version of forthvm, and which files of the match are not on this machine.

    Args:
        call: The task.
        files: The digests of the files by relative path.
    """
    folder = _folder()
    missing = [name for name, digest in files.items() if not has_digest(folder / name, digest)]
    call.send({"version": __version__, "missing": missing})


def load_match(call: Call, settings: Settings, contents: Mapping[str, bytes]) -> None:
    """Load a match; send the digests of its games, or why it cannot be played here.

    Args:
        call: The task.
        settings: The settings; paths of shipped files begin with `SHIPPED`.
        contents: The missing files by relative path.
    """
    try:
        folder = _folder()
        for name, data in contents.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        settings = _with_folder(settings, folder)
        loaded_match = LoadedMatch(settings)
        digests = [game.digest for game in loaded_match.games]
        loaded_match.close()
        for entrant in settings.entrants:
            if entrant.spec:
                try_engine(entrant.spec)
    except (ForthVMError, OSError) as error:
        call.send({"error": describe(error)})
        return
    _matches[call.topic] = settings
    while len(_matches) > _MAX_MATCHES:
        _matches.pop(next(iter(_matches)), None)
    call.send({"digests": digests})


def _folder() -> Path:
    """The folder of shipped files, which dask removes when the worker ends."""
    return Path(_dask_worker().local_directory, "forthvm-files")


def _with_folder(settings: Settings, folder: Path) -> Settings:
    def path(text: str) -> str:
        is_shipped = text.startswith(SHIPPED)
        return str(folder / text.removeprefix(SHIPPED)) if is_shipped else text

    configurations = tuple(
        replace(
            configuration,
            game=path(configuration.game),
            library=None if configuration.library is None else path(configuration.library),
            include=tuple(map(path, configuration.include)),
        )
        for configuration in settings.configurations
    )
    return replace(settings, configurations=configurations)


# --- games ----------------------------------------------------------------------------------------


def play_batch(call: Call, tasks: Sequence[Task]) -> None:
    """Play games one after the other and send the values of their rows.

    The first message has no games.  If the coordinator cancels the batch, or ends, the game that is
    being played is the last.

    Raises:
        MatchError: This process does not have the match.
    """
    settings = _matches.get(call.topic)
    if settings is None:
        raise MatchError("the match is not loaded")
    use_status(_SelfEndingStatus.of_this_thread())
    worker = _dask_worker()
    key = worker.get_current_task()
    call.send([])
    sent_at = time.monotonic()
    rows: list[tuple[object, ...]] = []
    for task in tasks:
        if not _is_wanted(worker, key):
            return
        rows.append(row_values(play_task(settings, task)))
        if time.monotonic() - sent_at >= _REPORT_SECONDS:
            call.send(rows)
            rows, sent_at = [], time.monotonic()
    if rows:
        call.send(rows)


def _is_wanted(worker: Any, key: str) -> bool:  # noqa: ANN401 - dask has no types
    """Whether a running task is still wanted; dask cannot interrupt the thread of a task."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state == "executing"


class _SelfEndingStatus(WorkerStatus):
    """The status of a thread of a dask worker, perhaps on another machine.

    dask does not end a process whose engine hangs, so the process ends itself.  If a nanny (dask's
    supervisor) started it, a new process follows.
    """

    _instances: ClassVar[dict[int, _SelfEndingStatus]] = {}
    _lock = threading.Lock()

    def __init__(self) -> None:
        self._deadline = 0.0

    @classmethod
    def of_this_thread(cls) -> _SelfEndingStatus:
        """Return the status of this thread; the first call starts the thread of the guard."""
        with cls._lock:
            if not cls._instances:
                threading.Thread(
                    target=_exit_when_hanging, name="forthvm guard", daemon=True
                ).start()
            return cls._instances.setdefault(threading.get_ident(), cls())

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Do nothing: there is no supervisor to read the moves."""

    def no_engine_running(self, ply: int) -> None:
        self._deadline = time.monotonic() + BETWEEN_ENGINES_SECONDS

    def idle(self) -> None:
        self._deadline = 0.0

    @classmethod
    def any_hanging(cls) -> bool:
        now = time.monotonic()
        with cls._lock:
            return any(0 < status._deadline < now for status in cls._instances.values())


def _exit_when_hanging() -> None:
    while not _SelfEndingStatus.any_hanging():
        time.sleep(0.5)
    os._exit(_EXIT_HUNG)
