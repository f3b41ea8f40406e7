"""`forthvm explain`: explains how a move is generated, or why it is not legal.

Owns the choice between the two explanations, and the output.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.cli.loading import load_position
from forthvm.cli.options import GAME_OR_POSITION, LOADING, POSITION, Option, seconds
from forthvm.cli.status import FAILED, OK
from forthvm.cli.terminal import columns, print_json

if TYPE_CHECKING:
    from forthvm.debug.explain.query import Explanation
    from forthvm.debug.why_not.refusals import WhyNot

DEFAULT_SECONDS = 10.0
"""The default time limit; equal to that of debug/generation/time_limit.py, slow to import."""

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "print_explanation", "run"]

DESCRIPTION = """\
Explains how a move is generated: the word that adds it, the decisions on the path through that
word, and the code that the move compiles to.  If the move is not legal, explains why, as
`forthvm why-not` does.

Exit status: 0 if the move is legal, 1 if it is not or the script failed, 2 for wrong usage."""
EPILOG = """\
examples:
  forthvm explain tictactoe b2
  forthvm explain chess "knight b1 - c3" --json
  forthvm explain my-game.4th "Pawn b7 - b6" --moves "Pawn a2 - a3"
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("MOVE", help="a move as `forthvm moves` lists it, or its squares (a2a4)"),
    Option("--json", help="print the explanation as JSON"),
    Option("--time SECONDS", seconds, DEFAULT_SECONDS,
        help="limit of time for the explanation; --max-seconds also limits each run of the script "
        f"(default {DEFAULT_SECONDS:g}; 0: no limit)"),
    *LOADING,
    *POSITION,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the explanation."""
    from forthvm.core.errors import MoveError
    from forthvm.debug.explain.query import explain
    from forthvm.debug.why_not.query import why_not

    position = load_position(args)
    explanation: Explanation | WhyNot = why_not(position, args.move, seconds=args.time)
    if explanation.is_legal:
        with suppress(MoveError):  # the move is a pass that the host makes; no word generates it
            explanation = explain(position, args.move, seconds=args.time)
    return print_explanation(args, explanation)


def print_explanation(args: argparse.Namespace, explanation: Explanation | WhyNot) -> int:
    """Prints an explanation; returns exit status 0 if the move is legal, else 1."""
    if args.json:
        print_json(explanation.to_json())
    else:
        from forthvm.core.text.wording import wrap_report

        print(*wrap_report(str(explanation), columns()), sep="\n")
    return OK if explanation.is_legal else FAILED
