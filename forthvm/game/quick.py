"""Loops that make and take back every move, at the speed of C where that is there.

Owns whether the extension `forthvm._loop` is used.  It does what `Position.push`, `pop` and
`MoveList` do on the way of such a loop and leaves everything else to them, so nothing may show
but the speed.  FORTHVM_LOOP=python does without it.
"""

from __future__ import annotations

import os

from forthvm.core.border import LOOP_FUNCTIONS, Gate, Placed

from .moves import Move, MoveList, Source
from .states import State, States

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .position import Played, Position

__all__ = ["hasten"]


def hasten(position: type[Position], played: type[Played], kept: int) -> bool:
    """Make push and pop of positions quick; False: they are as they were.

    It counts on CPython: on how objects with __slots__ lie in memory, which the extension finds
    out and would not believe otherwise.
    """
    if os.environ.get("FORTHVM_LOOP") == "python":
        return False
    try:
        from forthvm._loop import install, moves
    except ImportError:  # it was not built here
        return False
    done = install(
        *LOOP_FUNCTIONS,
        kept,
        position=position,
        move=Move,
        source=Source,
        state=State,
        states=States,
        machine=Gate,
        snapshot=Placed,
        played=played,
    )
    if done:
        MoveList.make = staticmethod(moves)
    return done
