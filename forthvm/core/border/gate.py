"""What the extension `forthvm._loop` looks at before it makes a loop's move at once.

Owns these attributes' having slots, so that C finds them.  It must not know what they are for.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import RLock

__all__ = ["Gate", "Placed", "new_lock"]


def _lock_maker() -> Callable[[], RLock]:
    """What makes locks: the extension's are free to look at for its own code.

    FORTHVM_LOOP=python does without it.
    """
    if os.environ.get("FORTHVM_LOOP") != "python":
        try:
            from forthvm._loop import Lock
        except ImportError:  # it was not built here
            pass
        else:
            return Lock
    from threading import RLock

    return RLock


new_lock = _lock_maker()


class Gate:
    """Of a VM.

    Attributes:
        _address: Where C has it.
        _brief: The move that was made last took so few steps that no other thread need run
            meanwhile.
        _depth: Operations under way, one inside the other.
        _lock: Held by whoever uses it.
        _ready: Whether a run may begin without anything to be done before.
    """

    __slots__ = ("_address", "_brief", "_depth", "_lock", "_ready")

    _address: int
    _brief: bool
    _depth: int
    _lock: RLock
    _ready: bool


class Placed:
    """Of a snapshot.

    Attributes:
        _address: Where C has it, once a move has been made from there.
    """

    __slots__ = ("_address",)

    _address: int
