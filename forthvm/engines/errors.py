"""Errors of engines.

Owns the exception classes that only engines raise, and how other people's exceptions and
answers are told in a line; what a script does wrong while an engine runs it is told by the
core's own errors.
"""

from __future__ import annotations

from forthvm.core.errors import EngineError

__all__ = [
    "EngineError",
    "EngineOptionError",
    "EvaluatorError",
    "UnknownEngineError",
    "named",
    "place_of",
    "repr_of",
]


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
    """The line of somebody's Python that led to an exception, empty if that is not known."""
    import linecache  # only after a mistake
    import traceback

    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "forthvm":
            continue
        file = frame.f_code.co_filename
        text = linecache.getline(file, line, frame.f_globals).strip()
        name = file.replace("\\", "/").rpartition("/")[2]
        place = f"in {frame.f_code.co_name}, {name}:{line}" + (f": {text}" if text else "")
    return place


def repr_of(value: object) -> str:
    """Somebody's answer, cut to a readable length, whatever its own repr does."""
    import reprlib  # only after a mistake

    return reprlib.repr(value)
