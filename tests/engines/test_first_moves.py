"""Alpha-beta makes a known best move before it generates the complete list.

Owns the test that the results with all features do not change: the search of a game is compared
with the search that generates every list completely.  See native/search/alpha_beta.c.
"""

from __future__ import annotations

import random

import pytest

import forthvm
from benchmarks.games import GAMES
from benchmarks.games.runs import first_choice, start
from forthvm import engines
from forthvm.core.records import ListMode
from forthvm.engines import SearchResult
from forthvm.game import Position
from tests.engines.list_modes import list_mode
from tests.kit.random_games import push_random_moves

NO_FEATURES = "tt=0,pvs=off,killers=off,history=off,captures=off,quiescence=off"
DEPTH = 4
PLIES = (0, 6, 13, 20, 31)
"""The numbers of random moves before the compared searches."""


def search(position: Position, features: str, *, complete: bool) -> SearchResult:
    """Search with complete lists, or with lists as incomplete as allowed."""
    engine = engines.get(f"negamax:depth={DEPTH},{features}")
    with list_mode(position, ListMode.COMPLETE if complete else ListMode.USUAL):
        return engine.play(position)


@pytest.mark.parametrize(
    "name", ["pits-2x6", *(pytest.param(name, marks=pytest.mark.slow) for name in sorted(GAMES))]
)
def test_nodes_equal_those_of_complete_lists(name: str) -> None:
    """Also where moves are remembered by keys: they do not depend on the lists before."""
    results = []
    for mode in (ListMode.COMPLETE, ListMode.PROVEN, ListMode.GUARDED):
        position = first_choice(start(name, "native"))
        with list_mode(position, mode):
            found = engines.get("negamax:depth=7,nodes=600").play(position)
        results.append((str(found.move), found.score, found.nodes))
    assert results == results[:1] * 3


@pytest.mark.sampled(13)
@pytest.mark.parametrize("name", ["breakthrough", "tictactoe", "draughts", "reversi"])
@pytest.mark.parametrize("features", [NO_FEATURES, "", "seed=5"])
def test_values_equal_those_of_complete_lists(name: str, features: str) -> None:
    for plies in PLIES:
        position = push_random_moves(forthvm.load(name).start(), plies, random.Random(plies))
        if position.result is not None:
            continue
        result = search(position, features, complete=False)
        expected = search(position, features, complete=True)
        assert result.score == expected.score, plies
        assert str(result.move) == str(expected.move), plies
        assert result.nodes == expected.nodes
