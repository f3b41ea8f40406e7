"""The command line: `forthvm` and `python -m forthvm`.

Each subcommand has a module in commands/.  `main` imports only the module of the subcommand on the
command line, since importing all of them is slow.
"""

from __future__ import annotations

from forthvm.cli.app import main

__all__ = ["main"]
