"""Workers of a dask cluster that are slow, lie, or have other rules: a preload module of dask.

The environment variable FORTHVM_TEST_WORKER selects the behaviour of the worker's process.
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
    behaviour = os.environ.get(BEHAVIOUR, "")
    if behaviour in _GAMES:
        vars(cluster_worker)["play_task"] = _GAMES[behaviour]
    elif behaviour == "old":
        vars(cluster_worker)["__version__"] = "0.0.1"
    elif behaviour == "other rules":
        vars(cluster_worker)["LoadedMatch"] = _load_edited_rules


def _slow(settings: Settings, task: Task) -> GameRow:
    time.sleep(0.3)
    return play_task(settings, task)


def _invented(settings: Settings, task: Task) -> GameRow:
    """Return at once a game that the first entrant has won."""
    players = ("White", "Black")
    seats = dict(zip(players, task.seats, strict=True))
    return GameRow(
        id=task.number,
        seed=0,
        seats=seats,
        outcome={player: float(name == "A") for player, name in seats.items()},
        reason="OnIsGameOver: invented",
        plies=len(task.start.moves),
        moves=task.start.moves,
        seconds=0.0,
        finished_at="",
        game="",
    )


def _without_engines(settings: Settings, task: Task) -> GameRow:
    """Play legal moves, which are not those of the engines."""
    entrants = tuple(replace(entrant, spec="first") for entrant in settings.entrants)
    return play_task(replace(settings, entrants=entrants), task)


_GAMES = {"slow": _slow, "invents": _invented, "saves time": _without_engines}


def _load_edited_rules(settings: Settings) -> LoadedMatch:
    for configuration in settings.configurations:
        path = Path(configuration.game)
        path.write_bytes(path.read_bytes() + b"\n: planted 1 ;\n")
    return LoadedMatch(settings)
