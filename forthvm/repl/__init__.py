"""The REPL: `forthvm repl`.

`Session` is the state: a VM, an optional game in play, and the undo list.  `Shell` runs lines
in a session.  `prompt.terminal` and `batch` pass lines from a terminal or a pipe to the shell.
`Session` and `Shell` do not depend on a terminal, so other front ends can use them.
"""

from __future__ import annotations

from forthvm.repl.session import Session
from forthvm.repl.shell import LeaveError, Shell

__all__ = ["LeaveError", "Session", "Shell"]
