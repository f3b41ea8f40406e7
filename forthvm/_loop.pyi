"""Types of the extension module of native/python, which is not there everywhere."""

from threading import RLock as Lock
from typing import Any

__all__ = ["Lock", "install", "moves"]

def install(make: int, steps: int, kept: int, **classes: type) -> bool:
    """Replace push and pop of a class of positions; False: the slots cannot be seen."""

def moves(source: object, count: int) -> list[Any]:
    """Make so many Moves of a list."""
