"""`forthvm usi`: an engine for shogi programs with a board, over USI."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from forthvm.cli.protocol_input import OPTIONS, serve

if TYPE_CHECKING:
    import argparse

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs an engine for a shogi program, such as ShogiGUI.  The programs communicate over USI, the
Universal Shogi Interface, on standard input and standard output.  The script's output goes to
standard error."""
EPILOG = """\
examples:
  forthvm usi shogi
  forthvm usi shogi-mini --engine mcts:playouts=5000

docs/reference/protocols.md describes the commands, and which games are possible.
"""


def run(args: argparse.Namespace) -> int:
    """Runs commands until `quit` or the end of the input."""
    from forthvm.engines.protocols.uci.dialect import USI
    from forthvm.engines.protocols.uci.server import DialectServer

    return serve(args, partial(DialectServer, dialect=USI))
