r"""Runs docs/tutorials/write-a-game.md step by step and compares the output of its commands.

Owns how the page is read.  `forth` blocks contain parts of the script; each part begins with
`\ --- name ---` and replaces an earlier part of the same name.  `console` blocks contain commands
and their output, in which `…` matches any lines.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import forthvm
from tests.kit.games import play

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "write-a-game.md"
BLOCK = re.compile(r"^```(forth|forth-variant|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^\\ --- (.+) ---\n", re.MULTILINE)
ORDER = ["", "board", "players", "moves", "pieces", "set-up", "end", "worth", "remarks", "settings"]


def parts_of(text: str) -> dict[str, str]:
    """Returns the parts of a block by name; the part before the first heading has the name ""."""
    before, *names_and_texts = PART.split(text)
    parts = dict(zip(names_and_texts[::2], names_and_texts[1::2], strict=True))
    return {**({"": before} if before.strip() else {}), **parts}


def make_script(folder: Path, parts: dict[str, str]) -> None:
    assert set(parts) <= set(ORDER)
    (folder / "fox.4th").write_text(
        "".join(parts[name] for name in ORDER if name in parts), encoding="utf-8"
    )


def output_of(command: str, folder: Path) -> str:
    assert command.startswith("forthvm ")
    done = subprocess.run(
        [sys.executable, "-m", "forthvm", *shlex.split(command)[1:]],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
    )
    return done.stdout


def check_console(text: str, folder: Path) -> int:
    """Runs the commands of a block, checks their output, and returns their number."""
    commands = text.split("$ ")[1:]
    for entry in commands:
        command, _, expected = entry.partition("\n")
        pattern = re.escape(expected).replace("…\\\n", "(?s:.*)")
        printed = output_of(command, folder)
        assert re.fullmatch(pattern, printed), f"{command}\n{printed}"
    return len(commands)


@pytest.mark.slow
def test_steps_of_the_tutorial_work(tmp_path: Path) -> None:
    parts: dict[str, str] = {}
    commands = 0
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "forth":
            parts.update(parts_of(text))
            make_script(tmp_path, parts)
        elif kind == "forth-variant":
            (tmp_path / "fox-late.4th").write_text(text, encoding="utf-8")
        else:
            commands += check_console(text, tmp_path)
    assert set(parts) == set(ORDER)
    assert commands >= 10
    check_results(tmp_path)


def check_results(folder: Path) -> None:
    """Checks when the finished game is won: the fox passes the hounds, or cannot move."""
    game = forthvm.load(folder / "fox.4th")
    stuck_hound = game.start(setup=[("Fox", "fox", "b2"), ("Hounds", "hound", "d2")])
    play(stuck_hound, "b2c3", "d2e1", "c3d4")
    assert stuck_hound.result is not None  # the hound on e1 cannot move
    assert stuck_hound.result.winners == ("Fox",)
    undecided = game.start(setup=[("Fox", "fox", "a1"), ("Hounds", "hound", "c3")])
    undecided.push("a1b2")
    undecided.push("c3d2")
    assert undecided.result is None
    caught = game.start(setup=[("Fox", "fox", "a1"), ("Hounds", "hound", "b2")])
    assert caught.result is not None
    assert caught.result.winners == ("Hounds",)
