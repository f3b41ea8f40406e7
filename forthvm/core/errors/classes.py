"""The exception class for each status of the C core.

This file owns only the table; the classes and their messages are in __init__.py.
"""

from __future__ import annotations

from forthvm.core.failure import ForthVMError
from forthvm.core.status import Status

from . import (
    Aborted,
    AddressError,
    BadCodeError,
    BoundsError,
    ContextError,
    ControlStructureError,
    DivisionError,
    EndOfSource,
    EngineStopped,
    HostWordError,
    Interrupted,
    LibraryError,
    LimitExceeded,
    MemoryLimitExceeded,
    MoveBuildError,
    MoveTextError,
    NestingTooDeep,
    NoGameError,
    NoMoveError,
    PartialMoveTextError,
    ReturnStackOverflow,
    ReturnStackUnderflow,
    ScriptFileNotFound,
    ScriptMessage,
    ScriptQuit,
    SectionError,
    StackOverflow,
    StackUnderflow,
    StepLimitExceeded,
    TimeLimitExceeded,
    UncaughtThrow,
    UndefinedWord,
    UnsetDefer,
)

__all__ = ["class_for"]

_CLASSES: dict[Status, type[ForthVMError]] = {
    Status.STACK_UNDERFLOW: StackUnderflow,
    Status.STACK_OVERFLOW: StackOverflow,
    Status.RETURN_UNDERFLOW: ReturnStackUnderflow,
    Status.RETURN_OVERFLOW: ReturnStackOverflow,
    Status.ADDRESS: AddressError,
    Status.DIVISION: DivisionError,
    Status.UNDEFINED: UndefinedWord,
    Status.BAD_CODE: BadCodeError,
    Status.UNSET_DEFER: UnsetDefer,
    Status.ABORT: Aborted,
    Status.QUIT: ScriptQuit,
    Status.MESSAGE: ScriptMessage,
    Status.STEPS: StepLimitExceeded,
    Status.TIME: TimeLimitExceeded,
    Status.INTERRUPT: Interrupted,
    Status.MEMORY: MemoryLimitExceeded,
    Status.NESTING: NestingTooDeep,
    Status.CONTROL: ControlStructureError,
    Status.SECTION: SectionError,
    Status.LIMIT: LimitExceeded,
    Status.CONTEXT: ContextError,
    Status.MOVE: MoveBuildError,
    Status.MOVE_TEXT: MoveTextError,
    Status.PARTIAL: PartialMoveTextError,
    Status.NO_MOVE: NoMoveError,
    Status.END_OF_SOURCE: EndOfSource,
    Status.HOST: HostWordError,
    Status.NO_FILE: ScriptFileNotFound,
    Status.LIBRARY: LibraryError,
    Status.BOUNDS: BoundsError,
    Status.NO_GAME: NoGameError,
    Status.STOPPED: EngineStopped,
    Status.THROW: UncaughtThrow,
}


def class_for(status: Status) -> type[ForthVMError]:
    """Return the exception class for a status."""
    return _CLASSES.get(status, ForthVMError)
