"""`forthvm dap`: the debug adapter, for editors.

Owns the streams of the protocol: the standard streams, or a port, and the token of the port.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from typing import TYPE_CHECKING

from forthvm.cli import serving
from forthvm.cli.options import Option, integer
from forthvm.cli.status import OK, UsageError

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs the debug adapter for ForthScript (.4th) and rule files of Zillions (.zrf).  Editors start it,
and communicate with it over the Debug Adapter Protocol on standard input and output, or over a
port of this computer.

Other programs of this computer, and web pages in its browser, reach the port, too.  Nothing is done
for them: the `launch` of an editor needs the token that the command prints, or that the environment
variable FORTHVM_DAP_TOKEN contains, as its argument `token`."""
EPILOG = """\
examples:
  forthvm dap
  forthvm dap --port 4711

docs/guides/debugging-in-an-editor.md describes breakpoints, configurations and editors."""

_TOKEN = "FORTHVM_DAP_TOKEN"
_SHORTEST_TOKEN = 16

OPTIONS = (
    Option("--port N", integer(0, 65535),
        help="wait for one editor at this port (0: a free port, which is printed)"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Serves one editor until it ends the connection."""
    if args.port is None:
        _serve(sys.stdin.buffer, _protocol_output())
    else:
        _serve_port(args.port)
    return OK


def _serve(reader: BinaryIO, writer: BinaryIO) -> None:
    from forthvm.editor.debug_adapter.messages import Connection
    from forthvm.editor.debug_adapter.server import serve

    serve(Connection(reader, writer))


def _protocol_output() -> BinaryIO:
    """Returns standard output for the protocol; anything else that is printed goes to stderr."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def _serve_port(port: int) -> None:
    from forthvm.editor.debug_adapter.port import serve_port

    token = os.environ.get(_TOKEN)
    if token is not None and len(token) < _SHORTEST_TOKEN:
        raise UsageError(f"{_TOKEN} needs at least {_SHORTEST_TOKEN} characters")
    with serving.listen(serving.LOOPBACK, port) as listener:
        print(
            f"waiting for an editor at {serving.LOOPBACK}:{listener.getsockname()[1]}", flush=True
        )
        if token is None:
            token = secrets.token_urlsafe(_SHORTEST_TOKEN)
            print(f"token: {token}", flush=True)
        serve_port(listener, token)
