r"""Tests the commands and the Python example of docs/tutorials/debugging.md.

Owns how the page is read.  The `forth-script` block is the file `leap.4th`, and a `commands NAME`
block is a file for `--commands`.  `console` blocks contain commands with their output, in which `…`
matches any lines.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "debugging.md"
BLOCK = re.compile(r"^```([\w-]+)(?: (\w+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def output_of(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,  # the exit status of why-not says that the move is not legal
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
    )
    return done.stdout


@pytest.mark.slow
def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    console = 0
    python = ""
    for kind, name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "forth-script":
            (tmp_path / "leap.4th").write_text(text, encoding="utf-8")
        elif kind == "commands":
            (tmp_path / name).write_text(text, encoding="utf-8")
        elif kind == "console":
            for entry in text.split("$ forthvm ")[1:]:
                command, _, expected = entry.partition("\n")
                pattern = re.escape(expected).replace("…\\\n", "(?s:.*)")
                printed = output_of(["-m", "forthvm", *shlex.split(command)], tmp_path)
                assert re.fullmatch(pattern, printed), f"{command}\n{printed}"
                console += 1
        elif kind == "python":
            python = text
        elif kind == "text":
            assert output_of(["-c", python], tmp_path) == text
    assert console >= 5
    assert python


def test_table_lists_existing_commands() -> None:
    from forthvm.debug.session.commands import command_names

    table = PAGE.read_text(encoding="utf-8").partition("## Commands")[2].partition("## From")[0]
    rows = [row for row in table.splitlines() if row.startswith("| `")]
    listed = {
        words.split()[0] for row in rows for words in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    assert listed - {"on"} <= set(command_names())
    assert {"step", "back", "rcontinue", "break", "watch", "record", "replay"} <= listed
