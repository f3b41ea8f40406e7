"""Runs a line of the REPL in the debugger.

Owns the change from the REPL to the debugger; debugger_view.py draws the screen.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["debug_line"]


def debug_line(shell: Shell, text: str) -> None:
    """Run a line in the full-screen debugger, then undo the changes of the line.

    Raises:
        ForthVMError: there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ForthVMError("debug needs a terminal; forthvm debug --commands FILE does not")
    from forthvm.debug import Session
    from forthvm.debug.session import targets
    from forthvm.repl.debugger_view import DebuggerView

    target = targets.line_target(shell.session.vm, text, position=shell.session.position)
    with Session(target, output=shell.print) as session:
        DebuggerView(session).run()
    shell.print("left the debugger; the changes of the line are undone")
