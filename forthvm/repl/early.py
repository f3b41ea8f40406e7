"""The first prompt, painted before the editor is loaded.

Owns the terminal until the first line has been read.  The editor takes a tenth of a second to
load; what is typed meanwhile is kept for it, and it paints the same prompt over this one.
"""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["early_prompt"]


@contextmanager
def early_prompt(prompt: str) -> Iterator[Callable[[], None]]:
    """Show a prompt while the editor is loaded.

    Gives a function that puts the terminal right; to be called when the editor has read a line,
    and not before: a change back to whole lines would lose what was typed.
    """
    try:
        import termios
    except ImportError:  # Windows
        yield _nothing
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    waiting = termios.tcgetattr(descriptor)
    waiting[3] &= ~(termios.ECHO | termios.ICANON)

    def restore() -> None:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)

    # Nothing that is made while modules load is garbage: looking for it costs a tenth of it.
    gc.disable()
    termios.tcsetattr(descriptor, termios.TCSANOW, waiting)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        yield restore
    finally:
        gc.enable()
        restore()


def _nothing() -> None:
    """There is nothing to put right."""
