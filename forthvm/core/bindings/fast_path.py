"""What the extension `forthvm._loop` looks at before it makes a loop's move at once.

Owns these attributes' having slots, so that C finds them, and what the extension has in place
of something of Python's.  It must not know what they are for.  FORTHVM_LOOP=python does without
the extension.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import RLock

    from .clib import Host

__all__ = ["EXTENDED", "Gate", "new_lock", "place"]


def _is_extended() -> bool:
    if os.environ.get("FORTHVM_LOOP") == "python":
        return False
    try:
        from forthvm._loop import Lock  # noqa: F401 - whether it can be
    except ImportError:  # it was not built here
        return False
    return True


EXTENDED = _is_extended()
"""Whether the extension is there and wanted."""


def _lock_maker() -> Callable[[], RLock]:
    """What makes locks: the extension's are free to look at for its own code."""
    if EXTENDED:
        from forthvm._loop import Lock

        return Lock
    from threading import RLock

    return RLock


def _placer() -> Callable[[int], object]:
    if EXTENDED:
        from forthvm._loop import place

        return place
    return int


new_lock = _lock_maker()
place = _placer()
"""Makes of an address in C what the extension reads at once."""


class Gate:
    """Of a VM.

    Attributes:
        host: The hooks.
        on_touch: Called before anybody looks at memory or changes it, where somebody left
            something there that he still has to save; None: nobody did.
        _address: Where C has it.
        _brief: The move that was made last took so few steps that no other thread need run
            meanwhile.
        _depth: Operations under way, one inside the other.
        _lock: Held by whoever uses it.
        _ready: Whether a run may begin without anything to be done before.
    """

    __slots__ = ("_address", "_brief", "_depth", "_lock", "_ready", "host", "on_touch")

    host: Host
    on_touch: Callable[[], None] | None
    _address: object
    _brief: bool
    _depth: int
    _lock: RLock
    _ready: bool
