"""Pauses the garbage collector while many objects are made.

Owns nothing else.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["uncollected"]

_MANY = 100_000  # new objects that are worth the search for frozen ones


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the search for cyclic garbage inside a block.

    Reading a large file makes a million objects that all stay in use.  The collector would look at
    them again and again, which more than doubled the time.  At the end they count as old objects,
    so that the next collection does not look at all of them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Counting the objects that a program has frozen on purpose takes long.
            if gc.get_count()[0] > _MANY and gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()
