"""The exception classes of forthvm.

This file owns the classes and their messages; failure.py has the base class.
"""
# ruff: noqa: N818 - the names say what happened, such as StackUnderflow, without the suffix Error

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.status import Phase, Status

if TYPE_CHECKING:
    from typing import Unpack

    from forthvm.core.failure import ErrorFields

__all__ = [
    "Aborted",
    "ActionError",
    "AddressError",
    "AmbiguousMoveError",
    "BadCodeError",
    "BoundsError",
    "BudgetExceeded",
    "ContextError",
    "ControlStructureError",
    "DivisionError",
    "EndOfSource",
    "EngineError",
    "EngineStopped",
    "ForthVMError",
    "GameOverError",
    "HostWordError",
    "IllegalMoveError",
    "Interrupted",
    "LibraryError",
    "LimitExceeded",
    "LoadCycleError",
    "MemoryLimitExceeded",
    "MoveBuildError",
    "MoveError",
    "MoveSyntaxError",
    "MoveTextError",
    "NestingTooDeep",
    "NoGameError",
    "NoMoveError",
    "OutputLimitExceeded",
    "PartialMoveTextError",
    "Phase",
    "PositionDigestError",
    "PositionError",
    "ReturnStackOverflow",
    "ReturnStackUnderflow",
    "ScriptEmpty",
    "ScriptFileError",
    "ScriptFileNotFound",
    "ScriptIsDirectory",
    "ScriptMessage",
    "ScriptNotText",
    "ScriptQuit",
    "ScriptRefused",
    "ScriptTooLarge",
    "ScriptUnreadable",
    "SectionError",
    "StackOverflow",
    "StackUnderflow",
    "Status",
    "StepLimitExceeded",
    "TimeLimitExceeded",
    "UncaughtThrow",
    "UndefinedWord",
    "UnknownGameError",
    "UnsetDefer",
]


# --- stacks and memory -------------------------------------------------------------


class StackUnderflow(ForthVMError, IndexError):
    """A word popped more cells than the parameter stack contained."""

    summary = "stack underflow"


class StackOverflow(ForthVMError):
    """The parameter stack is full."""

    summary = "stack overflow"


class ReturnStackUnderflow(ForthVMError, IndexError):
    """A word popped more cells from the return stack than this run had pushed."""

    summary = "return stack underflow"


class ReturnStackOverflow(ForthVMError, RecursionError):
    """Calls are nested too deep, or too many cells are on the return stack."""

    summary = "return stack overflow (recursion too deep)"


class AddressError(ForthVMError, IndexError):
    """A read or write outside the image."""

    summary = "address outside memory"

    def _describe(self) -> str:
        return f"{self.summary}: {self.value & 0xFFFFFFFF:#x} ({self.value})"


class BoundsError(ForthVMError, IndexError):
    """An index is outside its array, or a position outside the board; only in checked mode."""

    summary = "array index out of range"

    def _describe(self) -> str:
        if self.detail == "board[]":
            return f"position {self.value} is not on the board"
        return f"{self.summary}: index {self.value} of `{self.detail}`"

    def _appends_word(self) -> bool:
        return self.word != self.detail


class DivisionError(ForthVMError, ZeroDivisionError):
    """Division by zero, or of -2147483648 by -1."""

    summary = "division by zero, or of -2147483648 by -1"


class BadCodeError(ForthVMError):
    """A cell that is not the token of a word was executed."""

    summary = "not a word"

    def _describe(self) -> str:
        return f"the cell {self.value} ({self.value & 0xFFFFFFFF:#x}) was run, but it is not a word"


class NestingTooDeep(ForthVMError, RecursionError):
    """Too many nested runs or nested LOADs."""

    summary = "nested too deep"


# --- text and dictionary -----------------------------------------------------------


class UndefinedWord(ForthVMError, NameError):
    """A token is neither a word nor a number."""

    summary = "unknown word"

    def _describe(self) -> str:
        return f"{self.summary} `{self.detail}`"

    def _appends_word(self) -> bool:
        return self.word != self.detail


class UnsetDefer(ForthVMError):
    """A word defined by DEFER was run before IS set its action."""

    summary = "DEFER without an action"

    def _describe(self) -> str:
        if not self.detail:
            return "a DEFER was run that was never set (IS)"
        return f"`{self.detail}` is a DEFER that was never set (IS)"

    def _appends_word(self) -> bool:
        return False


class ControlStructureError(ForthVMError):
    """A control structure is not balanced."""

    summary = "unbalanced control structure"


class SectionError(ForthVMError):
    """The script closed a section that was not open, or left a section open."""

    summary = "section"

    def _describe(self) -> str:
        return self.detail or "a section is not opened and closed in pairs"

    def _appends_word(self) -> bool:
        return False


class LimitExceeded(ForthVMError):
    """A stated limit (moves, directions, piece types …) was exceeded."""

    summary = "limit exceeded"


class ContextError(ForthVMError):
    """A word was used where it has no meaning."""

    summary = "not possible here"


class EndOfSource(ForthVMError, EOFError):
    """A parsing word reached the end of the text."""

    summary = "the text ended"

    def _describe(self) -> str:
        return f"the text ended while `{self.detail}` read it" if self.detail else self.summary

    def _appends_word(self) -> bool:
        return not self.detail


class LibraryError(ForthVMError):
    """The library cannot be used: for example, it lacks a name that the kernel needs."""

    summary = "the library lacks a word that the kernel needs"

    def _describe(self) -> str:
        return f"{self.summary}: `{self.detail}`" if self.detail else self.summary


# --- runs ended by the script ------------------------------------------------------


class Aborted(ForthVMError):
    """The script ran ABORT."""

    summary = "ABORT"

    def _appends_word(self) -> bool:
        return self.word != "ABORT"


class ScriptQuit(ForthVMError):
    """The script ran QUIT."""

    summary = "QUIT"

    def _appends_word(self) -> bool:
        return self.word != "QUIT"


class ScriptMessage(ForthVMError):
    """The script reported an error of its own with ABORT" or ERROR."""

    summary = "error reported by the script"

    def _describe(self) -> str:
        return self.detail or self.summary

    def _appends_word(self) -> bool:
        return self.word != "ERROR"  # the word that reports an error is not its cause


class UncaughtThrow(ForthVMError):
    """A word of standard Forth ran THROW with a code of its own, and no CATCH was active.

    Attributes:
        value: The code.
    """

    summary = "uncaught exception"

    def _describe(self) -> str:
        from .throw_codes import MEANINGS  # needed only for errors

        meaning = MEANINGS.get(self.value)
        return f"THROW {self.value}" + (f": {meaning}" if meaning else "")

    def _appends_word(self) -> bool:
        return False


# --- limits and interruption -------------------------------------------------------


class BudgetExceeded(ForthVMError):
    """A limit of the Budget was reached."""

    summary = "budget used up"


class StepLimitExceeded(BudgetExceeded):
    """The run used up its steps."""

    summary = "step limit reached"

    def _describe(self) -> str:
        return f"{self.summary} ({self.steps} steps)" if self.steps else self.summary


class TimeLimitExceeded(BudgetExceeded, TimeoutError):
    """A run, or one call of the script, exceeded its time limit; `detail` is the limit."""

    summary = "time limit reached"

    def _describe(self) -> str:
        return f"stopped after {self.detail}" if self.detail else self.summary


class MemoryLimitExceeded(BudgetExceeded, MemoryError):
    """The image would have to grow past its limit."""

    summary = "memory limit reached"


class OutputLimitExceeded(BudgetExceeded):
    """The scripts of a VM printed more than Budget(output=…) allows."""

    summary = "output limit reached"


class Interrupted(ForthVMError):
    """Another thread, or the host, stopped the run."""

    summary = "interrupted"


class HostWordError(ForthVMError):
    """A host word does not exist, or its function returned no cells or the wrong number of them."""

    summary = "a function of the host failed"


# --- files -------------------------------------------------------------------------


class ScriptFileError(ForthVMError):
    """A file cannot be loaded.  `detail` is its name, `path` the path that was tried."""

    summary = "cannot load"

    def __init__(
        self, message: str = "", *, path: str | None = None, **fields: Unpack[ErrorFields]
    ) -> None:
        super().__init__(message, **fields)
        self.path = path

    @property
    def filename(self) -> str | None:
        """The path; OSError calls it `filename`."""
        return self.path

    def _describe(self) -> str:
        return f"{self.summary}: {self.path or self.detail}"

    def _appends_word(self) -> bool:
        return False


class ScriptFileNotFound(ScriptFileError, FileNotFoundError):
    """There is no such file."""

    summary = "no such file"


class ScriptIsDirectory(ScriptFileError, IsADirectoryError):
    """The name is that of a directory."""

    summary = "this is a directory, not a script"


class ScriptUnreadable(ScriptFileError, PermissionError):
    """The file cannot be read, or reading it is not permitted."""

    summary = "cannot read"


class ScriptRefused(ScriptFileError, PermissionError):
    """The file is outside the folders that may be read, or is not a regular file."""

    summary = "refused to read"


class ScriptNotText(ScriptFileError, ValueError):
    """The file contains bytes that do not occur in text."""

    summary = "not a text file"


class ScriptEmpty(ScriptFileError, ValueError):
    """The main file is empty or blank."""

    summary = "the file is empty"


class ScriptTooLarge(ScriptFileError, ValueError):
    """The file is too large to be a script."""

    summary = "too large for a script"


class LoadCycleError(ScriptFileError, RecursionError):
    """A file loads itself, directly or through others."""

    summary = "the file loads itself"


class UnknownGameError(ForthVMError, LookupError):
    """No bundled or installed game has that name."""

    summary = "unknown game"


# --- games -------------------------------------------------------------------------


class NoGameError(ForthVMError):
    """The script defines no complete game: board, players, turn order."""

    summary = "the script defines no playable game"


class SettingError(ForthVMError, ValueError):
    """The game has no such setting, or the setting has no such value."""

    summary = "no such setting"


class MoveBuildError(ForthVMError):
    """A move word built an invalid move."""

    summary = "impossible move"

    def _describe(self) -> str:
        return self.detail or self.summary


class MoveTextError(ForthVMError):
    """A move's text is longer than version 140 allowed (1,023 bytes)."""

    summary = "move text longer than 1,023 bytes"


class PartialMoveTextError(ForthVMError):
    """Version 140: a partial move's text does not begin with `partial`."""

    summary = "the text of a partial move must begin with `partial` in version 140"


class NoMoveError(ForthVMError):
    """A search ended without a move."""

    summary = "the search did not produce a move"


class EngineStopped(ForthVMError):
    """A script's engine ignored the request to stop, so its run was ended."""

    summary = "the engine did not stop when requested"


class MoveError(ForthVMError, ValueError):
    """The requested move cannot be made."""

    summary = "this move cannot be made"


class MoveSyntaxError(MoveError):
    """The text is not a move."""

    summary = "not a move"


class IllegalMoveError(MoveError):
    """The move is not legal in this position."""

    summary = "illegal move"


class AmbiguousMoveError(MoveError):
    """The text matches several legal moves."""

    summary = "ambiguous move"


class GameOverError(MoveError):
    """The game is over; no move can be made."""

    summary = "the game is over"


class ActionError(ForthVMError, ValueError):
    """A move has no number, two moves have the same, or a numbering cannot be used."""

    summary = "cannot number the moves"


class PositionError(ForthVMError, ValueError):
    """A saved position cannot be read."""

    summary = "cannot read the position"


class PositionDigestError(PositionError):
    """The position was saved with another version of the game's sources."""

    summary = "the position was saved with other sources"


class EngineError(ForthVMError):
    """An engine cannot be found, or failed to choose a move."""

    summary = "engine failed"
