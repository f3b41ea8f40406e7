"""The command line: `forthvm` and `python -m forthvm`.

Each subcommand has a module in commands/.  `main` imports only the module of the subcommand on the
command line, since importing all of them is slow.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm.cli.status import INTERRUPTED
from forthvm.system.console import interrupt_by_break

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit status."""
    interrupt_by_break()
    try:
        from forthvm.cli.app import main as run
    except KeyboardInterrupt:  # Ctrl-C while the command starts; `run` handles it later
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED
    return run(argv)
