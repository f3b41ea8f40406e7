"""`forthvm games`: the games at hand.

Owns the listing.  Which games there are is the game layer's to say.
"""

from __future__ import annotations

import argparse

from forthvm.cli import common

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = "Lists the bundled games, and those of installed packages, with a line each."
EPILOG = """\
examples:
  forthvm games
  forthvm run breakthrough
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the list."""
    from forthvm.cli.terminal import Screen, table
    from forthvm.game.bundled import list_games

    known = list_games()
    if args.json:
        common.print_json(
            [
                {
                    "name": each.name,
                    "title": each.title,
                    "summary": each.summary,
                    "path": str(each.path),
                    "variant_of": each.variant_of,
                    "origin": each.origin,
                }
                for each in known
            ]
        )
        return 0
    rows = [(each.name, each.summary) for each in known]
    print("\n".join(table(rows, Screen().width)))
    return 0
