"""Types of the extension module of native/python, which is not there everywhere."""

from collections.abc import Callable
from threading import RLock as Lock
from typing import Any

__all__ = ["Held", "Lock", "hold", "install", "place"]

class Held:
    """What owns a saved state in C."""

    def __init__(self, native: object, pointer: object) -> None: ...

def hold(
    free: int,
    address_of: Callable[[Any], int],
    pointer_to: Callable[[int], object],
    machine: type,
) -> bool:
    """Say what snapshots are freed and seen by; False: the slots cannot be seen."""

def install(
    functions: tuple[int, ...],
    stages: tuple[int, ...],
    decided: frozenset[int],
    kept: int,
    **classes: type,
) -> bool:
    """Replace methods of positions and lists; False: the slots cannot be seen."""

def place(address: int) -> object:
    """What holds the address of a VM for C."""
