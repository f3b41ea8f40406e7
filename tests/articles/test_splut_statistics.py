"""Tests that `measure` returns the same counts as the statistics code of the article."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.engines.statistics import ScriptCounter, measure
from tests.articles.splut_positions import cells_of
from tests.articles.splut_tree import minimax
from tests.articles.test_splut_engine import WITHOUT_CHANCE, after_plies

Loader = Callable[..., forthvm.Game]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("plies", "seed"), [(0, 1), (4, 1), (5, 2)])
def test_counts_equal_those_of_the_script(
    load: Loader, tmp_path: Path, plies: int, seed: int
) -> None:
    """The counts equal the script's log, and the leaves of the tree counted in Python."""
    position = after_plies(load("statistics.4th", WITHOUT_CHANCE, game_log=tmp_path), plies, seed)
    name = position.game.name
    expected = minimax(cells_of(position), plies)
    moves = tuple(str(move) for move in position.legal_moves)
    script = forthvm.engines.get("script")
    statistics = measure(script, position, counter=ScriptCounter("EvalCount", resets=True))
    assert statistics.counts == tuple(expected.evaluations)
    assert tuple(root.move for root in statistics.root_moves) == moves
    log = (tmp_path / f"{name}.log").read_text(encoding="ascii")
    assert [int(line) for line in log.split()] == list(statistics.counts)
