"""`forthvm board` in Python for Windows, which wine runs, and a browser of this system.

`.ci/windows FOLDER` installs that Python.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kit.games import loaded
from tests.web.browsing import CSS, SECONDS, Page

if TYPE_CHECKING:
    from selenium import webdriver

FOLDER = os.environ.get("FORTHVM_WINDOWS")
pytestmark = pytest.mark.skipif(
    FOLDER is None, reason="FORTHVM_WINDOWS does not name a folder made by .ci/windows"
)


@pytest.fixture
def board() -> Iterator[subprocess.Popen[str]]:
    """The command, running."""
    command = [str(Path(FOLDER or "", "python-for-windows")), "-m", "forthvm", "board", "tictactoe"]
    with subprocess.Popen(
        [*command, "--no-browser", "--new-table"],
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_a_game_against_the_engine(driver: webdriver.Chrome, board: subprocess.Popen[str]) -> None:
    address = re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+", board.stdout.readline())
    driver.get(address[0])
    page, position = Page(driver), loaded("tictactoe").start()
    page.wait(lambda: page.find("#title").text)
    while position.result is None:
        move = position.legal_moves[0]
        page.click(move.gesture()[0])
        position.push(move)
        if position.result is None:  # the engine answers
            page.wait_for_ply(position.ply + 1)
            last = driver.find_elements(CSS, "#history .played")[-1].text
            position.push(last.split(maxsplit=1)[-1])  # without its number
    page.wait_for_ply(position.ply)
    assert page.find("#status").text == str(position.result)
    board.send_signal(signal.SIGINT)
    out, errors = board.communicate(timeout=SECONDS)
    assert board.returncode == 0, errors
    assert "To continue: forthvm board --resume" in out
