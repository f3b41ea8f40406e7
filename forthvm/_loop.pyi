"""Types of the extension module of native/python/loop.c, which is not there everywhere."""

from typing import Any

def install(make: int, kept: int, **classes: type) -> bool:
    """Replace push and pop of a class of positions; False: the slots cannot be seen."""

def moves(source: object, count: int) -> list[Any]:
    """Make so many Moves of a list."""
