"""`forthvm ugi`: an engine for other programs, over UGI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.cli.protocol_input import OPTIONS, serve

if TYPE_CHECKING:
    import argparse

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

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


def run(args: argparse.Namespace) -> int:
    """Runs commands until `quit` or the end of the input."""
    from forthvm.engines.protocols.uci.server import DialectServer

    return serve(args, DialectServer)
