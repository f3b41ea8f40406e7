"""`debug LINE`: a line of the REPL in the debugger.

Owns the switch from the REPL to the debugger; debugger_view.py has the screen.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["debug_line"]


def debug_line(shell: Shell, text: str) -> None:
    """Runs a line in the debugger, on the full screen; memory is as before afterwards.

    Raises:
        ForthVMError: there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ForthVMError("debug needs a terminal; forthvm debug --commands FILE does without")
    from forthvm.debug import Session
    from forthvm.debug.session import targets as target
    from forthvm.repl.debugger_view import DebuggerView

    line = target.line_target(shell.session.vm, text, position=shell.session.position)
    with Session(line, output=shell.say) as session:
        DebuggerView(session).run()
    shell.say("left the debugger: what the line did is taken back")
