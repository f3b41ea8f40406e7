"""What a bench is, and how it is repeated.

Owns the values, the list of benches and the median.  It must not know what is measured.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from forthvm.core.errors import ForthVMError

__all__ = ["Bench", "Figure", "WrongAnswerError", "all_benches", "check", "measure"]

MODULES = ("interpreter", "play", "process")


class WrongAnswerError(ForthVMError):
    """A bench came to another answer than the right one: its time means nothing."""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """One thing to measure."""

    name: str
    unit: str
    summary: str
    run: Callable[[], float]
    """Measures once, checks its answer, gives the figure in `unit`."""
    repeats: int = 5
    slow: bool = False
    """Takes more than a few seconds; run only when named."""
    target: str = ""
    """The figure aimed at, in words."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What came out of a bench."""

    name: str
    unit: str
    median: float
    values: tuple[float, ...]
    summary: str
    target: str


def all_benches() -> dict[str, Bench]:
    """Every bench by name, in the order of their modules."""
    found: dict[str, Bench] = {}
    for name in MODULES:
        module = importlib.import_module(f"forthvm.bench.{name}")
        found |= {bench.name: bench for bench in module.BENCHES}
    return found


def measure(bench: Bench, repeats: int | None = None) -> Figure:
    """Runs a bench several times.

    Raises:
        WrongAnswerError: it came to a wrong answer.
    """
    values = tuple(bench.run() for _ in range(repeats or bench.repeats))
    return Figure(
        name=bench.name,
        unit=bench.unit,
        median=statistics.median(values),
        values=values,
        summary=bench.summary,
        target=bench.target,
    )


def check(what: str, got: object, expected: object) -> None:
    """Compares an answer with the right one.

    Raises:
        WrongAnswerError: they differ.
    """
    if got != expected:
        raise WrongAnswerError(f"{what}: expected {expected!r}, got {got!r}")
