"""`forthvm gtp`: an engine for Go programs with a board, over GTP."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from forthvm.cli.protocol_input import OPTIONS, serve
from forthvm.core.text.visible import visible_lines

if TYPE_CHECKING:
    import argparse

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs an engine for a Go program with a board, such as Sabaki or GoGui.  The programs communicate
over GTP, the Go Text Protocol, on standard input and standard output.  Messages and the script's
output go to standard error."""
EPILOG = """\
examples:
  forthvm gtp go
  forthvm gtp go-9x9 --engine mcts:playouts=1000

docs/reference/protocols.md describes the commands, and which games are possible.
"""


def run(args: argparse.Namespace) -> int:
    """Runs commands until `quit` or the end of the input."""
    from forthvm.engines.protocols.gtp.server import GtpServer

    def log(text: str) -> None:
        print(visible_lines(text), file=sys.stderr)

    return serve(args, partial(GtpServer, log=log))
