"""A place to write, understand and repair games: `forthvm repl`.

`Session` is what a person works with (a VM, perhaps a game in play, what can be taken back),
`Shell` obeys lines, and terminal.py and batch.py feed it from a person or from a pipe.  None
of the first two knows a terminal, so that other front ends can use them.
"""

from __future__ import annotations

from .session import Session
from .shell import LeaveError, Shell

__all__ = ["LeaveError", "Session", "Shell"]
