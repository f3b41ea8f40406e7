"""Errors of engines.

Owns the exception classes that only engines raise, the import of user modules, and the description
of exceptions and values of user code.  User code is Python code outside of forthvm, such as an
engine in a module of the user.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from forthvm.core.errors import EngineError, ForthVMError

if TYPE_CHECKING:
    from types import FrameType

__all__ = [
    "EngineError",
    "EngineOptionError",
    "EvaluatorError",
    "Resignation",
    "UnknownEngineError",
    "describe_error",
    "import_object",
    "traceback_of",
    "user_code_location",
]

_MAX_FRAMES = 30
"""The maximum number of frames of a traceback; the outermost frames are left out."""


class EngineOptionError(EngineError, ValueError):
    """An unknown option of an engine, or an invalid value of an option or limit."""


class UnknownEngineError(EngineError, LookupError):
    """There is no engine with that name."""


class Resignation(EngineError):  # noqa: N818 - a decision, not a failure
    """The engine resigns: `Engine.play` raises it in place of a move."""


class EvaluatorError(EngineError):
    """An evaluator in Python failed, or its result is not an integer.

    If the evaluator raised an exception, this exception is the `__cause__`.

    Attributes:
        evaluator: Name of the evaluator.
        engine: Name of the engine that called the evaluator; None if unknown.
        ply: Ply of the root position of the search; None if unknown.
    """

    def __init__(self, evaluator: str, problem: str = "", hint: str = "") -> None:
        super().__init__(hints=(hint,) if hint else ())
        self.evaluator = evaluator
        self.engine: str | None = None
        self.ply: int | None = None
        self._problem = problem

    def set_context(self, engine: str | None, ply: int | None) -> None:
        """Set `engine` and `ply` if they are None."""
        self.engine = engine if self.engine is None else self.engine
        self.ply = ply if self.ply is None else self.ply

    def _describe(self) -> str:
        engine = f"engine {self.engine!r}" if self.engine else "a search"
        at = "" if self.ply is None else f" from the position at ply {self.ply}"
        return f"evaluator {self.evaluator!r}, called by {engine}{at}, {self._problem}"


def describe_error(error: BaseException) -> str:
    """Return the type and text of an exception."""
    kind, text = type(error).__name__, str(error)
    return f"{kind}: {text}" if text else kind


def user_code_location(error: BaseException) -> str:
    """Return the innermost line of user code in a traceback; "" without user code."""
    import linecache  # needed only after an error
    import traceback

    location = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if _is_internal(frame):
            continue
        file = frame.f_code.co_filename
        text = linecache.getline(file, line, frame.f_globals).strip()
        name = file.replace("\\", "/").rpartition("/")[2]
        location = f"in {frame.f_code.co_name}, {name}:{line}" + (f": {text}" if text else "")
    return location


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an exception from the first frame of user code; "" without it.

    Args:
        error: The exception.  If it is a ForthVMError with a cause, the cause is used.
    """
    import traceback

    while isinstance(error, ForthVMError) and error.__cause__ is not None:
        error = error.__cause__
    first = error.__traceback__
    while first is not None and _is_internal(first.tb_frame):
        first = first.tb_next
    if first is None:
        return ""
    return "".join(traceback.format_exception(type(error), error, first, limit=-_MAX_FRAMES))


def _is_internal(frame: FrameType) -> bool:
    """Whether a frame belongs to forthvm or to Python's import system."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package in {"forthvm", "importlib"}


def import_object(module: str, path: str) -> object:
    """Import a user module and return the object at a dotted path in it.

    Raises:
        ImportError: The module or the name does not exist, or the import fails.
    """
    try:
        value: object = importlib.import_module(module)
        for name in path.split("."):
            value = getattr(value, name)
    except ModuleNotFoundError as error:
        raise ImportError(f"{error} (looked for in the folders of sys.path)") from error
    except (ImportError, AttributeError, ValueError) as error:
        raise ImportError(str(error)) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may even call sys.exit
        location = user_code_location(error)
        problem = f"module {module!r} cannot be imported: {describe_error(error)}"
        raise ImportError(f"{problem} ({location})" if location else problem) from error
    return value
