"""Serving an engine to one other program: `forthvm ugi`, gtp, uci, usi, ucci and xboard.

Owns the texts of these commands, reading standard input with bounded memory, and ending the
process.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from forthvm.cli.loading import load_game
from forthvm.cli.options import GAME, LOADING, Option
from forthvm.cli.status import INTERRUPTED, OK
from forthvm.core.text.visible import visible_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from forthvm.engines.protocols.server import Server
    from forthvm.game import Game

__all__ = ["COMMANDS", "split_lines"]

_CHUNK_BYTES = 1 << 16
_MAX_LINE_BYTES = 64 << 20
"""The maximum length of a line in bytes, more than any position needs."""

_OPTIONS = (
    GAME,
    Option("--engine SPEC",
        help="the engine (default: negamax, with 1500 positions per move unless the other program "
        "sets a limit)"),
    *LOADING,
)  # fmt: skip
_PROTOCOLS = {
    "ugi": (
        "another program",
        "UGI, the Universal Game Interface",
        "forthvm ugi breakthrough",
        "forthvm ugi ur --engine mcts:playouts=5000",
        'forthvm run reversi --auto --engine "Black=ugi:forthvm ugi reversi --engine random"',
    ),
    "gtp": (
        "a Go program with a board, such as Sabaki or GoGui",
        "GTP, the Go Text Protocol",
        "forthvm gtp go",
        "forthvm gtp go-9x9 --engine mcts:playouts=1000",
    ),
    "uci": (
        "a chess program, such as Arena or cutechess",
        "UCI, the Universal Chess Interface",
        "forthvm uci chess",
        "forthvm uci makruk --engine mcts:playouts=5000",
        "cutechess-cli -engine cmd=forthvm arg=uci arg=chess -engine cmd=stockfish -each proto=uci "
        "tc=60+1",
    ),
    "usi": (
        "a shogi program, such as ShogiGUI",
        "USI, the Universal Shogi Interface",
        "forthvm usi shogi",
        "forthvm usi shogi-mini --engine mcts:playouts=5000",
    ),
    "ucci": (
        "a xiangqi program",
        "UCCI, the Universal Chinese Chess Interface",
        "forthvm ucci xiangqi",
        "forthvm ucci xiangqi --engine mcts:playouts=5000",
    ),
    "xboard": (
        "XBoard or WinBoard",
        "CECP, the Chess Engine Communication Protocol",
        "forthvm xboard chess",
        "forthvm xboard makruk --engine mcts:playouts=5000",
        'xboard -fcp "forthvm xboard chess" -scp fairymax',
    ),
}
"""By command: the programs that use it, the protocol, and examples."""


def _command(name: str, programs: str, protocol: str, *examples: str) -> SimpleNamespace:
    """Returns what the module of another command defines."""
    errors = "Messages and the script's output go" if name == "gtp" else "The script's output goes"
    reference = "docs/reference/protocols.md describes the commands, and which games are possible."
    if name == "ugi":
        reference = "docs/reference/ugi.md describes how moves and positions are written."
    return SimpleNamespace(
        DESCRIPTION=f"Runs an engine for {programs}.  The programs communicate over {protocol}, on "
        f"standard input and standard output.  {errors} to standard error.",
        EPILOG="\n".join(["examples:", *(f"  {line}" for line in examples), "", reference, ""]),
        OPTIONS=_OPTIONS,
        run=partial(_serve, name),
    )


def _server_of(name: str) -> Callable[[Game, Callable[[str], None], str], Server]:
    """Returns the class of the server of a command."""
    if name == "gtp":
        from forthvm.engines.protocols.gtp.server import GtpServer

        return partial(GtpServer, log=lambda text: print(visible_lines(text), file=sys.stderr))
    if name == "xboard":
        from forthvm.engines.protocols.xboard.server import XboardServer

        return XboardServer
    from forthvm.engines.protocols.uci import dialect
    from forthvm.engines.protocols.uci.server import DialectServer

    return partial(DialectServer, dialect=getattr(dialect, name.upper()))


def _serve(name: str, args: argparse.Namespace) -> int:
    """Executes commands of a protocol until `quit` or the end of the input."""
    from forthvm.engines.protocols.server import DEFAULT_ENGINE

    game = load_game(args)
    write_errors: list[OSError] = []

    def write(line: str) -> None:
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError as error:  # the other program closed the pipe; standard input will end, too
            write_errors.append(error)

    server = _server_of(name)(game, write, args.engine or DEFAULT_ENGINE)
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


COMMANDS = {name: _command(name, *row) for name, row in _PROTOCOLS.items()}
