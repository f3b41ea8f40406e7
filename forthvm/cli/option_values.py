"""Types of option values: integers with a range, seconds, files with positions.

Owns parsing and checking a value.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from forthvm.cli.status import UsageError
from forthvm.system.files import failure_reason

__all__ = ["AXIOM", "CELL_HIGH", "CELL_LOW", "MANY", "integer", "read_text", "seconds"]

AXIOM = ("140", "140-exact", "150", "151")
"""Library versions that can be emulated; `140-exact` has an error of 140 that `140` has not."""
CELL_LOW, CELL_HIGH = -(2**31), 2**31 - 1
"""The range of a cell."""
MANY = 2**62
"""Larger than any useful limit, and small enough not to overflow in C."""


def integer(low: int, high: int = MANY) -> Callable[[str], int]:
    """Returns an argparse type: integers from `low` to `high`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is not an integer") from None
        if value < low:
            raise ArgumentTypeError(f"{value} is less than {low}")
        if value > high:
            raise ArgumentTypeError(f"{value} is more than {high}")
        return value

    return read


def seconds(text: str) -> float:
    """An argparse type: a non-negative number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ArgumentTypeError(f"{text!r} is not a non-negative number of seconds")
    return value


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
