"""Status codes and phases of the C core.

Owns the two enumerations; their numbers are those of native/include/forthvm.h.
"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Phase", "Status"]


class Status(IntEnum):
    """Result of a C function; the numbers are those of `fvm_status`."""

    OK = 0
    STACK_UNDERFLOW = 1
    STACK_OVERFLOW = 2
    RETURN_UNDERFLOW = 3
    RETURN_OVERFLOW = 4
    ADDRESS = 5
    DIVISION = 6
    UNDEFINED = 7
    BAD_CODE = 8
    UNSET_DEFER = 9
    ABORT = 10
    QUIT = 11
    MESSAGE = 12
    STEPS = 13
    TIME = 14
    INTERRUPT = 15
    MEMORY = 16
    NESTING = 17
    CONTROL = 18
    SECTION = 19
    LIMIT = 20
    CONTEXT = 21
    MOVE = 22
    MOVE_TEXT = 23
    PARTIAL = 24
    NO_MOVE = 25
    END_OF_SOURCE = 26
    HOST = 27
    NO_FILE = 28
    LIBRARY = 29
    BOUNDS = 30
    NO_GAME = 31
    STOPPED = 32
    THROW = 33


class Phase(IntEnum):
    """What the VM was doing for its host; the numbers are those of `fvm_phase`."""

    INTERPRET = 0
    CALL = 1
    NEW_GAME = 2
    GENERATE = 3
    APPLY = 4
    GAME_OVER = 5
    NEXT_TURN = 6
    EVALUATE = 7
    SEARCH = 8
