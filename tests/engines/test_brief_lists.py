"""Alpha-beta shortens lists that the script cannot observe: at the horizon, and before a cutoff.

Owns the comparison with the search that generates every list completely (FVM_LISTS_COMPLETE).  See
native/analysis/list_analysis.c and native/search/alpha_beta.c.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

import forthvm
from benchmarks.games import GAMES
from benchmarks.games.runs import first_choice, start
from forthvm.core.records import DeepeningOptions, ListMode
from forthvm.game import Position
from tests.bundled_games.kit import CASES, Case
from tests.engines.list_modes import list_mode
from tests.engines.test_counted_lists import COUNTED
from tests.engines.test_counted_lists import position_of as counting_position
from tests.engines.test_incomplete_lists import (
    OBSERVED,
    OBSERVED_AT_LEAVES,
    UNOBSERVED,
    mode_for,
    position_of,
)
from tests.kit.random_games import push_random_moves

PLIES = (0, 4, 9)
"""The numbers of random moves between the compared searches."""

FEATURES = (0, 16 + 32 + 64)
"""No features; principal variation search, quiescence, repetition."""


class Search(NamedTuple):
    """The result of a search, and the steps that it used."""

    line: tuple[int, ...]
    score: int
    nodes: int
    steps: int


def search(position: Position, options: DeepeningOptions, mode: ListMode) -> Search:
    """Search with lists as incomplete as the mode allows."""
    with list_mode(position, mode) as native:
        native.budget()
        result = native.deepening_search(options, None)
        best = result.lines[0]
        return Search(best.moves, best.score, result.nodes, native.steps())


def compare(
    position: Position,
    options: DeepeningOptions,
    seed: int,
    mode: ListMode = ListMode.PROVEN,
) -> bool:
    """Compare searches along a random game; return whether lists were incomplete."""
    rng = random.Random(seed)
    fewer = False
    for plies in PLIES:
        push_random_moves(position, plies, rng)
        if position.result is not None or not position.legal_moves:
            break
        expected = search(position, options, ListMode.COMPLETE)
        found = search(position, options, mode)
        assert found[:3] == expected[:3], position.ply
        fewer = fewer or found.steps < expected.steps
    return fewer


@pytest.mark.slow
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("name", GAMES)
def test_benchmark_games(name: str, features: int) -> None:
    options = DeepeningOptions(features=features, depth=3, nodes=1000)
    compare(first_choice(start(name, "native")), options, seed=5)


@pytest.mark.sampled(121)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_bundled_and_recorded_games(case: Case, features: int) -> None:
    options = DeepeningOptions(features=features, depth=4, nodes=1000)
    compare(forthvm.load(case.path, axiom=case.axiom, seed=3).start(), options, seed=6)


COMPLETE_IN_QUIESCENCE = {
    "a hook before each list, with a variable",
}
"""Quiescence completes lists after the hooks have run, and these might change the complete list."""


@pytest.mark.sampled(35)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("name", UNOBSERVED)
def test_lists_are_shortened_where_nothing_observes_them(
    tmp_path: Path, name: str, features: int
) -> None:
    options = DeepeningOptions(features=features, depth=12, nodes=4000)
    position = position_of(tmp_path, **UNOBSERVED[name])
    shortened = compare(position, options, seed=1, mode=mode_for(name))
    assert shortened is (features == 0 or name not in COMPLETE_IN_QUIESCENCE)


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("name", OBSERVED_AT_LEAVES)
def test_lists_that_evaluation_observes_are_incomplete_above(
    tmp_path: Path, name: str, features: int
) -> None:
    options = DeepeningOptions(features=features, depth=9, nodes=4000)
    assert compare(position_of(tmp_path, **OBSERVED_AT_LEAVES[name]), options, seed=1) is True


@pytest.mark.sampled(53)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("name", OBSERVED)
def test_lists_are_complete_where_they_may_be_observed(
    tmp_path: Path, name: str, features: int
) -> None:
    options = DeepeningOptions(features=features, depth=9, nodes=4000)
    assert compare(position_of(tmp_path, **OBSERVED[name]), options, seed=1) is False


TWICE = (
    "{moves twice {move} step {move-type} going {move} step {move-type} staying moves}"
    " {pieces {piece} man {moves} twice pieces}"
)
TERMINAL = ": OnEvaluate ( -- n ) here ; : OnIsTerminal? ( -- ? ) here 3 AND ;"
RANKS = "{move-priorities {move-priority} staying move-priorities}"
STAYING = f"{TWICE} {RANKS}"
# The table of priorities is in memory after the code of a move word.
STAYING_AFTER_A_WORD = f": again ( -- ) step ; {RANKS} " + TWICE.replace("step", "again")
CHANGING = {
    "game over writes what move words read": {
        "step": "v @ 1 AND verify",
        "hooks": ": OnIsGameOver ( -- n ) v ++ #UnknownScore ;",
    },
    "equal moves": {"after": f"$uniqueMoves ON {TWICE}"},
    "priorities that change": {
        "after": STAYING,
        "hooks": ": OnNextTurn ( -- ) $move-priorities OFF OnNextTurn ; " + TERMINAL,
    },
    "priorities whose table changes": {
        "after": STAYING,
        "hooks": ": OnNextTurn ( -- ) 2 $move-priorities @ CELLSIZE + +! OnNextTurn ; " + TERMINAL,
    },
    "priorities whose table changes, by its address": {
        "after": STAYING_AFTER_A_WORD,
        "hooks": "$move-priorities @ CELLSIZE + CONSTANT rank"
        " : OnNextTurn ( -- ) 2 rank +! OnNextTurn ; " + TERMINAL,
    },
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CHANGING)
def test_lists_are_complete_where_later_lists_would_differ(tmp_path: Path, name: str) -> None:
    """OnIsGameOver may change them, and two moves of a list may be fewer moves in the end."""
    options = DeepeningOptions(features=FEATURES[-1], depth=9, nodes=4000)
    position = position_of(tmp_path, **({"hooks": TERMINAL} | CHANGING[name]))
    assert compare(position, options, seed=1) is False


@pytest.mark.parametrize(
    "after", [STAYING, STAYING_AFTER_A_WORD], ids=["after a section", "after a word"]
)
def test_lists_are_shortened_where_priorities_remain(tmp_path: Path, after: str) -> None:
    options = DeepeningOptions(features=FEATURES[-1], depth=9, nodes=4000)
    position = position_of(tmp_path, after=after, hooks=TERMINAL)
    assert compare(position, options, seed=1) is True


def test_here_is_the_last_position_after_a_list_without_moves(tmp_path: Path) -> None:
    """A scan for a single move begins where the last one stopped, and goes on at the start."""
    hooks = ": OnIsGameOver ( -- n ) w ++ #UnknownScore ; : OnEvaluate ( -- n ) here ;"
    position = position_of(tmp_path, step="w @ 3 AND verify", hooks=hooks)
    assert compare(position, DeepeningOptions(features=0, depth=3, nodes=4000), seed=1) is True


@pytest.mark.sampled(21)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("name", COUNTED)
def test_moves_are_counted_at_the_horizon(tmp_path: Path, name: str, features: int) -> None:
    """The number of steps is equal: each counted move takes a step, like a stored one."""
    options = DeepeningOptions(features=features, depth=3, nodes=2000)
    compare(counting_position(tmp_path, **COUNTED[name]), options, seed=3)
