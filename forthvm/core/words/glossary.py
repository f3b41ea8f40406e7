r"""The glossary: entries from the primitives table and from the comments of the library.

This file owns the readers of both sources.  In the library, words are documented at their
definitions:

    : name ( effect )  \ Sentence.
    4 CONSTANT name ( effect )  \ Sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Entry", "kernel_words", "library_words", "read_entries", "words"]

# The first line of a definition: defining word, name, stack effect, sentence.
_ENTRY = re.compile(
    r"(?:^|\s)(?P<maker>:|CONSTANT|VARIABLE|DEFER|CREATE|VOCABULARY|FVARIABLE|FCONSTANT|TIMER|\[\])"
    r"\s+(?P<name>\S+)\s+(?P<effect>\(\s.*?--(?:\s.*?)?\s*\))\s*\\\s+(?P<text>\S.*?)\s*$"
)
# Words that are documented in a separate comment because no comment can follow them.
_COMMENTED = re.compile(
    r"^\\\s+:\s+(?P<name>\S+)\s+(?P<effect>\(\s.*?--(?:\s.*?)?\s*\))\s*\\\s+(?P<text>\S.*?)\s*$"
)
_SECTION = re.compile(r"^\\\s+-{2,}\s+(?P<title>.*?)[\s-]*$")

_IMMEDIATE = re.compile(r"(?<!\S);\s+IMMEDIATE(?!\S)")


@dataclass(frozen=True)
class Entry:
    """One word: its name, stack effect, group, a sentence, flags, and its source."""

    name: str
    effect: str
    group: str
    text: str
    flags: str = ""
    source: str = "kernel"
    line: int = 0

    @property
    def immediate(self) -> bool:
        """Whether the word is immediate."""
        return "imm" in self.flags.split()

    def __str__(self) -> str:
        return f"{self.name}  {self.effect}  {self.text}"


@cache
def kernel_words() -> dict[str, Entry]:
    """Return entries of the primitives, in the order of their table."""
    from forthvm.core._primitives import PRIMITIVES  # a long table

    return {
        name: Entry(name, effect, group, text, flags)
        for name, effect, flags, group, text in PRIMITIVES
    }


def read_entries(path: Path) -> Iterator[Entry]:
    """Read the documented words of a library file, in order."""
    group = ""
    last: Entry | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if last is not None and _IMMEDIATE.search(line):
            last = replace(last, flags="imm")
        section = _SECTION.match(line)
        if section:
            group = section["title"].split(":")[0]
            continue
        found = _COMMENTED.match(line) or (None if line.startswith("\\") else _ENTRY.search(line))
        if found and found["name"] != "name":  # `name` is only in the comment about the syntax
            if last is not None:
                yield last
            effect = " ".join(found["effect"].split())
            last = Entry(found["name"], effect, group, found["text"], "", path.name, number)
    if last is not None:
        yield last


@cache
def library_words(version: int = 150) -> dict[str, Entry]:
    """Return entries of the bundled library's words; the last definition of a word counts."""
    from forthvm.core.loading.library import find_library

    files = find_library("axiom", version).files
    entries: dict[str, Entry] = {}
    for folder in dict.fromkeys(path.parent for path in files):
        others = sorted(set(folder.glob("axiom-*.4th")) - set(files))
        # A file whose name ends with a version number belongs to another version.
        optional = (path for path in others if not path.stem[-3:].isdigit())
        for path in [*files, *optional]:
            entries |= {entry.name: entry for entry in read_entries(path)}
    return entries


def words(version: int = 150) -> dict[str, Entry]:
    """Return entries of all words; words of the library hide primitives of the same name."""
    return kernel_words() | library_words(version)
