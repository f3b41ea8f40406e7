"""Serving one other program on standard input and output, for commands that speak a protocol.

Owns the options, reading standard input with bounded memory, and ending the process.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from forthvm.cli.loading import load_game
from forthvm.cli.options import GAME, LOADING, Option
from forthvm.cli.status import INTERRUPTED, OK

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from forthvm.engines.protocols.server import Server
    from forthvm.game import Game

__all__ = ["OPTIONS", "serve", "split_lines"]

_CHUNK_BYTES = 1 << 16
_MAX_LINE_BYTES = 64 << 20
"""The maximum length of a line in bytes, more than any position needs."""

OPTIONS = (
    GAME,
    Option("--engine SPEC",
        help="the engine (default: negamax, with 1500 positions per move unless the other program "
        "sets a limit)"),
    *LOADING,
)  # fmt: skip


def serve(
    args: argparse.Namespace, server_of: Callable[[Game, Callable[[str], None], str], Server]
) -> int:
    """Executes commands of a protocol until `quit` or the end of the input.

    Args:
        args: The values of OPTIONS.
        server_of: Creates the server from the game, a function that writes a line, and the
            specification of the engine.
    """
    from forthvm.engines.protocols.server import DEFAULT_ENGINE

    game = load_game(args)
    write_errors: list[OSError] = []

    def write(line: str) -> None:
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError as error:  # the other program closed the pipe; standard input will end, too
            write_errors.append(error)

    server = server_of(game, write, args.engine or DEFAULT_ENGINE)
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
    from forthvm.engines.protocols.server import TOO_LONG

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
