"""`forthvm playground`: writes a static page on which games are written and played.

Owns the options; forthvm/web makes the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from forthvm.cli.files import file_errors
from forthvm.cli.options import Option
from forthvm.cli.status import OK, UsageError
from forthvm.system.files import removed_after_error

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Writes a page on which games are written and played in the browser: editor, console and board.

The page consists of static files, which any web server serves; it runs in the browser alone."""
EPILOG = """\
examples:
  forthvm playground -o site
  python -m http.server --directory site --bind 127.0.0.1
"""

OPTIONS = (
    Option("-o, --output DIR", Path, required=True,
        help="write the files into the folder DIR, which must be empty or not exist"),
    Option("--force", help="overwrite files in DIR"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Writes the page."""
    from forthvm.web.playground.static_page import write_playground

    folder: Path = args.output
    with file_errors("write", folder):
        if not args.force and folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty; --force overwrites files in it")
        with removed_after_error(folder):
            size = write_playground(folder)
    print(f"{folder}: {size / 1e6:.1f} MB")
    return OK
