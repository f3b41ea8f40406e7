"""Tests of benchmarks/results.py, with a small version of its report.

The report compares engines for Splut!.  The cleaner is the chance player of splut-duel: it has the
last turn of each round, and clears the marks that stones got in the round.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import benchmarks.results
import forthvm
from forthvm.autoplay.statistics.formulas import GAME_SCORES, Sample, mean_interval
from tests.kit.games import loaded

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def results() -> ModuleType:
    return benchmarks.results


def test_interval_equals_the_interval_of_reports(results: ModuleType) -> None:
    """The expected bounds for 87 of 100 without draws are those of Wilson's interval.

    They were calculated by hand: (0.87 + 0.01921 -+ 0.06866) / 1.03841.
    """
    found = results.Score(wins=87, losses=13).interval
    assert (found.low, found.high) == pytest.approx((0.790, 0.922), abs=0.001)
    drawn = results.Score(wins=178, draws=1, losses=21).interval
    assert drawn == mean_interval(Sample(GAME_SCORES, (21, 1, 178)))


def test_cleanings_counts_the_moves_of_the_cleaner(results: ModuleType) -> None:
    """Turns 1 to 11: South, North twice, cleaner, South three times, North three times, cleaner."""
    position = loaded("splut-duel").start()
    cleaner_moves = [results.cleanings(position, depth) for depth in range(1, 12)]
    assert cleaner_moves == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2]


def test_counting_script_searches_the_same_positions(results: ModuleType) -> None:
    """The script that counts evaluations has the same searches as the bundled game."""
    counted = forthvm.load(results.ARTICLE_DUEL, include=[results.GAMES], seed=3).start()
    plain = forthvm.load("splut-duel", seed=3).start()
    engine = forthvm.engines.get("script:depth=3")
    for _ in range(3):
        evaluations_before = counted.variables["evaluations"]
        found, expected = engine.play(counted), engine.play(plain)
        assert str(found.move) == str(expected.move)
        assert (found.score, found.nodes) == (expected.score, expected.nodes)
        assert 0 < counted.variables["evaluations"] - evaluations_before < found.nodes
        counted.push(found.move)
        plain.push(expected.move)


@pytest.mark.slow
def test_report_is_complete(results: ModuleType, tmp_path: Path) -> None:
    """The report has all rows and charts; `positions_of` repeats the positions of the game."""
    target = tmp_path / "results.md"
    options = ["--plies", "4", "--games", "2", "--time", "0.002", "--output", str(target)]
    assert results.main(options) == 0
    text = target.read_text(encoding="utf-8")
    assert "None" not in text
    assert "{" not in text
    rows = re.findall(r"^\| [35]: ", text, re.MULTILINE)
    assert len(rows) == 2 * (1 + len(results.FEATURES))
    for depth in results.DEPTHS:
        ElementTree.parse(tmp_path / f"results-depth-{depth}.svg")
        assert f"](results-depth-{depth}.svg)" in text
    game = results.game_of_the_article(3, 4)
    positions = list(results.positions_of(game, 3))
    assert [position.ply for position in positions] == [entry.ply for entry in game]
    assert [position.turn for position in positions] == [entry.player for entry in game]
