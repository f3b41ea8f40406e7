"""The guide to tests of games: its file passes, and its tables list all statements."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forthvm.testing.reader import CHECKS, FILE_KEYWORDS, SETUP
from tests.kit.commands import Cli

CHECKOUT = Path(__file__).parents[2]
GUIDE = (CHECKOUT / "docs" / "guides" / "testing-games.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture(autouse=True)
def _beside_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = CHECKOUT / "scripts" / "tictactoe" / "tictactoe.4th"
    (tmp_path / "tictactoe.4th").write_text(script.read_text())
    monkeypatch.chdir(tmp_path)


def test_the_example_passes(cli: Cli) -> None:
    Path("tictactoe.test").write_text(EXAMPLE)
    assert cli.out("test").endswith("2 tests: 2 passed\n")


def test_the_failure_is_shown(cli: Cli) -> None:
    Path("tictactoe.test").write_text(EXAMPLE.replace("moves 9", "moves 8"))
    shown = cli.out("test", "-k", "turns", status=1).splitlines()[:-1]
    assert [line.strip() for line in shown] == [
        line.strip() for line in GUIDE.split("is true\ninstead:\n\n")[1].splitlines()[: len(shown)]
    ]


def test_all_statements_are_listed() -> None:
    listed = set(
        re.findall(r"`([a-z]+)", " ".join(re.findall(r"^\| (.*?) \|", GUIDE, re.MULTILINE)))
    )
    assert listed == {*FILE_KEYWORDS, *SETUP, *CHECKS} - {"test"}
