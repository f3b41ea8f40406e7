"""Reading and writing the files that a command line names.

Owns the error messages, and `-` for the standard streams.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from forthvm.cli.status import UsageError
from forthvm.system.files import failure_reason, removed_after_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["file_errors", "new_file", "output_file", "path_or_bundled", "read_text"]


@contextmanager
def file_errors(action: str, path: Path) -> Iterator[None]:
    """Raises UsageError if the action, `read` or `write`, fails in the block."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot {action} {path}: {failure_reason(error)}") from error


def read_text(path: Path) -> str:
    """Returns the text of a file with positions; `-` is standard input.

    Raises:
        UsageError: the file cannot be read.
        PositionError: the file is not UTF-8 text.
    """
    try:
        with file_errors("read", path):
            return sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        from forthvm.core.errors import PositionError

        raise PositionError(f"{path} is not a saved position: not UTF-8 text") from error


@contextmanager
def output_file(path: Path) -> Iterator[IO[str]]:
    """Opens a file for writing; `-` is standard output."""
    if str(path) == "-":
        yield sys.stdout
        return
    # Names may contain characters that UTF-8 cannot encode (surrogates).
    with (
        file_errors("write", path),
        removed_after_error(path),
        path.open("w", encoding="utf-8", errors="xmlcharrefreplace", newline="") as file,
    ):
        yield file


@contextmanager
def new_file(path: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """Opens a file that must not exist, unless --force is given."""
    try:
        with (
            file_errors("write", path),
            removed_after_error(path),
            path.open("wb" if force else "xb") as file,
        ):
            yield file
    except UsageError as error:
        if isinstance(error.__cause__, FileExistsError):
            raise UsageError(f"{path} exists; --force overwrites it") from None
        raise


def path_or_bundled(path: Path) -> Path:
    """Returns an existing path, or the script of the bundled game with that name."""
    from forthvm.catalogue.bundled import find_game

    return path if path.exists() or path.suffix else find_game(str(path))[1]
