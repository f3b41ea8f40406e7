"""`forthvm why-not`, and `why-not` at the prompt of `forthvm run`: explain why a move is not legal.

Owns the output for players; the options and the output for authors are those of `forthvm explain`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from forthvm.cli.commands.explain import OPTIONS, print_explanation
from forthvm.cli.loading import load_position
from forthvm.core.text.wording import unbroken, wrapped

if TYPE_CHECKING:
    from forthvm.game import Position

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run", "why_not_lines"]

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

_AUTHORS_OPTION = "--script"


def run(args: argparse.Namespace) -> int:
    """Prints the explanation."""
    from forthvm.debug.why_not.query import why_not

    position = load_position(args)
    return print_explanation(args, why_not(position, args.move, seconds=args.time))


def why_not_lines(position: Position, argument: str, width: int) -> list[str]:
    """Returns the reason why a move is not legal; `--script` in the argument quotes the script.

    Raises:
        ForthVMError: the script fails.
    """
    from forthvm.debug.why_not.query import why_not

    words = argument.split()
    for_authors = _AUTHORS_OPTION in words
    text = " ".join(word for word in words if word != _AUTHORS_OPTION)
    if not text:
        return [f"MOVE is missing: why-not MOVE; why-not MOVE {_AUTHORS_OPTION} quotes the script."]
    try:
        explanation = why_not(position, text)
    except KeyboardInterrupt:  # ends the analysis, not the game
        return ["Stopped."]
    if for_authors:
        from forthvm.core.text.wording import wrap_report

        return list(wrap_report(str(explanation), width))
    from forthvm.debug.why_not.player_text import describe_for_players

    lines = describe_for_players(explanation, position)
    return [part for line in lines for part in wrapped(_with_unbroken_moves(line), width)]


def _with_unbroken_moves(line: str) -> str:
    """Returns a line in which quoted moves have non-breaking blanks."""
    parts = line.split("`")
    return "`".join(unbroken(part) if at % 2 else part for at, part in enumerate(parts))
