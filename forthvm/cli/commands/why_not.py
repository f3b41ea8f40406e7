"""`forthvm why-not`: explains why a move is not legal.

Owns the description; the options and the output are those of `forthvm explain`.
"""

from __future__ import annotations

import argparse

from forthvm.cli.commands.explain import OPTIONS, print_explanation
from forthvm.cli.loading import load_game, make_position

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Explains why a move is not legal: which `verify` refused it, in which word, at which square.  To
find out, it generates the move again with decisions of the script inverted, one or several at a
time, until the move appears.  If no `verify` refused the move, it names another cause: an IF, a
missing `add-move`, a move with a higher priority, OnMovesGenerated, the turn, or an unknown square.

Exit status: 0 if the move is legal, 1 if it is not or the script failed, 2 for wrong usage."""
EPILOG = """\
examples:
  forthvm why-not chess "rook a1 - a4"
  forthvm why-not splut "wizard e1 - e3" --json
"""


def run(args: argparse.Namespace) -> int:
    """Prints the explanation."""
    from forthvm.debug.why_not.query import why_not

    position = make_position(load_game(args), args)
    return print_explanation(args, why_not(position, args.move, seconds=args.time))
