"""`forthvm xboard`: an engine for XBoard and other programs with a board, over CECP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.cli.protocol_input import OPTIONS, serve

if TYPE_CHECKING:
    import argparse

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs an engine for XBoard or WinBoard.  The programs communicate over CECP, the Chess Engine
Communication Protocol, on standard input and standard output.  The script's output goes to
standard error."""
EPILOG = """\
examples:
  forthvm xboard chess
  forthvm xboard makruk --engine mcts:playouts=5000
  xboard -fcp "forthvm xboard chess" -scp fairymax

docs/reference/protocols.md describes the commands, and which games are possible.
"""


def run(args: argparse.Namespace) -> int:
    """Runs commands until `quit` or the end of the input."""
    from forthvm.engines.protocols.xboard.server import XboardServer

    return serve(args, XboardServer)
