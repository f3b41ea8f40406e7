"""Tests of what forthvm.exe does with its arguments, in the folder for Windows."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).resolve().parents[2] / "native" / "wheels" / "launcher.py"


@pytest.fixture(scope="module")
def command() -> Callable[[list[str]], list[str]]:
    return runpy.run_path(str(LAUNCHER))["command"]


def test_a_double_click_opens_the_board(command: Callable[[list[str]], list[str]]) -> None:
    assert command([]) == ["board"]


@pytest.mark.parametrize(
    ("name", "options"),
    [("My Game.ZRF", []), ("игра.4th", []), ("old game.zsg", ["--position"])],
)
def test_a_dropped_file_is_opened(
    command: Callable[[list[str]], list[str]], tmp_path: Path, name: str, options: list[str]
) -> None:
    path = tmp_path / name
    path.touch()
    assert command([str(path)]) == ["board", *options, str(path)]


def test_other_arguments_are_commands_of_forthvm(
    command: Callable[[list[str]], list[str]], tmp_path: Path
) -> None:
    assert command(["games"]) == ["games"]
    picture = tmp_path / "board.bmp"
    picture.touch()
    assert command([str(picture)]) == [str(picture)]
    assert command(["moves", "game.zrf"]) == ["moves", "game.zrf"]
