"""The command line: `forthvm` and `python -m forthvm`.

One module a subcommand; `main` imports only the one that was asked for, because a person
waits for it.
"""

from __future__ import annotations

from forthvm.cli.app import main

__all__ = ["main"]
