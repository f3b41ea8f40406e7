"""`forthvm moves`: lists the legal moves of a position.

Owns the output, as text and as JSON.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from forthvm.cli.loading import load_position
from forthvm.cli.options import GAME_OR_POSITION, LOADING, POSITION, Option
from forthvm.cli.terminal import print_json
from forthvm.core.text.visible import visible

if TYPE_CHECKING:
    from forthvm.game import Outcome, Position

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = (
    "Lists the legal moves of a position, one per line, in the order of the original engine."
)
EPILOG = """\
examples:
  forthvm moves tictactoe
  forthvm moves my-game.4th --moves "Pawn a2 - a3; Pawn b7 - b6" --json
  forthvm moves splut --position saved.json
  forthvm moves rithmomachia --explain
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("--explain",
        help="show the board and the script's remarks, for example which pieces are attacked"),
    Option("--json", help="print the list as JSON"),
    *LOADING,
    *POSITION,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the moves."""
    position = load_position(args)
    if args.json:
        document = _document(position)
        if args.explain:
            document["remarks"] = [vars(remark) for remark in position.remarks()]
        print_json(document)
        return 0
    if args.explain:
        return _explain(position)
    if position.result is not None:
        print(f"the game is over: {position.result}", file=sys.stderr)
        return 0
    moves = position.legal_moves
    if not moves:
        print(f"{position.turn} has no legal move", file=sys.stderr)
    print("".join(f"{visible(str(move))}\n" for move in moves), end="")
    return 0


def _explain(position: Position) -> int:
    from forthvm.cli.position_text import show_remarks
    from forthvm.cli.terminal import Screen

    if not show_remarks(Screen(), position):
        has_hook = position._loaded.vm.find("OnExplain") is not None
        text = "no remarks about this position" if has_hook else "this game makes no remarks"
        print(text, file=sys.stderr)
    return 0


def _document(position: Position) -> dict[str, object]:
    result = position.result
    return {
        "game": position.game.name,
        "ply": position.ply,
        "turn": position.turn,
        "moves": [] if result else [str(move) for move in position.legal_moves],
        "result": None if result is None else outcome(result),
    }


def outcome(result: Outcome) -> dict[str, object]:
    """Returns an outcome as a JSON object."""
    return dict(vars(result))
