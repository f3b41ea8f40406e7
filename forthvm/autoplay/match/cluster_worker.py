"""The part of a match that runs in a worker process of a dask cluster.

Owns the files of the match on this machine, and the processes that play its games.  They are those
of a local match, so an engine that hangs or ends its process does not end the worker.

cluster.py registers a `MatchOnWorker` and submits calls of `play_games` as dask tasks.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from distributed import WorkerPlugin, get_worker

from forthvm._version import __version__
from forthvm.autoplay.match.game import describe
from forthvm.autoplay.match.pool import WorkerLost, WorkerPool
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.results.rows import row_values
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from distributed import Worker

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["MatchOnWorker", "play_games"]


class MatchOnWorker(WorkerPlugin):
    """A match on a worker; dask sends it to all workers, including those that start later."""

    def __init__(
        self, name: str, settings: Settings, *, files: Mapping[str, bytes], digests: Sequence[str]
    ) -> None:
        """Create the match on the computer that records it.

        Args:
            name: The name of the match on the cluster.
            settings: The match; paths of its files are relative.
            files: The contents of the files by relative path.
            digests: The digests of the games.
        """
        self.name = name
        self._settings = settings
        self._files = files
        self._digests = digests
        self._version = __version__

    def setup(self, worker: Worker) -> None:
        """Load the match in another thread, so that the worker can answer meanwhile."""
        self._worker_name = str(worker.name)
        # Processes for this match only, since a limit of memory lasts as long as the process.
        self._pool = WorkerPool(worker.state.nthreads)
        folder = Path(worker.local_directory, self.name)  # dask removes it with the worker
        loader = ThreadPoolExecutor(1)
        self._loaded: Future[Settings] = loader.submit(self._load, folder)
        loader.shutdown(wait=False)

    def teardown(self, worker: Worker) -> None:
        """End the processes after their games in progress."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _load(self, folder: Path) -> Settings:
        """Write the files; return the settings with their paths.

        Raises:
            MatchError: This worker cannot play the match.
        """
        try:
            return self._checked(folder)
        except (ForthVMError, OSError) as error:
            raise self._named(error) from error

    def _checked(self, folder: Path) -> Settings:
        if self._version != __version__:
            raise MatchError(f"it has forthvm {__version__}, not {self._version}")
        for path, data in self._files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        configurations = [
            replace(
                each,
                game=str(folder / each.game) if each.game in self._files else each.game,
                library=each.library and str(folder / each.library),
                include=tuple(str(folder / path) for path in each.include),
            )
            for each in self._settings.configurations
        ]
        for path in {path for each in configurations for path in each.include}:
            Path(path).mkdir(parents=True, exist_ok=True)  # no file of it may have been loaded
        settings = replace(self._settings, configurations=tuple(configurations))
        _ = settings.digest  # cached before the settings are copied to the processes
        loaded_match = LoadedMatch(settings)
        digests = [game.digest for game in loaded_match.games]
        loaded_match.close()
        if digests != self._digests:
            raise MatchError("its copy of the game differs")
        return settings

    def play(self, tasks: Sequence[Task]) -> list[list[object] | BaseException]:
        """Play games; return the values of the row of each, or the error that prevented it.

        Raises:
            MatchError: This worker cannot play the match.
        """
        settings = self._loaded.result()
        games = [self._pool.submit(play_task, settings, task) for task in tasks]
        return [self._answer(game) for game in games]

    def _answer(self, game: Future[GameRow]) -> list[object] | BaseException:
        error = game.exception()
        if error is None:
            return list(row_values(replace(game.result(), worker=self._worker_name)))
        return error if isinstance(error, WorkerLost) else self._named(error)

    def _named(self, error: BaseException) -> MatchError:
        """Return an error that names this worker."""
        return MatchError(f"worker {self._worker_name}: {describe(error)}")


def play_games(name: str, tasks: Sequence[Task]) -> list[list[object] | BaseException]:
    """Play games of a match on this worker."""
    match = get_worker().plugins[name]
    assert isinstance(match, MatchOnWorker)
    return match.play(tasks)
