"""`forthvm openings`: the moves that recorded games played, with their results.

Owns the options; the study package replays and counts.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from forthvm.cli.loading import budget_of, split_moves
from forthvm.cli.options import LIMITS, TRUST, Option, integer
from forthvm.cli.status import OK
from forthvm.cli.terminal import print_json
from forthvm.study.openings import DEFAULT_PLIES, MAX_POSITIONS, OpeningTree

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Shows which moves recorded games played in a position, how often, and with which results.  Games
that reach a position by different moves are counted together."""
EPILOG = """\
examples:
  forthvm openings results.db
  forthvm openings results.db --moves 'b2; a1' --depth 2
  forthvm openings monday.db tuesday.db --entrant A --min-games 10 --depth 4
  forthvm openings results.db --json | jq '.positions[0].moves'
"""
_MAX_PLIES = 100_000
_MAX_DEPTH = 500

OPTIONS = (
    Option("FILE [FILE ...]", Path,
        help="results files of forthvm autoplay, with games of the same game"),
    Option("--moves 'MOVE; …'", default="",
        help="show the position after these moves (default: the initial position)"),
    Option("--depth N", integer(1, _MAX_DEPTH), help="list N plies (default 1; with --json all)"),
    Option("--plies N", integer(1, _MAX_PLIES), DEFAULT_PLIES,
        help=f"read the first N plies of each game (default {DEFAULT_PLIES})"),
    Option("--min-games N", integer(1), 1,
        help="leave out moves that fewer than N games played (default 1)"),
    Option("--entrant NAME", help="count only the games of this entrant (default: all)"),
    Option("--max-positions N", integer(1), MAX_POSITIONS,
        help=f"limit of the number of positions (default {MAX_POSITIONS:,})"),
    Option("--json", help="print the positions as JSON"),
    TRUST,
    *LIMITS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the moves of a position, or the tree as JSON."""
    from forthvm.cli.terminal import columns
    from forthvm.study import openings_text

    tree = OpeningTree.from_results(
        args.files,
        plies=args.plies,
        entrant=args.entrant,
        max_positions=args.max_positions,
        trust=args.trust,
        budget=budget_of(args),
    )
    node = tree.follow(*split_moves(args.moves))
    if args.json:
        print_json(openings_text.document(tree, node, depth=args.depth, min_games=args.min_games))
        return OK
    print(
        "\n".join(
            openings_text.lines(
                tree, node, depth=args.depth or 1, min_games=args.min_games, width=columns()
            )
        )
    )
    return OK
