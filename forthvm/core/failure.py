"""The base of all errors and its structured fields.

This file owns ForthVMError and how a message is made from fields.  It must not know the C
library, how places are found, how a full report is laid out (error_report.py), nor the kinds of
error (errors.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypedDict, Unpack

    from .location import Frame, Location, Scan
    from .status import Phase, Status

    class ErrorFields(TypedDict, total=False):
        """The structured fields of ForthVMError; it says what they hold."""

        status: Status | None
        word: str | None
        detail: str
        value: int
        trace: Sequence[Frame]
        calls: int
        location: Location | None
        phase: Phase | None
        scan: Scan | None
        loads: Sequence[Location]
        steps: int
        hints: Sequence[str]


__all__ = ["ForthVMError", "Unwinding"]


class Unwinding(BaseException):
    """Raised by a hook of our own to leave all that runs below it, code of users included.

    What catches exceptions of users' code lets it pass, as it does KeyboardInterrupt.
    """


class ForthVMError(Exception):
    """Base class of all errors of forthvm.  The fields come first, the message is made from them.

    Attributes:
        status: What the VM answered, None where no VM was running.
        word: Name of the word that failed.
        detail: Text that belongs to the status: an unknown name, a script's own message.
        value: Number that belongs to the status: an address, an index, a cell.
        trace: Open calls, innermost first.
        calls: How many calls were open; more than `len(trace)` when it was cut.
        location: Token of the source that failed.
        phase: What the host had asked for.
        scan: What move generation was looking at.
        loads: Places of the LOADs that led to the failing file, innermost first.
        steps: Steps that the run had used.
        hints: What might help, a line each; suggestions for unknown names among them.
        failed_move: Text of the legal move that was being made, where the host says it.
        failed_engine: Name of the engine that was asked for a move, where the host says it.
        is_noted: The host has added to `hints` what led to the failure.
    """

    #: What happened, when the fields say nothing better.
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
        self.scan = fields.get("scan")
        self.loads = tuple(fields.get("loads", ()))
        self.steps = fields.get("steps", 0)
        self.hints = tuple(fields.get("hints", ()))
        self.failed_move: str | None = None
        self.failed_engine: str | None = None
        self.is_noted = False

    def what(self) -> str:
        """The message without the location."""
        if self.message:
            return self.message
        text = self._describe()
        return f"{text} in `{self.word}`" if self.word and self._names_word() else text

    def _describe(self) -> str:
        return f"{self.summary}: {self.detail}" if self.detail else self.summary

    def _names_word(self) -> bool:
        return True

    def __str__(self) -> str:
        # An uncaught error is printed on a terminal; the fields keep the script's own text.
        what = self.what()
        return visible_lines(f"{self.location}: {what}" if self.location else what)

    def adopt(self, outer: ForthVMError) -> None:
        """Take what it lacks from the record of the run that this error ended.

        An error of the VM itself has everything: C looks through nested runs.  One that the
        host raised in a hook has not.
        """
        if self.trace or self.status is not None:
            return
        self.trace, self.calls = outer.trace, outer.calls
        if self.location is None:
            self.location, self.loads = outer.location, outer.loads
        self.scan = self.scan or outer.scan
        self.phase = self.phase or outer.phase

    def report(self, columns: int | None = None) -> str:
        """Give the full report: place, source line, callers, what was being done, advice.

        Args:
            columns: Of the terminal that shows it, which the source line is cut to.
        """
        from .error_report import format_error  # only failures pay for the import

        return format_error(self, columns)

    def __reduce__(self) -> tuple[Callable[..., ForthVMError], tuple[Any, ...]]:
        return _rebuild, (type(self), self.message, dict(self.__dict__))


def _rebuild(kind: type[ForthVMError], message: str, fields: dict[str, Any]) -> ForthVMError:
    error = kind(message)
    error.__dict__.update(fields)
    return error
