"""Extracts the Forth fragments from the articles and writes them next to the host scripts.

Owns the rule for the beginning and end of a fragment.  A fragment is an unchanged slice of the
article's file.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["ARTICLES", "HOSTS", "Block", "Fragment", "assemble", "blocks", "fragments"]

HOSTS: Final = Path(__file__).parent / "hosts"

# The headings under which each article prints Forth, in order.
ARTICLES: Final = {
    "splut-axiom.txt": (
        "Quiet running",
        "Stone drag",
        "A rock?",
        "Troll moves",
        "Gnome Stroke",
        "Levitate Stones",
        "Pushing Stones in Front of You",
        "Generic Alpha-Beta Clipping",
        "Custom engine",
        "Duel",
        "Random",
        "Statistics collection",
    ),
    "rithmomachia-axiom.txt": (
        "Moving Squares",
        "Moving Pyramids",
        "Battle methods",
        "Taking figures",
        "Position change",
        "Completion check",
        "Evaluation function",
        "Description of figures",
    ),
}


@dataclass(frozen=True)
class Block:
    """Lines between blank lines: a paragraph, a list, or a heading with code.

    `start` is the offset of the block in the article, in bytes.
    """

    start: int
    lines: tuple[bytes, ...]

    @property
    def heading(self) -> str:
        """The first line, without its indentation."""
        return self.lines[0].decode().strip()


@dataclass(frozen=True)
class Fragment:
    """The code of an article below a heading: `data` is `article[start : start + len(data)]`."""

    title: str
    start: int
    data: bytes

    @property
    def file_name(self) -> str:
        """The file name by which a host script loads it."""
        return re.sub(r"\W+", "-", self.title.lower()).strip("-") + ".fragment"


def blocks(article: bytes) -> list[Block]:
    """Return all blocks of an article."""
    found: list[Block] = []
    offset = 0
    lines: list[bytes] = []
    for line in [*article.splitlines(keepends=True), b""]:
        if line.strip():
            lines.append(line)
        elif lines:
            found.append(Block(offset - sum(map(len, lines)), tuple(lines)))
            lines = []
        offset += len(line)
    return found


def fragments(article: Path) -> list[Fragment]:
    """Return the fragments of an article: the lines from a known heading to the next blank line."""
    return [
        Fragment(block.heading, block.start + len(block.lines[0]), b"".join(block.lines[1:]))
        for block in blocks(article.read_bytes())
        if len(block.lines) > 1 and block.heading in ARTICLES[article.name]
    ]


def assemble(shared: Path, folder: Path) -> Path:
    """Write all fragments and all host scripts to a folder, and return the folder."""
    for name in ARTICLES:
        for fragment in fragments(shared / "articles" / name):
            (folder / fragment.file_name).write_bytes(fragment.data)
    for host in HOSTS.glob("*.4th"):
        shutil.copy(host, folder)
    return folder
