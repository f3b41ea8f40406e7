"""Loops that make and take back every move, at the speed of C where that is there.

Owns whether the extension `forthvm._loop` is used.  It does what `Position.legal_moves`, `push`
and `pop`, `States.moves_of` and `MoveList` do on the way of such a loop and leaves everything
else to them, so nothing may show but the speed.  FORTHVM_LOOP=python does without it.
"""

from __future__ import annotations

from forthvm.core.bindings import EXTENDED, LOOP_FUNCTIONS, Gate, Host, Snapshot

from .moves import Move, MoveList, Source
from .outcome import DECIDED
from .states import STAGES, State, States

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .played import Played
    from .position import Position

__all__ = ["hasten"]


def hasten(position: type[Position], played: type[Played], kept: int) -> bool:
    """Make loops over moves of positions quick; False: all is as it was.

    It counts on CPython: on how objects with __slots__ lie in memory, which the extension finds
    out and would not believe otherwise.
    """
    if not EXTENDED:
        return False
    from forthvm._loop import install

    return install(
        LOOP_FUNCTIONS,
        STAGES,
        DECIDED,
        kept,
        position=position,
        move=Move,
        moves=MoveList,
        source=Source,
        state=State,
        states=States,
        machine=Gate,
        host=Host,
        snapshot=Snapshot,
        played=played,
    )
