"""`forthvm why-not`: why a move is not legal.

Owns the question; options and printing are those of `forthvm explain`.
"""

from __future__ import annotations

import argparse

from forthvm.cli import shared_options
from forthvm.cli.commands.explain import answer, declare

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Explains why a move is not legal: which `verify` refused it, in which word, at which square.  It is
found by changing decisions: the move is generated again with the decisions on its path inverted,
one after the other and several in a row, until it appears.  Where no `verify` is to blame,
the answer names the cause: an IF, a missing `add-move`, a move of better priority, the turn, the
name of a square.

Exit status: 0 the move is legal, 1 it is not (or the script failed), 2 wrong usage."""
EPILOG = """\
examples:
  forthvm why-not chess "rook a1 - a4"
  forthvm why-not splut "wizard e1 - e3" --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    declare(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the answer."""
    from forthvm.debug.why_not.question import why_not

    position = shared_options.make_position(shared_options.load_game(args), args)
    return answer(args, why_not(position, args.move, seconds=args.time))
