"""`forthvm convert`: writes a rule file (.zrf) as ForthScript, or games as text.

Owns the choice of the output.  Delegates the compilation of rules to forthvm.zrf, and the writing
of games to play/game_conversion.py.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

from forthvm.cli.files import new_file
from forthvm.cli.loading import variant_of
from forthvm.cli.options import INCLUDE, PLAYED, SETTING, TRUST, Option
from forthvm.cli.status import OK, UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Writes a rule file of Zillions of Games as a ForthScript game that plays identically.  The script
needs only the library, so authors can go on with the game in ForthScript.

If FILE or the output ends in .pgn, .sgf (Go), .pdn (draughts) or .kif (shogi), writes games in this
format: all games of a match, a saved game of Zillions (.zsg), or the games of such a file whose
moves are legal.  A table at the end tells how much was left out, and why.
"""
EPILOG = """\
examples:
  forthvm convert mygame.zrf
  forthvm convert mygame.zrf --variant "Small board" -o small.4th
  forthvm convert results.db -o games.pgn
  forthvm convert games.pgn -o legal.pgn
  forthvm convert games.sgf -o games.pgn
"""

OPTIONS = (
    Option("FILE", Path, help="a rule file (.zrf), or a file of games"),
    Option("--variant T", help="title of a variant, or its number from 0 (default: FILE's)"),
    PLAYED,
    SETTING,
    INCLUDE,
    Option("-o, --output FILE", Path, help="write FILE (default: standard output)"),
    Option("--force", help="overwrite an existing FILE"),
    TRUST,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Converts a file."""
    from forthvm.cli.play.game_replay import record_format
    from forthvm.game.records.formats import format_of

    source = record_format(args)
    form = (format_of(args.output) if args.output else None) or source
    if form is not None:
        from forthvm.cli.play.game_conversion import write_games

        with ExitStack() as stack:  # the file is created with the first game
            return write_games(
                args.file,
                form,
                lambda: stack.enter_context(_opened(args)) if args.output else sys.stdout.buffer,
                played=args.game,
                trust=args.trust,
            )
    from forthvm.zrf.loading import compile_file

    variant = variant_of(args.variant)
    compiled = compile_file(args.file, variant, dict(args.set), include=args.include)
    script = compiled.script
    if script is None:
        raise UsageError(f"the rules are ForthScript already: {compiled.plugin_script}")
    if args.output is None:
        sys.stdout.write(script.text.decode())
        return OK
    with _opened(args) as output:
        output.write(script.text)
    return OK


def _opened(args: argparse.Namespace) -> AbstractContextManager[IO[bytes]]:
    """Opens the output.

    Raises:
        UsageError: It exists already, is the file to convert, or cannot be written.
    """
    if args.output.exists() and args.output.samefile(args.file):
        raise UsageError(f"{args.output} is the file to convert: -o FILE names another file")
    return new_file(args.output, force=args.force)
