"""`forthvm explain`: how a move is generated, or why it is not legal.

Owns the choice between the two answers, and the printing.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import FAILED, OK
from forthvm.cli.terminal import columns

if TYPE_CHECKING:
    from forthvm.debug.explain.question import Explanation
    from forthvm.debug.why_not.refusals import WhyNot

QUESTION_SECONDS = 10.0
"""As in forthvm.debug.time_limit, which is slow to import for a list of options."""

__all__ = ["DESCRIPTION", "EPILOG", "answer", "configure", "declare", "run"]

DESCRIPTION = """\
Explains how a move is generated: the word that adds it, the decisions on the path through that
word, and the code that the move compiles to.  If the move is not legal, explains why, as
`forthvm why-not` does.

Exit status: 0 the move is legal, 1 it is not (or the script failed), 2 wrong usage."""
EPILOG = """\
examples:
  forthvm explain tictactoe b2
  forthvm explain chess "knight b1 - c3" --json
  forthvm explain my-game.4th "Pawn b7 - b6" --moves "Pawn a2 - a3"
"""


def declare(parser: argparse.ArgumentParser) -> None:
    """Declares the options that both commands have."""
    shared_options.add_game_options(parser)
    parser.add_argument(
        "move", metavar="MOVE", help="a move as `forthvm moves` lists it, or less (a2a4)"
    )
    shared_options.add_position_options(parser)
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument(
        "--time",
        type=option_values.seconds,
        default=QUESTION_SECONDS,
        metavar="SECONDS",
        help="what the whole answer may take; each run of the script is limited by --max-seconds, "
        f"too (default {QUESTION_SECONDS:g}; 0: no limit)",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    declare(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the answer."""
    from forthvm.core.errors import MoveError
    from forthvm.debug.explain.question import explain
    from forthvm.debug.why_not.question import why_not

    position = shared_options.make_position(shared_options.load_game(args), args)
    found: Explanation | WhyNot = why_not(position, args.move, seconds=args.time)
    if found.is_legal:
        with suppress(MoveError):  # a pass that the host makes comes from no word
            found = explain(position, args.move, seconds=args.time)
    return answer(args, found)


def answer(args: argparse.Namespace, found: Explanation | WhyNot) -> int:
    """Prints what was found; gives the exit status, which says whether the move is legal."""
    if args.json:
        shared_options.print_json(found.to_json())
    else:
        from forthvm.debug.line_wrapping import broken

        print(*broken(str(found), columns()), sep="\n")
    return OK if found.is_legal else FAILED
