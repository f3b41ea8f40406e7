"""Tests the commands and the Python example of docs/tutorials/debugging.md.

A `commands` block of the page is a file for `--commands`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, check_console, follow, output_of

PAGE = DOCS / "tutorials" / "debugging.md"


@pytest.mark.slow
def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    console = 0
    for block in follow(PAGE, tmp_path):
        if block.kind == "console":
            # The exit status of why-not says that the move is not legal.
            console += check_console(block.text, tmp_path, status=None)
        elif block.kind == "python":
            (tmp_path / "example.py").write_text(block.text, encoding="utf-8")
        elif block.kind == "text":
            assert output_of("python example.py", tmp_path) == block.text
    assert console >= 5


def test_table_lists_existing_commands() -> None:
    from forthvm.debug.session.commands import command_names

    table = PAGE.read_text(encoding="utf-8").partition("## Commands")[2].partition("## From")[0]
    rows = [row for row in table.splitlines() if row.startswith("| `")]
    listed = {
        words.split()[0] for row in rows for words in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    assert listed - {"on"} <= set(command_names())
    assert {"step", "back", "rcontinue", "break", "watch", "record", "replay"} <= listed
