"""Scans folders: yields an entry for each file of the library, known ones first."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from forthvm.autoplay.match.worker_process import WorkerStartError
from forthvm.library.archives import ArchiveError, unpack
from forthvm.library.describing import Description, describe, failed
from forthvm.library.entry import Entry
from forthvm.library.finding import ARCHIVE, files_below
from forthvm.library.surroundings import digest_of
from forthvm.library.workers import KilledError, Workers
from forthvm.system.files import failure_reason
from forthvm.system.limits import processors

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from concurrent.futures import Future

    from forthvm.library.cache import Cache

__all__ = ["Scan"]

SECONDS = 20.0
"""The time that a file may take; loading and move generation have their own, shorter limits."""
_MOST_PROCESSES = 2
_POLL_SECONDS = 0.25
"""The time until `stop` has an effect."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to describe or to unpack; `target` is the folder for the contents of an archive."""

    path: Path
    archive: str = ""
    target: Path | None = None
    digest: str = ""


class Scan:
    """A scan, and its progress.

    Attributes:
        found: The number of files that may belong to the library, as far as they are known.
        done: How many of them have been described.
        loaded: How many of those were not in the cache.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        processes: int | None = None,
        seconds: float = SECONDS,
        again: bool = False,
    ) -> None:
        """Prepare a scan.

        Args:
            cache: The known descriptions.
            processes: The number of processes that load files; None: two if there are as many
                processors.
            seconds: The time limit for a file.
            again: Whether to describe files again that are known.
        """
        self.found = self.done = self.loaded = 0
        self._cache = cache
        self._processes = processes or min(_MOST_PROCESSES, processors())
        self._seconds = seconds
        self._again = again
        self._stopped = Event()
        self._seen: set[Path] = set()
        self._tasks: deque[_Task] = deque()
        self._gameless: dict[str, tuple[_Task, int]] = {}
        """New archives in which no entry was found, and their files that are not described yet."""

    def entries(
        self, folders: Iterable[Path], files: Iterable[Path] = ()
    ) -> Generator[Entry, None, None]:
        """Yield an entry for each file of the library in the folders, and for each of the files.

        Processes that load files run until the iterator is exhausted or closed.
        """
        self._cache.look_again()
        for path in files:
            yield from self._look_up(_Task(path))
        for folder in folders:
            yield from self._walk(folder)
        if self._tasks:
            with Workers(self._processes) as workers:
                yield from self._describe_all(workers)

    def stop(self) -> None:
        """End the iterator soon; any thread may call this."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    def _walk(self, folder: Path, archive: str = "") -> Iterator[Entry]:
        """Yield the known entries of a folder; the other files become tasks."""
        for found in files_below(folder):
            if self._stopped.is_set():
                return
            if isinstance(found, Entry):
                yield found
            else:
                yield from self._look_up(_Task(found, archive))

    def _look_up(self, task: _Task) -> Iterator[Entry]:
        path = task.path
        if path in self._seen:
            return
        self._seen.add(path)
        if path.suffix.lower() == ARCHIVE:
            if not task.archive:  # archives in archives are not opened
                yield from self._look_up_archive(path)
            return
        self.found += 1
        try:
            digest = digest_of(path)
            known, entry = self._find(task, digest)
        except OSError as error:
            self.done += 1
            yield failed(path, failure_reason(error))
            return
        if not known:
            self._tasks.append(replace(task, digest=digest))
            return
        self.done += 1
        if entry is not None:
            yield entry

    def _find(self, task: _Task, digest: str) -> tuple[bool, Entry | None]:
        if self._again:
            return False, None
        return self._cache.find(task.path, digest, task.archive)

    def _look_up_archive(self, path: Path) -> Iterator[Entry]:
        archives = self._cache.archives
        if archives is None:
            yield failed(path, "archives need the cache, which is turned off")
            return
        try:
            state = digest_of(path)
            known, refused = self._find(_Task(path), state)
        except OSError as error:
            yield failed(path, failure_reason(error))
            return
        target = archives.folder_of(path, state)
        if target.is_dir():
            yield from self._walk(target, str(path))
        elif refused is not None:
            yield refused
        elif not known:  # else there is no game in it
            self._tasks.append(_Task(path, target=target, digest=state))

    def _describe_all(self, workers: Workers) -> Iterator[Entry]:
        running: dict[Future[Description | None], _Task] = {}
        while (self._tasks or running) and not self._stopped.is_set():
            while self._tasks and len(running) < 2 * workers.number:
                task = self._tasks.popleft()
                running[self._submit(workers, task)] = task
            for future in wait(running, _POLL_SECONDS, FIRST_COMPLETED).done:
                task = running.pop(future)
                if task.target is None:
                    self.done += 1
                    self.loaded += 1
                entries = [*self._finished(task, future)]
                if entries:
                    self._gameless.pop(task.archive, None)
                self._forget_gameless(task.archive)
                yield from entries

    def _submit(self, workers: Workers, task: _Task) -> Future[Description | None]:
        if task.target is not None:
            return workers.submit(self._seconds, unpack, task.path, task.target)
        return workers.submit(self._seconds, describe, task.path, task.archive)

    def _finished(self, task: _Task, future: Future[Description | None]) -> Iterator[Entry]:
        try:
            found = future.result()
        except ArchiveError as error:
            found = Description(failed(task.path, str(error)))
        except (KilledError, WorkerStartError, MemoryError, OSError) as error:
            yield failed(task.path, _reason(error))  # not stored, since the next scan may succeed
            return
        if found is None:
            yield from self._unpacked(task)
            return
        self._cache.store(task.path, task.digest, found)
        if found.entry is not None:
            yield found.entry

    def _unpacked(self, task: _Task) -> Iterator[Entry]:
        """Yield the known entries of an archive; its other files become tasks."""
        assert self._cache.archives is not None
        assert task.target is not None
        if not self._cache.archives.keep(task.target):
            yield failed(task.path, "the archives of the library are too large when unpacked")
            return
        archive, before = str(task.path), len(self._tasks)
        entries = [*self._walk(task.target, archive)]
        if not entries:
            self._gameless[archive] = task, len(self._tasks) - before
            self._forget_gameless(archive, files=0)
        yield from entries

    def _forget_gameless(self, archive: str, *, files: int = 1) -> None:
        """Count described files of an archive without an entry; after the last, it is not kept."""
        if archive not in self._gameless:
            return
        task, left = self._gameless[archive]
        self._gameless[archive] = task, left - files
        if left == files:
            assert self._cache.archives is not None
            assert task.target is not None
            self._cache.archives.remove(task.target)
            self._cache.store(task.path, task.digest, Description(None))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"it cannot be unpacked: {failure_reason(error)}"
    return str(error) or "it needs too much memory"
