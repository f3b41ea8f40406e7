"""`forthvm words`: the glossary.

Owns the choice and the printing; what the words do is told by the core.
"""

from __future__ import annotations

import fnmatch
import sys

from forthvm.cli import common
from forthvm.core.wording import close_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from forthvm.core.glossary import Entry

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Says what the words of ForthScript do: all of them, one by its name, those that a pattern
fits, or those that have a text in their name or description."""
EPILOG = """\
examples:
  forthvm words add-move
  forthvm words '*-at'
  forthvm words capture
  forthvm words --json
"""

NAME = 16
"""Columns for the name, so that most effects stand under each other."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a word, a pattern with * and ?, or any text"
    )
    parser.add_argument(
        "--axiom", choices=common.AXIOM, default="150", help="library version (default 150)"
    )
    parser.add_argument("--json", action="store_true", help="print the entries as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the entries."""
    from forthvm.core.glossary import search, words

    version = int(args.axiom.partition("-")[0])
    known = words(version)
    found: Sequence[Entry]
    if args.name is None:
        found = list(known.values())
    elif args.name in known:
        found = [known[args.name]]
    else:
        found = _fitting(args.name, known) or search(args.name, version)
    if args.json:
        common.print_json([vars(entry) for entry in found])
    else:
        _print(found)
    if found:
        return 0
    near = close_names(args.name, known, 4)
    hint = f"; near: {', '.join(near)}" if near else ""
    print(f"forthvm: no word fits {args.name!r}{hint}", file=sys.stderr)
    return 2


def _fitting(pattern: str, known: Mapping[str, Entry]) -> list[Entry]:
    """Words whose names a pattern fits; many names have brackets, which mean themselves."""
    plain = pattern.replace("[", "[[]")
    return [entry for name, entry in known.items() if fnmatch.fnmatchcase(name, plain)]


def _print(found: Sequence[Entry]) -> None:
    from forthvm.cli.terminal import Screen, table

    screen = Screen()
    if not found:
        return
    if len(found) == 1:
        entry = found[0]
        print(f"{entry.name}  {entry.effect}" + ("  immediate" if entry.immediate else ""))
        print(f"  {entry.text}")
        screen.say_styled(screen.dim(f"  {entry.group or 'word'}, {entry.source}"))
        return
    rows = [(f"{entry.name:{NAME}}  {entry.effect}", entry.text) for entry in found]
    print("\n".join(table(rows, screen.width)))
