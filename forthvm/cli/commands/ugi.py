"""`forthvm ugi`: an engine for other programs, over UGI.

Owns reading standard input with bounded memory, and ending the process, also for `forthvm uci`;
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

    from forthvm.engines.ugi.dialect import Dialect

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run", "serve"]

DESCRIPTION = """\
Runs an engine for another program.  The programs communicate over UGI, the Universal Game
Interface, on standard input and standard output.  The script's output goes to standard error."""
EPILOG = """\
examples:
  forthvm ugi breakthrough
  forthvm ugi ur --engine mcts:playouts=5000
  forthvm run reversi --auto --engine "Black=ugi:forthvm ugi reversi --engine random"

docs/reference/ugi.md describes how moves and positions are written.
"""
_CHUNK_BYTES = 1 << 16
_MAX_LINE_BYTES = 64 << 20
"""The maximum length of a line in bytes, more than any position needs."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser, required=True)
    parser.add_argument(
        "--engine",
        metavar="SPEC",
        help="the engine (default: negamax, with 1500 positions per move unless the other program "
        "sets a limit)",
    )


def run(args: argparse.Namespace) -> int:
    """Runs commands until `quit` or the end of the input."""
    from forthvm.engines.ugi.dialect import UGI

    return serve(args, UGI)


def serve(args: argparse.Namespace, dialect: Dialect) -> int:
    """Runs commands of a protocol until `quit` or the end of the input."""
    from forthvm.engines.ugi.server import DEFAULT_ENGINE, Server

    game = shared_options.load_game(args)
    write_errors: list[OSError] = []

    def write(line: str) -> None:
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError as error:  # the other program closed the pipe; standard input will end, too
            write_errors.append(error)

    server = Server(game, write, args.engine or DEFAULT_ENGINE, dialect=dialect)
    try:
        server.serve(_lines())
    finally:
        if not server.idle:  # the thread of a search would keep the process alive
            os._exit(INTERRUPTED if sys.exc_info()[0] else OK)
    if write_errors:
        raise write_errors[0]
    return OK


def _lines() -> Iterator[str]:
    """Yields the lines of standard input."""
    try:
        descriptor = sys.stdin.fileno()
    except (OSError, ValueError):  # standard input has no descriptor, as in tests
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    # A thread that waits in sys.stdin would block the exit of the interpreter.
    yield from split_lines(iter(lambda: os.read(descriptor, _CHUNK_BYTES), b""))


def split_lines(chunks: Iterator[bytes]) -> Iterator[str]:
    """Splits chunks into lines; yields `TOO_LONG` in place of a line that is too long."""
    from forthvm.engines.ugi.server import TOO_LONG

    line = bytearray()
    skipping = False
    for chunk in chunks:
        *complete, last = chunk.split(b"\n")
        for part in complete:
            if not skipping:
                line += part
                yield line.decode("utf-8", "replace").replace("\0", " ")
            skipping = False
            line.clear()
        line += b"" if skipping else last
        if len(line) > _MAX_LINE_BYTES:
            line.clear()
            skipping = True
            yield TOO_LONG
    if line:
        yield line.decode("utf-8", "replace").replace("\0", " ")
