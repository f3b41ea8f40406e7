"""Commands that take a folder leave out the folders that tools write."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.loading.authors_files import walk
from tests.kit.boards import grid
from tests.kit.commands import Cli

LEFT_OUT = (".hidden", "build", "dist", "node_modules", "__pycache__", "environment")
GAME = grid(3, 1, players="A B")
GAME += """\
: put ( -- ) empty? verify drop add-move ;  \\ blanks at the end:\x20
{moves puts {move} put moves}
{pieces {piece} man {drops} puts pieces}
"""


@pytest.fixture
def project(in_folder: Path) -> Path:
    """A folder with a game, and copies of it in folders that tools write."""
    for name in ("", "games", *(f"{name}/inner" for name in LEFT_OUT)):
        folder = in_folder / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "game.4th").write_text(GAME)
        (folder / "game.test").write_text("test t\n\tmoves 3\n")
    (in_folder / "environment" / "pyvenv.cfg").touch()
    return in_folder


def test_folders_that_tools_write_are_left_out(project: Path) -> None:
    assert [(path.name, names) for path, names in walk(project)] == [
        (project.name, ["game.4th", "game.test"]),
        ("games", ["game.4th", "game.test"]),
    ]
    for name in LEFT_OUT:  # a folder that is named is walked
        assert [path.name for path, _ in walk(project / name)] == [name, "inner"]


def test_fmt_changes_no_file_of_others(project: Path, cli: Cli) -> None:
    assert cli.out("fmt", ".").splitlines() == [
        "formatted: game.4th",
        f"formatted: {Path('games/game.4th')}",
    ]
    assert (project / "environment" / "inner" / "game.4th").read_text() == GAME


def test_tests_and_checks_leave_out_copies(cli: Cli, project: Path) -> None:
    inner = Path("games/game.test")
    assert cli.out("test", "--list").splitlines() == ["game.test:1: t", f"{inner}:1: t"]
    assert "2 files: " in cli.out("check", ".")
