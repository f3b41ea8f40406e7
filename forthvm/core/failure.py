"""The base class of all errors, with structured fields.

This file owns ForthVMError, and the code that makes its message from the fields.  Delegates the
layout of a full report to errors/report.py; the other classes are in errors/__init__.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .text.visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypedDict, Unpack

    from .location import Frame, GameContext, Location
    from .status import Phase, Status

    class ErrorFields(TypedDict, total=False):
        """The structured fields of ForthVMError, which documents them."""

        status: Status | None
        word: str | None
        detail: str
        value: int
        trace: Sequence[Frame]
        calls: int
        location: Location | None
        phase: Phase | None
        game_context: GameContext | None
        loads: Sequence[Location]
        steps: int
        hints: Sequence[str]


__all__ = ["ForthVMError", "NotBuiltError", "Unwinding"]


class Unwinding(BaseException):
    """Unwinds all running code, user code included, for example to leave a debugger session.

    Callbacks of forthvm, which the C core calls during a run, raise this exception.  Handlers for
    exceptions of user code do not catch it, as they do not catch KeyboardInterrupt.
    """


class ForthVMError(Exception):
    """Base class of all errors of forthvm.  The message is made from the fields.

    Attributes:
        status: The status that the C core returned, None if no VM was running.
        word: Name of the word that failed.
        detail: Text that belongs to the status: an unknown name, a script's own message.
        value: Number that belongs to the status: an address, an index, a cell.
        trace: Open calls, innermost first.
        calls: Number of open calls; more than `len(trace)` if the trace is truncated.
        location: Location of the source token that failed.
        phase: What the VM was doing for its host.
        game_context: Player to move, and the piece and board position whose moves were generated.
        loads: Locations of the LOADs that led to the failing file, innermost first.
        steps: Steps that the run had used.
        hints: Lines of advice, such as suggestions for unknown names.
        failed_move: Text of the legal move that was being made, if the host has set it.
        failed_engine: Name of the engine that was choosing a move, if the host has set it.
        has_cause_hint: Whether the host has added a hint that explains the cause of the failure.
    """

    #: The message of errors whose fields are empty.
    summary = "forthvm failed"

    def __init__(self, message: str = "", **fields: Unpack[ErrorFields]) -> None:
        super().__init__(message)
        self.message = message
        self.status = fields.get("status")
        self.word = fields.get("word")
        self.detail = fields.get("detail", "")
        self.value = fields.get("value", 0)
        self.trace = tuple(fields.get("trace", ()))
        self.calls = max(fields.get("calls", 0), len(self.trace))
        self.location = fields.get("location")
        self.phase = fields.get("phase")
        self.game_context = fields.get("game_context")
        self.loads = tuple(fields.get("loads", ()))
        self.steps = fields.get("steps", 0)
        self.hints = tuple(fields.get("hints", ()))
        self.failed_move: str | None = None
        self.failed_engine: str | None = None
        self.has_cause_hint = False

    def short_message(self) -> str:
        """Return the message without the location."""
        if self.message:
            return self.message
        text = self._describe()
        return f"{text} in `{self.word}`" if self.word and self._appends_word() else text

    def _describe(self) -> str:
        return f"{self.summary}: {self.detail}" if self.detail else self.summary

    def _appends_word(self) -> bool:
        """Return whether the message ends with the name of the failed word."""
        return True

    def __str__(self) -> str:
        # The fields may contain control characters of the script.  They are escaped here, because
        # Python prints the message of an uncaught error on the terminal.
        text = self.short_message()
        return visible_lines(f"{self.location}: {text}" if self.location else text)

    def adopt(self, run_error: ForthVMError) -> None:
        """Copy missing fields of an error that a callback raised and that ended a run.

        Does nothing if the C core reported this error, because its fields are complete.

        Args:
            run_error: The error made from the C core's error record of that run.
        """
        if self.trace or self.status is not None:
            return
        self.trace, self.calls = run_error.trace, run_error.calls
        if self.location is None:
            self.location, self.loads = run_error.location, run_error.loads
        self.game_context = self.game_context or run_error.game_context
        self.phase = self.phase or run_error.phase

    def report(self, columns: int | None = None) -> str:
        """Return the full report: message, source line, callers, activity, advice.

        Args:
            columns: Width of the terminal, to which the source line is cut; None: 100.
        """
        from .errors.report import format_error  # needed only for errors

        return format_error(self, columns)

    def __reduce__(self) -> tuple[Callable[..., ForthVMError], tuple[Any, ...]]:
        return _rebuild, (type(self), self.message, dict(self.__dict__))


class NotBuiltError(ForthVMError, ImportError):
    """The imported folder has the sources of forthvm without the compiled core."""

    def _describe(self) -> str:
        return (
            f"forthvm is not built in {Path(__file__).parents[2]}: run `pip install -e .` there, "
            "or use an installed forthvm from another folder"
        )


def _rebuild(kind: type[ForthVMError], message: str, fields: dict[str, Any]) -> ForthVMError:
    error = kind(message)
    error.__dict__.update(fields)
    return error
