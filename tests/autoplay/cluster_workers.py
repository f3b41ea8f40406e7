"""Workers of a dask cluster that are slow, invent games, or have another version or other rules.

This is a preload module of dask.  The environment variable FORTHVM_TEST_WORKER selects the
behaviour of the worker's process.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from forthvm.autoplay import GameRow
from forthvm.autoplay.match import cluster_worker
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import Settings
from forthvm.autoplay.match.worker import play_task

BEHAVIOUR = "FORTHVM_TEST_WORKER"


def dask_setup(_worker: object) -> None:
    """Change the process of the worker; dask calls this function."""
    name, replacement = _REPLACEMENTS.get(os.environ.get(BEHAVIOUR, ""), ("", None))
    if name:
        vars(cluster_worker)[name] = replacement


def _slow(settings: Settings, task: Task) -> GameRow:
    time.sleep(0.3)
    return play_task(settings, task)


def _invented(settings: Settings, task: Task) -> GameRow:
    return replace(play_task(settings, task), seats={"White": "C"}, outcome={"White": 1.0})


def _load_edited_rules(settings: Settings) -> LoadedMatch:
    for configuration in settings.configurations:
        path = Path(configuration.game)
        path.write_bytes(path.read_bytes() + b"\n: planted 1 ;\n")
    return LoadedMatch(settings)


_REPLACEMENTS = {
    "slow": ("play_task", _slow),
    "invents": ("play_task", _invented),
    "old": ("__version__", "0.0.1"),
    "other rules": ("LoadedMatch", _load_edited_rules),
}
"""By behaviour: a name of the module `cluster_worker`, and its other value."""
