"""`forthvm openings`: the moves that recorded games played, with their results.

Owns the options; the study package replays and counts.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import OK

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

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


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    from forthvm.study.openings import DEFAULT_PLIES, MAX_POSITIONS

    parser.add_argument(
        "files",
        type=Path,
        metavar="FILE",
        nargs="+",
        help="results files of forthvm autoplay, with games of the same game",
    )
    parser.add_argument(
        "--moves",
        metavar="'MOVE; …'",
        default="",
        help="show the position after these moves (default: the initial position)",
    )
    parser.add_argument(
        "--depth",
        type=option_values.integer(1, _MAX_DEPTH),
        metavar="N",
        help="list N plies (default 1; with --json all)",
    )
    parser.add_argument(
        "--plies",
        type=option_values.integer(1, _MAX_PLIES),
        default=DEFAULT_PLIES,
        metavar="N",
        help=f"read the first N plies of each game (default {DEFAULT_PLIES})",
    )
    parser.add_argument(
        "--min-games",
        type=option_values.integer(1),
        default=1,
        metavar="N",
        help="leave out moves that fewer than N games played (default 1)",
    )
    parser.add_argument(
        "--entrant", metavar="NAME", help="count only the games of this entrant (default: all)"
    )
    parser.add_argument(
        "--max-positions",
        type=option_values.integer(1),
        default=MAX_POSITIONS,
        metavar="N",
        help=f"limit of the number of positions (default {MAX_POSITIONS:,})",
    )
    parser.add_argument("--json", action="store_true", help="print the positions as JSON")
    shared_options.add_limit_options(parser)
    shared_options.add_trust_option(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the moves of a position, or the tree as JSON."""
    from forthvm.cli.terminal import columns
    from forthvm.study import openings_text
    from forthvm.study.openings import OpeningTree

    tree = OpeningTree.from_results(
        args.files,
        plies=args.plies,
        entrant=args.entrant,
        max_positions=args.max_positions,
        trust=args.trust,
        budget=shared_options.budget_of(args),
    )
    node = tree.follow(*shared_options.split_moves(args.moves))
    if args.json:
        shared_options.print_json(
            openings_text.document(tree, node, depth=args.depth, min_games=args.min_games)
        )
        return OK
    print(
        "\n".join(
            openings_text.lines(
                tree, node, depth=args.depth or 1, min_games=args.min_games, width=columns()
            )
        )
    )
    return OK
