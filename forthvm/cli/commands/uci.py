"""`forthvm uci`: an engine for programs with a board for chess and its relatives, over UCI."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from forthvm.cli.protocol_input import OPTIONS, serve

if TYPE_CHECKING:
    import argparse

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs an engine for a chess program, such as Arena or cutechess.  The programs communicate over UCI,
the Universal Chess Interface, on standard input and standard output.  The script's output goes to
standard error."""
EPILOG = """\
examples:
  forthvm uci chess
  forthvm uci makruk --engine mcts:playouts=5000
  cutechess-cli -engine cmd=forthvm arg=uci arg=chess -engine cmd=stockfish -each proto=uci tc=60+1

docs/reference/protocols.md describes the commands, and which games are possible.
"""


def run(args: argparse.Namespace) -> int:
    """Runs commands until `quit` or the end of the input."""
    from forthvm.engines.protocols.uci.dialect import UCI
    from forthvm.engines.protocols.uci.server import DialectServer

    return serve(args, partial(DialectServer, dialect=UCI))
