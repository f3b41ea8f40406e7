"""Writes docs/reference/glossary.md from the primitives table and the library.

Owns the page's shape; ``--check`` says whether the page is stale.  Needs forthvm installed.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from forthvm.core.words.glossary import Entry, words

PAGE = Path(__file__).resolve().parent / "reference" / "glossary.md"

HEAD = """\
# Glossary

Made by `docs/make_glossary.py` from `native/tables/primitives.def` and `axiom_lib/`: do not edit.
`forthvm words NAME` prints one entry. Kernel words are in C, the others in ForthScript."""


def cell(text: str) -> str:
    """Text as a table cell shows it literally."""
    return text.replace("|", "\\|")


def code(text: str) -> str:
    """Text as code in a table cell, whatever marks it holds."""
    fence = "``" if "`" in text else "`"
    blank = " " if "`" in text else ""
    return f"{fence}{blank}{cell(text)}{blank}{fence}"


def row(entry: Entry) -> str:
    """One line of a table."""
    note = " *Immediate.*" if entry.immediate else ""
    # The names of inputs may look like marks: the sentence is shown as it is written.
    text = cell(entry.text).replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return f"| {code(entry.name)} | {code(entry.effect)} | {text}{note} |"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    entries = sorted(words().values(), key=lambda entry: (entry.source != "kernel", entry.source))
    for source, of_source in groupby(entries, key=lambda entry: entry.source):
        parts.append(f"\n## {source}")
        in_order = sorted(of_source, key=lambda entry: entry.group)
        for group, members in groupby(in_order, key=lambda entry: entry.group):
            parts.append(f"\n### {group or 'comments'}\n\n| word | effect | |\n|---|---|---|")
            parts += [row(entry) for entry in members]
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    """Writes or checks the page; the exit status is 1 when it is stale."""
    wanted = page()
    if "--check" in arguments:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != wanted
        if stale:
            print("docs/reference/glossary.md is stale: run docs/make_glossary.py")
        return int(stale)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
