"""`forthvm lsp`: the language server, for editors.

Owns the standard streams, which carry the protocol, and ending the process.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys

from forthvm.cli.options import Option
from forthvm.cli.status import OK, UsageError

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Runs the language server for ForthScript (.4th) and rule files of Zillions (.zrf).  Editors start
it, and communicate with it over the Language Server Protocol on standard input and output.  It
needs the extra `lsp`: pip install 'forthvm[lsp]'."""
EPILOG = """\
examples:
  forthvm lsp

docs/guides/editors.md has the settings for Neovim, Emacs, Helix and Sublime Text."""

_SWITCH_SECONDS = 0.0005
"""How long the thread of an analysis may delay an answer each time that both threads are ready."""

_OBJECTS = 50_000
"""New objects before a search for garbage; an analysis makes many objects that stay in use."""

OPTIONS = (
    Option("--stdio", help="use the standard streams (always so; for editors)"),
)  # fmt: skip


def run(_: argparse.Namespace) -> int:
    """Serves one editor until it ends the connection."""
    try:
        from forthvm.editor.language_server.handlers import make_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(
            "the language server needs the extra `lsp`: pip install 'forthvm[lsp]'"
        ) from error
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.set_threshold(_OBJECTS)
    server = make_server()
    try:
        server.start_io()
    finally:
        sys.stderr.flush()
        os._exit(OK)  # the thread of an analysis would keep the process alive
