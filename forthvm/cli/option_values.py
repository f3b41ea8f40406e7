"""Types of option values: integers with a range, seconds, files with positions.

Owns parsing and checking a value.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from forthvm.cli.status import UsageError
from forthvm.core import reading
from forthvm.system.files import failure_reason

__all__ = ["AXIOM", "CELL_HIGH", "CELL_LOW", "MANY", "integer", "number", "read_text", "seconds"]

AXIOM = ("140", "140-exact", "150", "151")
"""Library versions that can be emulated; `140-exact` has an error of 140 that `140` has not."""
CELL_LOW, CELL_HIGH = -(2**31), 2**31 - 1
"""The range of a cell."""
MANY = reading.MAX_NUMBER
"""Larger than any useful limit, and small enough not to overflow in C."""
T = TypeVar("T")


def _option(read: reading.Reader[T]) -> Callable[[str], T]:
    def read_option(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None

    return read_option


def integer(low: int, high: int = MANY) -> Callable[[str], int]:
    """Returns an argparse type: integers from `low` to `high`."""
    return _option(reading.from_text(int, reading.integer(low, high)))


def number(low: float, high: float) -> Callable[[str], float]:
    """Returns an argparse type: numbers from `low` to `high`."""
    return _option(reading.from_text(float, reading.number(low, high)))


seconds = _option(
    reading.from_text(float, reading.number(0, MANY, expected="a non-negative number of seconds"))
)
"""An argparse type: a non-negative number of seconds."""


def read_text(path: Path) -> str:
    """Returns the text of a file with positions; `-` is standard input.

    Raises:
        UsageError: the file cannot be read.
        PositionError: the file is not UTF-8 text.
    """
    try:
        return sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {failure_reason(error)}") from error
    except UnicodeDecodeError as error:
        from forthvm.core.errors import PositionError

        raise PositionError(f"{path} is not a saved position: not UTF-8 text") from error
