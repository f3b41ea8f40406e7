"""Commands that write files, on a full disk: a second try is not in the way of the first one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.commands import Cli

resource = pytest.importorskip("resource")

RULES = """(game (title "Race") (players White Black) (turn-order White Black)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10)))
  (directions (n 0 -1))))
 (piece (name Man) (moves (n add))))
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # half a file would be read later


@contextmanager
def full_disk() -> Iterator[None]:
    """Let files have at most 64 bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize(
    "command",
    [
        ("new", "race"),
        ("new", "race", "--package"),
        ("convert", "rules.zrf", "-o", "race.4th"),
        ("show", "tictactoe", "--svg", "board.svg"),
        pytest.param(("export", "tictactoe", "-o", "page.html"), marks=pytest.mark.slow),
    ],
)
def test_nothing_is_left_of_what_could_not_be_written(
    command: tuple[str, ...], tmp_path: Path, cli: Cli
) -> None:
    (tmp_path / "rules.zrf").write_text(RULES)
    with full_disk():
        assert "File too large" in cli(*command).err
    assert [path.name for path in tmp_path.iterdir()] == ["rules.zrf"]
    assert cli(*command).status == 0


def test_a_file_that_exists_stays(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "rules.zrf").write_text(RULES)
    (tmp_path / "race.4th").write_text("mine")
    assert "--force" in cli.err("convert", "rules.zrf", "-o", "race.4th", status=2)
    assert (tmp_path / "race.4th").read_text() == "mine"
