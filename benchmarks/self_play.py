"""Benchmarks of self-play: positions that the search trees of 256 games ask to evaluate.

All evaluations are equal, so that the time is that of the search, not of a network.
"""

from __future__ import annotations

import time
from array import array
from functools import partial

from benchmarks.runner import Benchmark, Effort, check
from forthvm import load
from forthvm.engines import PlayedGame, SelfPlay

__all__ = ["BENCHMARKS"]

GAMES = ("breakthrough", "reversi", "chess")
BATCH = 256
PLAYERS = 32  # length of a row of rewards


def _leaf_rate(name: str, effort: Effort) -> float:
    """Return the evaluated positions per second of self-play with all processors."""
    batch, playouts, plies = (8, 4, 2) if effort.tiny else (BATCH, 32, 6)
    game = load(name)
    play = SelfPlay(game, batch=batch, games=batch, playouts=playouts, max_plies=plies)
    rewards = memoryview(array("f", [0.5] * PLAYERS * batch))
    priors = memoryview(array("f", [1 / play.space] * play.space * batch))
    leaves = 0
    began = time.perf_counter()
    while (waiting := play.leaves()) is not None:
        count = len(waiting.moves)
        play.submit(rewards[: count * PLAYERS], priors[: count * play.space])
        leaves += count
    seconds = time.perf_counter() - began
    check(f"visits in self-play of {name}", _visits(play.finished), {playouts - 1})
    return leaves / seconds


def _visits(games: list[PlayedGame]) -> set[int]:
    """Return how many visits the moves of a position have; the first visit is the root's own."""
    return {sum(visits) for played in games for visits in played.visits if visits}


BENCHMARKS = tuple(
    Benchmark(
        name=f"self-play-{name}",
        group="threads",
        unit="/s",
        summary=f"{name}: positions to evaluate in {BATCH} games of self-play",
        run=partial(_leaf_rate, name),
        repeats=3,
    )
    for name in GAMES
)
