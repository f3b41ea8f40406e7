"""Follows pages of the documentation: makes their files, and runs their commands.

docs/page_examples.py owns how `forth` blocks are read.  `console` blocks contain commands with
their output, in which a line `…` stands for any lines, and `…` elsewhere for one word.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from docs.page_examples import examples
from tests.kit.processes import run

CHECKOUT = Path(__file__).resolve().parents[2]
DOCS = CHECKOUT / "docs"
DOCUMENTS = [
    *(CHECKOUT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(DOCS.glob("**/*.md")),
]
TESTED_ELSEWHERE = {
    "write-a-game.md",
    "moves-and-turns.md",
    "rules-many-games-need.md",
    "write-an-engine.md",
    "debugging.md",
}
"""Pages with several scripts, or with parts of one, which have tests of their own."""
BLOCK = re.compile(r'^```(\w+)(?: title="([\w.-]+)")?\n(.*?)^```\n', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of code in a page."""

    kind: str
    name: str
    """Of a file; may be empty."""
    text: str
    at: int
    """Where the block begins in the page."""


def follow(page: Path, folder: Path) -> Iterator[Block]:
    """Yield the blocks of a page; write their files, and those that they load, into a folder."""
    text = page.read_text(encoding="utf-8")
    files = {example.end: example.files for example in examples(text)}
    for block in BLOCK.finditer(text):
        kind, name, content = block.groups()
        for file, source in files.get(block.end(), {name: content} if name else {}).items():
            (folder / file).write_text(source, encoding="utf-8")
        yield Block(kind, name or "", content, block.start())


def output_of(command: str, folder: Path, *, status: int | None = 0) -> str:
    """Return what a command prints.  status: its exit status; None: any."""
    program, *arguments = shlex.split(command)
    module = {"forthvm": ["-m", "forthvm"], "python": []}[program]
    environment = {"NO_COLOR": "1", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    done = run(sys.executable, *module, *arguments, folder=folder, **environment)
    assert status in {None, done.returncode}, f"{command}\n{done.stderr}"
    return done.stdout


def check_console(block: str, folder: Path, *, status: int | None = 0) -> int:
    """Run the commands of a block, check their output, and return their number."""
    commands = block.split("$ ")[1:]
    for entry in commands:
        command, _, expected = entry.partition("\n")
        printed = output_of(command, folder, status=status)
        assert re.fullmatch(_pattern(expected), printed), f"{command}\n{printed}"
    return len(commands)


def _pattern(expected: str) -> str:
    """Return a regular expression for the expected output of a command."""
    lines = [
        "(?s:.*)" if line == "…\n" else re.sub(r"(\\ )*…", r" *\\S+", re.escape(line))
        for line in expected.splitlines(keepends=True)
    ]
    return "".join(lines)


def shown_games() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the scripts in the documents, except TESTED_ELSEWHERE."""
    for document in DOCUMENTS:
        if document.name in TESTED_ELSEWHERE:
            continue
        for example in examples(document.read_text(encoding="utf-8")):
            yield example.name, example.files[example.name]
