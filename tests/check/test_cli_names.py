"""Tests of names of bundled games as arguments of `forthvm check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.cli.app import main


def test_bundled_game_is_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "breakthrough"]) == 0
    assert "nothing found" in capsys.readouterr().out


def test_misspelt_name_is_reported_with_a_similar_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "brakthrough"]) != 0
    assert "breakthrough" in capsys.readouterr().err


def test_file_takes_precedence_over_a_bundled_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "breakthrough").mkdir()
    (tmp_path / "breakthrough" / "own.4th").write_text(": f nowhere ;\n", encoding="utf-8")
    assert main(["check", "breakthrough"]) == 1
    assert "nowhere" in capsys.readouterr().out
