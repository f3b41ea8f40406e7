"""Reading and writing the files that a command line names.

Owns the error messages, and `-` for the standard streams.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.cli.status import UsageError
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["read_text", "writing"]


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


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises UsageError if a file or folder cannot be written in the block."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write {path}: {failure_reason(error)}") from error
