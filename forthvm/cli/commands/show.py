"""`forthvm show`: draws a position.

Owns the choice between text on the screen and a picture in a file.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from forthvm.cli.files import output_file
from forthvm.cli.loading import load_position
from forthvm.cli.options import ASCII, EVERYTHING, GAME_OR_POSITION, LOADING, POSITION, Option

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = "Draws a position: by default the start of the game."
EPILOG = """\
examples:
  forthvm show splut
  forthvm show breakthrough --moves "Pawn a2 - a3"
  forthvm show rithmomachia --svg board.svg --explain
"""

OPTIONS = (
    GAME_OR_POSITION,
    *LOADING,
    *POSITION,
    "the output",
    Option("--svg FILE", Path, help="write a picture to FILE (-: standard output)"),
    Option("--explain", help="mark the squares of the script's remarks"),
    Option("--for-player PLAYER", help="draw what PLAYER sees in a game with hidden pieces"),
    ASCII,
    EVERYTHING,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Draws a position."""
    from forthvm import render
    from forthvm.cli import position_text
    from forthvm.cli.play.seats import choose_name
    from forthvm.cli.terminal import Screen

    position = load_position(args, unfinished=True)
    marks = (
        {remark.square for remark in position.remarks() if remark.square} if args.explain else set()
    )
    viewer = (
        None if args.for_player is None else choose_name(args.for_player, position.game.players)
    )
    if args.svg is None:
        screen = Screen(ascii_only=args.ascii, everything=args.everything)
        position_text.show_board(screen, position, viewer=viewer, marks=marks)
        screen.print(position_text.describe_turn(position))
        return 0
    title = f"{position.game.name}, ply {position.ply}"
    text = render.svg(
        position, title=title, for_player=viewer, marks=marks, everything=args.everything
    )
    with output_file(args.svg) as file:
        file.write(f"{text}\n")
    return 0
