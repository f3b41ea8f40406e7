"""`forthvm ugi`: the engines for other programs, over UGI.

Owns reading standard input with bounded memory, and the end of the process;
forthvm.engines.ugi.server interprets the lines.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from forthvm.cli import shared_options
from forthvm.cli.status import INTERRUPTED, OK

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Speaks UGI, the Universal Game Interface, on standard input and output, so that other programs
can let our engines play.  What the script prints goes to standard error."""
EPILOG = """\
examples:
  forthvm ugi breakthrough
  forthvm ugi ur --engine mcts:playouts=5000
  forthvm run reversi --auto --engine "Black=ugi:forthvm ugi reversi --engine random"

docs/reference/ugi.md describes how moves and positions are written.
"""
_CHUNK = 1 << 16
_MOST = 64 << 20
"""Bytes of the longest line: no position is longer."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser, saved=False)
    parser.add_argument(
        "--engine",
        metavar="SPEC",
        help="what plays (default: negamax, 1500 positions a move where the host sets no limit)",
    )


def run(args: argparse.Namespace) -> int:
    """Answers until `quit` or the end of the input."""
    from forthvm.engines.ugi.server import DEFAULT_ENGINE, Server

    game = shared_options.load_game(args)
    gone: list[OSError] = []

    def write(line: str) -> None:
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError as error:  # the host has closed the output; the input will end, too
            gone.append(error)

    server = Server(game, write, args.engine or DEFAULT_ENGINE)
    try:
        server.serve(_lines())
    finally:
        if not server.idle:  # a thread that cannot be stopped must not keep the process
            os._exit(INTERRUPTED if sys.exc_info()[0] else OK)
    if gone:
        raise gone[0]
    return OK


def _lines() -> Iterator[str]:
    """The lines of standard input, by whatever it is."""
    try:
        descriptor = sys.stdin.fileno()
    except (OSError, ValueError):  # replaced by something in memory
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    # Not through sys.stdin: a thread that waits inside it blocks the end of the interpreter.
    yield from cut_lines(iter(lambda: os.read(descriptor, _CHUNK), b""))


def cut_lines(chunks: Iterator[bytes]) -> Iterator[str]:
    """Lines from pieces; one that is too long is dropped, and `TOO_LONG` stands for it."""
    from forthvm.engines.ugi.server import TOO_LONG

    rest = bytearray()
    dropping = False
    for chunk in chunks:
        *whole, last = chunk.split(b"\n")
        for piece in whole:
            if not dropping:
                rest += piece
                yield rest.decode("utf-8", "replace").replace("\0", " ")
            dropping = False
            rest.clear()
        rest += b"" if dropping else last
        if len(rest) > _MOST:
            rest.clear()
            dropping = True
            yield TOO_LONG
    if rest:
        yield rest.decode("utf-8", "replace").replace("\0", " ")
