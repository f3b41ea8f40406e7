"""A match that XBoard, with our engine on both sides, plays without a window."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forthvm.game.records.pgn import read_games
from tests.kit.games import loaded

XBOARD = shutil.which("xboard", path=f"{os.environ.get('PATH', '')}:/usr/games")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        XBOARD is None or shutil.which("Xvfb") is None, reason="xboard or Xvfb is not installed"
    ),
]


@pytest.fixture
def display() -> Iterator[str]:
    """Start an X server without a screen; return its name."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL) as server:
        os.close(writer)
        with os.fdopen(reader) as numbers:
            yield f":{numbers.readline().strip()}"
        server.terminate()


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_xboard_plays_a_match(name: str, display: str, tmp_path: Path) -> None:
    engine = f"{sys.executable} -m forthvm xboard {name} --engine"
    variant = [] if name == "chess" else ["-variant", name]
    command = [
        *(str(XBOARD), "-noGUI", *variant, "-mg", "2", "-tc", "5", "-inc", "0"),
        *("-fcp", f"{engine} negamax:depth=1", "-scp", f"{engine} random"),
        *("-sgf", str(tmp_path / "games.pgn"), "-soundProgram", "", "-popupExitMessage", "false"),
    ]
    messages = tmp_path / "messages.txt"
    # A pipe would stay open, after a timeout, until the engines end.
    with messages.open("wb") as file:
        subprocess.run(
            command,
            check=False,
            env=os.environ | {"DISPLAY": display, "HOME": str(tmp_path)},
            cwd=tmp_path,
            stdout=file,
            stderr=file,
            timeout=300,
        )
    assert "final score" in messages.read_text(errors="replace")
    with (tmp_path / "games.pgn").open("rb") as file:
        games = list(read_games(file))
    assert [game.tags["White"].split()[-1] for game in games] == ["negamax", "random"]
    for game in games:
        position = game.replay(loaded(name))
        assert position.result is not None
        assert game.result != "*"
