"""Finds the tests of games: `.test` files, and counts of move sequences in `.perft` files.

Owns the search for files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptFileError
from forthvm.core.loading.authors_files import read_authors_text, walk
from forthvm.core.loading.files import shown_name
from forthvm.testing.reader import read_text

if TYPE_CHECKING:
    from forthvm.testing.reader import Suite

__all__ = ["files_with_tests", "read_suite", "split_line"]

MAX_ENTRIES = 200_000
"""The maximum number of files and folders below a folder."""
MAX_BYTES = 1 << 20
MAX_LINE_DIGITS = 9
GAMES = (".4th", ".zrf")
TESTS = (".test", ".perft")


def files_with_tests(path: Path) -> list[Path]:
    """Return the files with tests that a path stands for.

    Args:
        path: A `.test` or `.perft` file, a script or rule file with tests beside it, or a folder.

    Raises:
        ScriptFileError: There is no such file, or it has no tests, or the folder is too large.
    """
    if path.is_dir():
        return _files_below(path)
    if not path.exists():
        raise ScriptFileError(f"there is no file or folder {shown_name(path)}", path=str(path))
    if path.suffix.lower() in TESTS:
        return [path]
    if path.suffix.lower() not in GAMES:
        raise ScriptFileError(
            f"{shown_name(path)} is no file with tests (.test, .perft), no game (.4th, .zrf), "
            "and no folder",
            path=str(path),
        )
    files = [path.with_suffix(suffix) for suffix in TESTS]
    found = [file for file in files if file.is_file()]
    if not found:
        raise ScriptFileError(
            f"{shown_name(path)} has no tests: there is no {path.stem}.test beside it",
            path=str(path),
        )
    return found


def split_line(text: str) -> tuple[Path, int | None]:
    """Split `FILE:LINE`, as editors name a test; the line is None without one."""
    head, colon, tail = text.rpartition(":")
    if colon and tail.isdecimal() and len(tail) <= MAX_LINE_DIGITS and not Path(text).exists():
        return Path(head), int(tail)
    return Path(text), None


def read_suite(path: Path) -> Suite:
    """Read a `.test` or `.perft` file.

    Raises:
        ScriptFileError: The file cannot be read, or it is no text.
        ForthVMError: A line is wrong; the error has its location.
    """
    return read_text(path, read_authors_text(path, MAX_BYTES))


def _files_below(folder: Path) -> list[Path]:
    """Return the files with tests, except in folders that tools write."""
    found: list[Path] = []
    number = 0
    for parent, names in walk(folder):
        number += 1 + len(names)
        if number > MAX_ENTRIES:
            raise ScriptFileError(
                f"{shown_name(folder)} has more than {MAX_ENTRIES:,} files", path=str(folder)
            )
        found += [parent / name for name in names if Path(name).suffix.lower() in TESTS]
    return found
