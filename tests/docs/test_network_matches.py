"""Tests the report of benchmarks/networks.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import networks


@pytest.mark.slow
def test_report_has_a_row_for_each_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    options = ["--minutes", "0.01", "--threads", "1", "--games", "2", "--time", "0.01"]
    output = tmp_path / "networks.md"
    assert networks.main(["tictactoe", *options, "--output", str(output)]) == 0
    row = next(line for line in output.read_text("utf-8").splitlines() if "tictactoe" in line)
    _, games, won, drawn, lost, *_ = [cell.strip() for cell in row.strip("|").split("|")]
    assert int(won) + int(drawn) + int(lost) == int(games) == 2
    assert (tmp_path / "tictactoe.net").is_file()


def test_others_have_no_network() -> None:
    """One entrant for each seat."""
    specs = [e.spec for e in networks.match_settings("splut", Path("s.net"), 4, 0.1).entrants]
    assert specs == ["negamax:net=s.net", *["negamax:net=none"] * 3]
