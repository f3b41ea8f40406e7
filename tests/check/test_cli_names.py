"""Tests of names of bundled games as arguments of `forthvm check`."""

from __future__ import annotations

from pathlib import Path

from tests.kit.commands import Cli


def test_bundled_game_is_found_by_name(cli: Cli) -> None:
    assert "nothing found" in cli.out("check", "breakthrough")


def test_misspelt_name_is_reported_with_a_similar_one(cli: Cli) -> None:
    assert "breakthrough" in cli.err("check", "brakthrough", status=2)


def test_file_takes_precedence_over_a_bundled_name(in_folder: Path, cli: Cli) -> None:
    (in_folder / "breakthrough").mkdir()
    (in_folder / "breakthrough" / "own.4th").write_text(": f nowhere ;\n", encoding="utf-8")
    assert "nowhere" in cli.out("check", "breakthrough", status=1)
