"""Compares steps of `forthvm.vector` with OpenSpiel and PettingZoo, which are optional.

Owns the systems and the printed table.  Every system plays random games and provides, for each
step, the legal actions, the player to move and the rewards.  Before it is timed, each system plays
a fixed random game, and the sum of the numbers of legal moves must be the known one.

    python -m benchmarks.vector [--seconds S] [--game NAME ...]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import forthvm

__all__ = ["main"]

GAMES = ("breakthrough", "tictactoe", "chess")
OPENSPIEL = {"breakthrough": "breakthrough", "tictactoe": "tic_tac_toe", "chess": "chess"}
PETTINGZOO = {"tictactoe": ("connect_four_v3",), "chess": ("chess_v6",)}
"""PettingZoo's chess, and Connect Four, which is beside tic-tac-toe because it is similar."""
ROWS = (1, 16, 256)
CHECKED_STEPS = 300
AT_ONCE = 64  # steps of one call where a system has a single row

Steps = Callable[[], int]
"""Makes some steps; returns the number of steps, times one row."""


KNOWN = {"breakthrough": 7652, "tictactoe": 1692, "chess": 7216}
KNOWN_OPENSPIEL = {"breakthrough": 7961, "tictactoe": 1692, "chess": 6736}
KNOWN_PETTINGZOO = {"connect_four_v3": 1905, "chess_v6": 6538}
"""Sums of legal moves; they differ where systems number actions in another order."""


class Draws:
    """The random numbers of the fixed games, equal on all machines."""

    def __init__(self) -> None:
        """Begin with a fixed seed."""
        self._state = 1

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        self._state = (self._state * 1103515245 + 12345) % 2**31
        return (self._state >> 16) % limit


# --- forthvm ---------------------------------------------------------------------------


def vector_steps(name: str, rows: int) -> tuple[Steps, int]:
    """Return steps of a vector, and the sum of legal moves of the fixed game."""
    import numpy

    draws, total = Draws(), 0
    with forthvm.vector(name, 1) as one:
        for _ in range(CHECKED_STEPS):
            legal = numpy.flatnonzero(one.masks[0])
            total += len(legal)
            one.step(legal[[draws.below(len(legal))]])
    envs = forthvm.vector(name, rows, seed=1)

    def steps() -> int:
        envs.step(envs.sample())
        return rows

    return steps, total


# --- OpenSpiel -------------------------------------------------------------------------


def state_steps(name: str, *, masks: bool) -> tuple[Steps, int]:
    """Return steps of an OpenSpiel state, with lists of actions or with masks."""
    import random

    import open_spiel.python.games  # noqa: F401 - registers the games written in Python
    import pyspiel

    game = pyspiel.load_game(name)
    draws, total, state = Draws(), 0, game.new_initial_state()
    for _ in range(CHECKED_STEPS):
        legal = state.legal_actions()
        total += len(legal)
        state.apply_action(legal[draws.below(len(legal))])
        state = game.new_initial_state() if state.is_terminal() else state
    chooser = random.Random(1)
    current = [game.new_initial_state()]

    def steps() -> int:
        state = current[0]
        for _ in range(AT_ONCE):
            legal = state.legal_actions()
            if masks:
                state.legal_actions_mask()
            state.current_player()
            state.apply_action(legal[int(chooser.random() * len(legal))])
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
        current[0] = state
        return AT_ONCE

    return steps, total


def environment_steps(name: str, rows: int) -> tuple[Steps, int]:
    """Return steps of OpenSpiel's vector of environments, which also observe."""
    import random

    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    envs = SyncVectorEnv([rl_environment.Environment(name) for _ in range(rows)])
    current: list[Any] = [envs.reset()]
    chooser = random.Random(1)

    def steps() -> int:
        outputs = []
        for step in current[0]:
            seen = step.observations
            legal = seen["legal_actions"][seen["current_player"]]
            outputs.append(StepOutput(legal[int(chooser.random() * len(legal))], None))
        current[0] = envs.step(outputs, reset_if_done=True)[0]
        return rows

    return steps, state_steps(name, masks=False)[1]


# --- PettingZoo ------------------------------------------------------------------------


def pettingzoo_steps(module: str) -> tuple[Steps, int]:
    """Return steps of an environment of PettingZoo."""
    import random
    from importlib import import_module

    import numpy

    env = import_module(f"pettingzoo.classic.{module}").env()
    draws, total = Draws(), 0
    env.reset(seed=1)
    for _ in range(CHECKED_STEPS):
        observation, _, done, truncated, _ = env.last()
        if done or truncated:
            env.reset(seed=1)
            continue
        legal = numpy.flatnonzero(observation["action_mask"])
        total += len(legal)
        env.step(int(legal[draws.below(len(legal))]))
    chooser = random.Random(1)
    env.reset(seed=1)

    def steps() -> int:
        made = 0
        while made < AT_ONCE:
            observation, _, done, truncated, _ = env.last()
            if done or truncated:
                env.reset()
                continue
            legal = numpy.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(chooser.random() * len(legal))]))
            made += 1
        return made

    return steps, total


# --- the comparison --------------------------------------------------------------------

System = tuple[str, Callable[[], tuple[Steps, int]], int]
"""Name, constructor, and the known sum of legal moves."""


def systems(game: str) -> Iterator[System]:
    """Yield the systems that play a game."""
    for rows in ROWS:
        yield f"forthvm.vector, n = {rows}", partial(vector_steps, game, rows), KNOWN[game]
    name, known = OPENSPIEL[game], KNOWN_OPENSPIEL[game]
    yield "OpenSpiel state (C++)", partial(state_steps, name, masks=False), known
    yield "OpenSpiel state (C++), masks", partial(state_steps, name, masks=True), known
    for rows in ROWS:
        yield f"OpenSpiel SyncVectorEnv, n = {rows}", partial(environment_steps, name, rows), known
    if game == "tictactoe":
        python = partial(state_steps, "python_tic_tac_toe", masks=False)
        yield "OpenSpiel state (Python)", python, known
    for module in PETTINGZOO.get(game, ()):
        yield f"PettingZoo {module}", partial(pettingzoo_steps, module), KNOWN_PETTINGZOO[module]


def measured(steps: Steps, seconds: float) -> tuple[float, float]:
    """Return steps per second, and microseconds of processor time per step."""
    steps()
    made, began, used = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        made += steps()
    return (
        made / (time.perf_counter() - began),
        1e6 * (time.process_time() - used) / made,
    )


def main() -> int:
    """Print a table for each game; return 1 if a result is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vector", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="time of each measurement")
    parser.add_argument("--game", action="append", choices=GAMES, help="only this game")
    arguments = parser.parse_args()
    wrong = 0
    for game in arguments.game or GAMES:
        print(f"{game}: steps/s, microseconds of processor time per step")
        for name, make, known in systems(game):
            try:
                steps, total = make()
            except ImportError as error:
                print(f"  {name:34} absent: {error}")
                continue
            if total != known:
                wrong += 1
                print(f"  {name:34} wrong: {total} legal moves instead of {known}")
                continue
            rate, processor = measured(steps, arguments.seconds)
            print(f"  {name:34} {rate:12,.0f} {processor:10.2f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
