r"""Reads the scripts and rule files of a page: the files that a reader has made up to a block.

A `forth` or `lisp` block with a title is the content of the file of that name, or parts of it.
Parts begin
with `\ --- heading ---`.  A part replaces an earlier part with the same heading; a new part is
placed before the next part of its block that the file contains, or else at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r'^```(?:forth|lisp) title="([\w.-]+)"\n(.*?)^```\n', re.MULTILINE | re.DOTALL)
BOARD = re.compile(r"\{board\b|\(board\b")
PART = re.compile(r"^\\ --- (.+) ---\n", re.MULTILINE)
LOADED = re.compile(r"^\s*LOAD\s+(\S+)", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Example:
    """A block, and the files with which it runs."""

    name: str
    """The file that the block belongs to."""
    end: int
    """Where the block ends in the text of the page."""
    main: str
    """The file to load: the block's if it is a game, or else the first one that loads it."""
    files: Mapping[str, str]
    """The main file and all files that it loads, except the library's, as they are after the block.

    A file that the page has not shown yet is as it is shown first.
    """


def examples(page: str) -> Iterator[Example]:
    """Yield the examples in the text of a page."""
    blocks = list(BLOCK.finditer(page))
    files: dict[str, str] = {}
    for block in blocks:
        files.setdefault(block[1], block[2])
    parts: dict[str, dict[str, str]] = {}
    for block in blocks:
        name = block[1]
        parts[name] = _merged(parts.get(name, {}), _parts(block[2]))
        files[name] = _text(parts[name])
        main, needed = name, _needed(name, files)
        if not any(BOARD.search(text) for text in needed.values()):
            main = next(file for file in files if file != name and name in _needed(file, files))
            needed = _needed(main, files)
        yield Example(name, block.end(), main, needed)


def _parts(text: str) -> dict[str, str]:
    """Return the parts of a block by heading; what is before the first heading has the key ""."""
    before, *rest = PART.split(text)
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    return {"": before, **parts} if before else parts


def _merged(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of a file after a block."""
    order, headings = list(old), list(new)
    for index, heading in enumerate(headings):
        if heading not in order:
            later = [other for other in headings[index:] if other in order]
            order.insert(order.index(later[0]) if later else len(order), heading)
    texts = {**old, **new}
    return {heading: texts[heading] for heading in order}


def _text(parts: Mapping[str, str]) -> str:
    return "".join(f"\\ --- {name} ---\n{text}" if name else text for name, text in parts.items())


def _needed(main: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return a file and those that it loads: of the page, or of a bundled game."""
    needed: dict[str, str] = {}
    waiting = [main]
    while waiting:
        name = waiting.pop(0)
        if name in needed or (CHECKOUT / "axiom_lib" / name).exists():
            continue
        if name in files:
            needed[name] = files[name]
        else:
            (bundled,) = (CHECKOUT / "scripts").glob(f"*/{name}")
            needed[name] = bundled.read_text(encoding="utf-8")
        waiting += LOADED.findall(needed[name])
    return needed
