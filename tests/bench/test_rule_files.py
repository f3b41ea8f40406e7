"""Tests of benchmarks/rule_files.py, which also compares rule files with scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import rule_files
from forthvm.game import load
from tests.kit.files import write
from tests.kit.messages import raises


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


def test_a_page_keeps_its_text_and_gets_new_figures(tmp_path: Path) -> None:
    path = write(tmp_path / "page.md", f"# Title\n\n{rule_files.FIGURES}\n\nold\n")
    ratios = {"chess": {"perft": 1.0, "playouts": 2.0, "loop": 1.25}}
    text = rule_files.page(path, ratios, {"drops": 0.5})
    assert text.startswith(f"# Title\n\n{rule_files.FIGURES}\n")
    assert "| chess | 1.00 | 2.00 | 1.25 |" in text
    assert "| drops | 0.50 |" in text
    assert "old" not in text


def test_a_page_without_a_place_for_figures_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "page.md", "# Title\n")
    with raises(SystemExit, "bench-rule-files.lacks-the-line"):
        rule_files.page(path, {}, {})


def test_there_are_rule_files_in_hard_shapes() -> None:
    assert len(rule_files.SHAPES) >= 8
