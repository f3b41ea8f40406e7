"""What the extension `forthvm._loop` looks at before it makes a loop's move at once.

Owns these attributes' having slots, so that C finds them.  It must not know what they are for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Gate", "Placed"]


class Gate:
    """Of a VM.

    Attributes:
        _acquire: Of its lock, as `_release`.
        _address: Where C has it.
        _depth: Operations under way, one inside the other.
        _ready: Whether a run may begin without anything to be done before.
    """

    __slots__ = ("_acquire", "_address", "_depth", "_ready", "_release")

    _acquire: Callable[[bool], bool]
    _address: int
    _depth: int
    _ready: bool
    _release: Callable[[], None]


class Placed:
    """Of a snapshot.

    Attributes:
        _address: Where C has it, once a move has been made from there.
    """

    __slots__ = ("_address",)

    _address: int
