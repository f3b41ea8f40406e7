"""Errors of engines.

Owns the exception classes that only engines raise, how a user's module is imported, and how
exceptions and answers of a user's code are described; what a script does wrong while an engine
runs it is described by the core's own errors.
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
    """No engine goes by that name."""


class EvaluatorError(EngineError):
    """An evaluator in Python failed, or answered with something that is no worth.

    What it raised itself is the `__cause__`.

    Attributes:
        evaluator: Its name.
        engine: The engine that asked it, None until somebody says so.
        ply: Of the position that the engine was asked about, None likewise.
    """

    def __init__(self, evaluator: str, wrong: str = "", hint: str = "") -> None:
        super().__init__(hints=(hint,) if hint else ())
        self.evaluator = evaluator
        self.engine: str | None = None
        self.ply: int | None = None
        self._wrong = wrong

    def asked(self, engine: str | None, ply: int | None) -> None:
        """Say who asked, and about which position, where that is not known yet."""
        self.engine = engine if self.engine is None else self.engine
        self.ply = ply if self.ply is None else self.ply

    def _describe(self) -> str:
        engine = f"engine {self.engine!r}" if self.engine else "a search"
        at = "" if self.ply is None else f" from the position at ply {self.ply}"
        return f"evaluator {self.evaluator!r}, asked by {engine}{at}, {self._wrong}"


def named(error: BaseException) -> str:
    """Kind and text of somebody's exception."""
    kind, text = type(error).__name__, str(error)
    return f"{kind}: {text}" if text else kind


def place_of(error: BaseException) -> str:
    """The line of a user's Python that led to an exception, empty if that is not known."""
    import linecache  # only after a mistake
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
    """Python's traceback of a user's exception, from the user's code on; "" without such code.

    Args:
        error: The exception, or one of ours whose cause it is.
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
    """Whether a frame is of forthvm, or of Python's import system, which runs a user's module."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package in {"forthvm", "importlib"}


def imported(module: str, path: str) -> object:
    """What a user's module holds under a dotted path; the module is imported.

    Raises:
        ImportError: there is no such module or no such name, or importing fails in any way.
    """
    try:
        found: object = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise ImportError(str(error)) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the module does, sys.exit included
        place = place_of(error)
        wrong = f"module {module!r} cannot be imported: {named(error)}"
        raise ImportError(f"{wrong} ({place})" if place else wrong) from error
    return found


def repr_of(value: object) -> str:
    """Somebody's answer, cut to a readable length, whatever its own repr does."""
    import reprlib  # only after a mistake

    return reprlib.repr(value)
