"""`forthvm show`: draws a position.

Owns the choice between text on the screen and a picture in a file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from forthvm.cli import shared_options
from forthvm.cli.status import UsageError
from forthvm.system.files import failure_reason

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = "Draws a position: by default the start of the game."
EPILOG = """\
examples:
  forthvm show splut
  forthvm show breakthrough --moves "Pawn a2 - a3"
  forthvm show rithmomachia --svg board.svg --explain
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser)
    shared_options.add_position_options(parser)
    group = parser.add_argument_group("the output")
    group.add_argument(
        "--svg", type=Path, metavar="FILE", help="write a picture to FILE (-: standard output)"
    )
    group.add_argument(
        "--explain", action="store_true", help="mark the squares of the script's remarks"
    )
    group.add_argument(
        "--for-player", metavar="PLAYER", help="draw what PLAYER sees in a game with hidden pieces"
    )
    group.add_argument("--ascii", action="store_true", help="print ASCII characters only")
    shared_options.add_everything_option(group)


def run(args: argparse.Namespace) -> int:
    """Draws a position."""
    from forthvm import render
    from forthvm.cli import position_text
    from forthvm.cli.play.seats import choose_name
    from forthvm.cli.terminal import Screen

    game = shared_options.load_game(args, unfinished=True)
    position = shared_options.make_position(game, args)
    marks = (
        {remark.square for remark in position.remarks() if remark.square} if args.explain else set()
    )
    viewer = None if args.for_player is None else choose_name(args.for_player, game.players)
    if args.svg is None:
        screen = Screen(ascii_only=args.ascii, everything=args.everything)
        position_text.show_board(screen, position, viewer=viewer, marks=marks)
        screen.print(position_text.describe_turn(position))
        return 0
    title = f"{game.name}, ply {position.ply}"
    text = render.svg(
        position, title=title, for_player=viewer, marks=marks, everything=args.everything
    )
    if str(args.svg) == "-":
        sys.stdout.write(f"{text}\n")
        return 0
    try:
        args.svg.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {args.svg}: {failure_reason(error)}") from error
    return 0
