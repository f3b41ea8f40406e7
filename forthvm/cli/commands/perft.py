"""`forthvm perft`: counts move sequences, the standard test of a move generator.

Owns the output, with counts per root move (--divide).
"""

from __future__ import annotations

import argparse
import time

from forthvm.cli.loading import load_position
from forthvm.cli.options import GAME_OR_POSITION, LOADING, POSITION, Option, integer
from forthvm.cli.terminal import print_json
from forthvm.core.text.visible import visible

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Counts the sequences of DEPTH legal moves from a position.  A move of a chance player counts as one
ply, and so does a partial move unless --joined is given.  A sequence that ends the game earlier is
not counted."""
MAX_DEPTH = 1000
EPILOG = """\
examples:
  forthvm perft tictactoe 5
  forthvm perft breakthrough 3 --divide
  forthvm perft draughts 7 --joined
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("DEPTH", integer(0, MAX_DEPTH), help="number of plies"),
    Option("--divide", help="also print the count for each first move"),
    Option("--joined", help="count a chain of partial moves as one ply"),
    Option("--json", help="print the counts as JSON"),
    *LOADING,
    *POSITION,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Counts the move sequences and prints the counts."""
    from forthvm.game.perft import perft, perft_by_move

    position = load_position(args)
    start = time.perf_counter()
    counts_by_move: list[tuple[str, int]] = []
    if args.divide and args.depth > 0:
        for move, count in perft_by_move(position, args.depth, joined=args.joined):
            counts_by_move.append((str(move), count))
            if not args.json:
                print(f"{count:12}  {visible(str(move))}", flush=True)
        total = sum(count for _, count in counts_by_move)
    else:
        total = perft(position, args.depth, joined=args.joined)
    seconds = time.perf_counter() - start
    if args.json:
        document: dict[str, object] = {
            "game": position.game.name,
            "depth": args.depth,
            "count": total,
            "seconds": round(seconds, 6),
        }
        if args.divide:
            document["divide"] = [{"move": move, "count": count} for move, count in counts_by_move]
        print_json(document)
    else:
        print(f"{total:12}  total, depth {args.depth}" if args.divide else total)
    return 0
