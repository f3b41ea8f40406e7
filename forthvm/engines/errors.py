"""Errors of engines.

Owns the exception classes that only engines raise, the import of user modules, and the
description of exceptions and values of user code.  It must not know any engine.  Errors of a
script that an engine runs are errors of the core.
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
    "UnknownEngineError",
    "imported",
    "named",
    "place_of",
    "repr_of",
    "traceback_of",
]

_MOST_FRAMES = 30


class EngineOptionError(EngineError, ValueError):
    """An option or a limit that the engine does not have, or with a value it cannot take."""


class UnknownEngineError(EngineError, LookupError):
    """There is no engine with that name."""


class EvaluatorError(EngineError):
    """An evaluator in Python failed or returned something other than an integer.

    The exception that it raised is the `__cause__`.

    Attributes:
        evaluator: Name of the evaluator.
        engine: Name of the engine that called it, None until it is known.
        ply: Ply of the position in which the engine was asked, None until it is known.
    """

    def __init__(self, evaluator: str, wrong: str = "", hint: str = "") -> None:
        super().__init__(hints=(hint,) if hint else ())
        self.evaluator = evaluator
        self.engine: str | None = None
        self.ply: int | None = None
        self._wrong = wrong

    def asked(self, engine: str | None, ply: int | None) -> None:
        """Set `engine` and `ply` where they are still None."""
        self.engine = engine if self.engine is None else self.engine
        self.ply = ply if self.ply is None else self.ply

    def _describe(self) -> str:
        engine = f"engine {self.engine!r}" if self.engine else "a search"
        at = "" if self.ply is None else f" from the position at ply {self.ply}"
        return f"evaluator {self.evaluator!r}, called by {engine}{at}, {self._wrong}"


def named(error: BaseException) -> str:
    """Type and text of an exception."""
    kind, text = type(error).__name__, str(error)
    return f"{kind}: {text}" if text else kind


def place_of(error: BaseException) -> str:
    """The last line of user code in an exception's traceback, "" without such code."""
    import linecache  # needed only after an error
    import traceback

    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if _is_ours(frame):
            continue
        file = frame.f_code.co_filename
        text = linecache.getline(file, line, frame.f_globals).strip()
        name = file.replace("\\", "/").rpartition("/")[2]
        place = f"in {frame.f_code.co_name}, {name}:{line}" + (f": {text}" if text else "")
    return place


def traceback_of(error: BaseException) -> str:
    """The traceback of an exception, from the first frame of user code; "" without such code.

    Args:
        error: The exception, or a ForthVMError whose cause it is.
    """
    import traceback

    while isinstance(error, ForthVMError) and error.__cause__ is not None:
        error = error.__cause__
    rest = error.__traceback__
    while rest is not None and _is_ours(rest.tb_frame):
        rest = rest.tb_next
    if rest is None:
        return ""
    return "".join(traceback.format_exception(type(error), error, rest, limit=-_MOST_FRAMES))


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame belongs to forthvm or to Python's import system."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package in {"forthvm", "importlib"}


def imported(module: str, path: str) -> object:
    """Import a user module and return the object at a dotted path in it.

    Raises:
        ImportError: there is no such module or no such name, or the import fails in any way.
    """
    try:
        found: object = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise ImportError(str(error)) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may even call sys.exit
        place = place_of(error)
        wrong = f"module {module!r} cannot be imported: {named(error)}"
        raise ImportError(f"{wrong} ({place})" if place else wrong) from error
    return found


def repr_of(value: object) -> str:
    """The repr of a value, cut to a readable length; never fails."""
    import reprlib  # needed only after an error

    return reprlib.repr(value)
