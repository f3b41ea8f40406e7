"""Bundled games by their names on the command line of check."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.cli.app import main


def test_a_bundled_game_goes_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "breakthrough"]) == 0
    assert "nothing found" in capsys.readouterr().out


def test_a_misspelt_name_gets_the_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "brakthrough"]) != 0
    assert "breakthrough" in capsys.readouterr().err


def test_a_file_of_that_name_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "breakthrough").mkdir()
    (tmp_path / "breakthrough" / "own.4th").write_text(": f nowhere ;\n", encoding="utf-8")
    assert main(["check", "breakthrough"]) == 1
    assert "nowhere" in capsys.readouterr().out
