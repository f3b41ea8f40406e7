"""Tests of benchmarks/game_tiers.py, which also compares the results of the tiers."""

from __future__ import annotations

import pytest

from benchmarks import game_tiers


def test_each_kind_of_run_has_a_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_tiers, "WARM_UP", 0.0)
    monkeypatch.setattr(game_tiers, "SAMPLE", 0.0)
    monkeypatch.setenv(game_tiers.VARIABLE, "native")  # restored after the test
    ratios = game_tiers.ratios("tictactoe", game_tiers.Sizes(2, 2, 1), rounds=1)
    assert set(ratios) == set(game_tiers.KINDS)
    assert min(ratios.values()) > 0


def test_golden_games_exist() -> None:
    for name in game_tiers.GOLDEN:
        assert (game_tiers.GOLDEN_GAMES / f"{name}.4th").is_file(), name
