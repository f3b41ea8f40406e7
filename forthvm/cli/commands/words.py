"""`forthvm words`: shows the glossary.

Owns the selection of words and the output; the core has the descriptions.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
from typing import TYPE_CHECKING

from forthvm.cli.options import AXIOM_VERSIONS, Option
from forthvm.cli.terminal import print_json
from forthvm.core.text.wording import close_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.cli.terminal import Screen
    from forthvm.core.words.glossary import Entry
    from forthvm.core.words.search import Found

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Describes the words of ForthScript.  NAME selects a word, the words that match a pattern, or the
words related to a term or its synonyms, the best matches first."""
EPILOG = """\
examples:
  forthvm words add-move
  forthvm words '*-at'
  forthvm words opponent
  forthvm words 'game over'
  forthvm words --json
"""

NAME_COLUMNS = 16
"""Columns for the name, so that most stack effects are aligned."""

MAX_RELATED = 8
"""Related words that are shown after a single word."""

OPTIONS = (
    Option("[NAME]",
        help="a word, a pattern with * and ?, or terms that describe a word (default: all words)"),
    Option("--axiom", default="150", choices=AXIOM_VERSIONS, help="library version (default 150)"),
    Option("--json", help="print the entries as JSON"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the entries."""
    from forthvm.core.words.glossary import words
    from forthvm.core.words.search import rank

    version = int(args.axiom.partition("-")[0])
    glossary = words(version)
    named: Sequence[Entry] = list(glossary.values())
    related: Sequence[Found[Entry]] = ()
    if args.name is not None:
        named = [glossary[args.name]] if args.name in glossary else _matching(args.name, glossary)
        ranked = rank(args.name, glossary.values())
        related = [match for match in ranked if match.entry not in named]
    if args.json:
        related = () if named else related
        documents = [vars(entry) for entry in named]
        documents += [{**vars(match.entry), "why": match.why} for match in related]
        print_json(documents)
    else:
        _print(named, related)
    if named or related:
        return 0
    similar = close_names(args.name, glossary, 4)
    hint = f"; similar: {', '.join(similar)}" if similar else ""
    print(f"forthvm: no word matches {args.name!r}{hint}", file=sys.stderr)
    return 2


def _matching(pattern: str, glossary: Mapping[str, Entry]) -> list[Entry]:
    """Returns the words that match a pattern; brackets are literal, since many names have them."""
    escaped = pattern.replace("[", "[[]")
    return [entry for name, entry in glossary.items() if fnmatch.fnmatchcase(name, escaped)]


def _print(named: Sequence[Entry], related: Sequence[Found[Entry]]) -> None:
    """Prints a single named word with related words, several named words, or only related words."""
    from forthvm.cli.terminal import Screen

    screen = Screen()
    if len(named) == 1:
        _print_one(named[0], screen)
        related = related[:MAX_RELATED]
        if related:
            print("\nsee also")
    elif named:
        _print_rows([(entry, "") for entry in named], screen)
        return
    _print_related(related, screen)


def _print_one(entry: Entry, screen: Screen) -> None:
    print(f"{entry.name}  {entry.effect}" + ("  immediate" if entry.immediate else ""))
    print(f"  {entry.text}")
    screen.print_styled(screen.dim(f"  {entry.group or 'word'}, {entry.source}"))


def _print_related(related: Sequence[Found[Entry]], screen: Screen) -> None:
    """Prints the best matches with the matching term, and the names of the other matches."""
    from forthvm.core.words.search import BEST

    _print_rows([(match.entry, f" ({match.why})") for match in related[:BEST]], screen)
    if related[BEST:]:
        others = f"and {', '.join(match.entry.name for match in related[BEST:])}"
        screen.print_wrapped(others)


def _print_rows(rows: Sequence[tuple[Entry, str]], screen: Screen) -> None:
    from forthvm.core.text.tables import table

    cells = [
        (f"{entry.name:{NAME_COLUMNS}}  {entry.effect}", entry.text + why) for entry, why in rows
    ]
    if cells:
        print("\n".join(table(cells, screen.width)))
