"""The part of a match that runs on the machines of a dask cluster.

Owns the files of the match on this machine, and the processes that play its games.  They are those
of a local match, so an engine that hangs or ends its process does not end the worker.

cluster.py submits `load_match` and `play_game` as dask tasks.  They return JSON.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm._version import __version__
from forthvm.autoplay.match.engine_specs import try_engine
from forthvm.autoplay.match.game import describe
from forthvm.autoplay.match.lost_games import LostGames
from forthvm.autoplay.match.pool import WorkerPool
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError, Settings
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.results.rows import row_values
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.autoplay.match.game import Task

__all__ = ["load_match", "play_game"]

_MAX_MATCHES = 4
"""The number of matches that this process keeps loaded."""


@dataclass(frozen=True)
class _Match:
    token: str
    """Identifies this worker in its results."""
    settings: Settings
    seats: tuple[str, ...]
    """The players who can win."""
    pool: WorkerPool
    """Processes for this match only, since a limit of memory lasts as long as the process."""


_matches: dict[str, _Match] = {}
"""The loaded matches by name, the latest last."""


def load_match(name: str, token: str, version: str, match: str, files: Mapping[str, bytes]) -> str:
    """Load a match; return the digests of its games, or why this worker cannot play it.

    Args:
        name: The name of the match on the cluster.
        token: Identifies this worker in its results.  No other worker knows it.
        version: The version of forthvm that records the match.
        match: The settings as in a results file, in JSON; paths of shipped files begin with
            the name of the match.
        files: The contents of the shipped files by relative path.
    """
    if version != __version__:
        return json.dumps({"error": f"it has forthvm {__version__}, not {version}"})
    worker = _dask_worker()
    folder = Path(worker.local_directory, "forthvm-files")  # dask removes it with the worker
    try:
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        settings = Settings.from_match(json.loads(match.replace(name, folder.as_posix())))
        loaded_match = LoadedMatch(settings)
        digests = [game.digest for game in loaded_match.games]
        loaded_match.close()
        for entrant in settings.entrants:
            if entrant.spec:
                try_engine(entrant.spec)
    except (ForthVMError, OSError) as error:
        return json.dumps({"error": f"it cannot play: {describe(error)}"})
    _matches[name] = _Match(token, settings, loaded_match.seats, WorkerPool(worker.state.nthreads))
    while len(_matches) > _MAX_MATCHES:
        _matches.pop(next(iter(_matches))).pool.shutdown(wait=False)
    return json.dumps({"digests": digests})


def play_game(name: str, task: Task) -> str:
    """Play a game; return the worker's token, and the values of the row or an error.

    Raises:
        KeyError: The worker was started again and has not loaded the match yet.
    """
    match = _matches[name]
    lost_games = LostGames(match.settings, match.seats)
    row = None
    try:
        while row is None:
            try:
                row = match.pool.submit(play_task, match.settings, task).result()
            except Exception as error:
                row = lost_games.resolve(task, error, note=str)
    except MatchError as error:
        return json.dumps({"worker": match.token, "error": f"it cannot play: {error}"})
    return json.dumps({"worker": match.token, "row": row_values(row)})


def _dask_worker() -> Any:  # noqa: ANN401 - dask has no types
    from distributed import get_worker

    return get_worker()
