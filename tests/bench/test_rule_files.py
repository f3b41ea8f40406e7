"""Tests of benchmarks/rule_files.py, which also compares rule files with scripts."""

from __future__ import annotations

import pytest

from benchmarks import rule_files
from forthvm.game import load


@pytest.mark.slow
def test_each_kind_of_run_has_a_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_files, "WARM_UP", 0.0)
    monkeypatch.setattr(rule_files, "SAMPLE", 0.0)
    ratios = rule_files.ratios("breakthrough", rule_files.Sizes(2, 2), rounds=1)
    assert set(ratios) == set(rule_files.KINDS)
    assert min(ratios.values()) > 0


def test_each_game_has_a_rule_file_and_a_script() -> None:
    for name in rule_files.GAMES:
        assert (rule_files.RULE_FILES / f"{name}.zrf").is_file(), name
        assert load(name).name == name
