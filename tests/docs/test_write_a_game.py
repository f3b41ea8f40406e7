r"""docs/tutorials/write-a-game.md, step by step: the parts of the script, commands, output.

Owns how the page is read: `forth` blocks hold parts headed by `\ --- name ---`, which replace
a part of the same name; `console` blocks hold commands with their output, `…` for any lines.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import forthvm

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "write-a-game.md"
BLOCK = re.compile(r"^```(forth|forth-variant|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^\\ --- (.+) ---\n", re.MULTILINE)
ORDER = ["", "board", "players", "moves", "pieces", "set-up", "end", "worth", "remarks", "settings"]


def parts_of(text: str) -> dict[str, str]:
    """Returns the parts of a block by name; the part before the first name has the name ""."""
    before, *rest = PART.split(text)
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    return {**({"": before} if before.strip() else {}), **parts}


def write(folder: Path, parts: dict[str, str]) -> None:
    assert set(parts) <= set(ORDER)
    (folder / "fox.4th").write_text(
        "".join(parts[name] for name in ORDER if name in parts), encoding="utf-8"
    )


def run(command: str, folder: Path) -> str:
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
        printed = run(command, folder)
        assert re.fullmatch(pattern, printed), f"{command}\n{printed}"
    return len(commands)


def test_every_step(tmp_path: Path) -> None:
    parts: dict[str, str] = {}
    commands = 0
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "forth":
            parts.update(parts_of(text))
            write(tmp_path, parts)
        elif kind == "forth-variant":
            (tmp_path / "fox-late.4th").write_text(text, encoding="utf-8")
        else:
            commands += check_console(text, tmp_path)
    assert set(parts) == set(ORDER)
    assert commands >= 10
    check_play(tmp_path)


def check_play(folder: Path) -> None:
    """The finished game follows its rules, and the evaluation improves the engine."""
    game = forthvm.load(folder / "fox.4th")
    far = game.start(setup=[("Fox", "fox", "b2"), ("Hounds", "hound", "d2")])
    for text in ("b2c3", "d2e1", "c3d4"):
        far.push_text(text)
    assert far.result is not None  # the hound at the edge cannot move
    assert far.result.winners == ("Fox",)
    shut = game.start(
        setup=[
            ("Fox", "fox", "a1"),
            ("Hounds", "hound", "c3"),
        ]
    )
    shut.push_text("a1b2")
    shut.push_text("c3d2")
    assert shut.result is None
    caught = game.start(setup=[("Fox", "fox", "a1"), ("Hounds", "hound", "b2")])
    assert caught.result is not None
    assert caught.result.winners == ("Hounds",)
