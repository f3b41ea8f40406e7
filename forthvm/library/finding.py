"""Finds the files below a folder that may belong to a library, by their names.

No file is opened.  Links to folders are not followed, nor are links that lead out of the folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.loading.files import Roots
from forthvm.library.entry import Entry
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ARCHIVE", "SUFFIXES", "files_below"]

ARCHIVE = ".zip"
SUFFIXES = frozenset({".zrf", ".4th", ".zsg", ".json", ".db", ARCHIVE})
MAX_DEPTH = 24
MAX_FILES = 50_000
_SKIPPED = ".", "__MACOSX"  # how names of folders and files begin that are for programs


def files_below(folder: Path) -> Iterator[Path | Entry]:
    """Yield the files below a folder in alphabetical order, and entries of unreadable folders."""
    roots = Roots([folder])
    pending = [(folder, 0)]
    count = 0
    while pending:
        current, depth = pending.pop()
        try:
            files, folders = _listed(current, roots)
        except OSError as error:
            yield _problem(current, failure_reason(error))
            continue
        for path in files:
            count += 1
            if count > MAX_FILES:
                yield _problem(folder, f"it has more than {MAX_FILES:,} files")
                return
            yield path
        if folders and depth == MAX_DEPTH:
            yield _problem(current, f"it is more than {MAX_DEPTH} folders deep")
        else:
            pending += [(below, depth + 1) for below in reversed(folders)]


def _listed(folder: Path, roots: Roots) -> tuple[list[Path], list[Path]]:
    """Return the files and the folders directly in a folder."""
    files, folders = [], []
    with os.scandir(folder) as found:
        for each in sorted(found, key=lambda each: each.name):
            path = folder / each.name
            if each.name.startswith(_SKIPPED):
                continue
            if each.is_dir(follow_symlinks=False):
                folders.append(path)
            elif (
                path.suffix.lower() in SUFFIXES
                and each.is_file()
                and (not each.is_symlink() or roots.allows(path))
            ):
                files.append(path)
    return files, folders


def _problem(folder: Path, reason: str) -> Entry:
    return Entry(path=str(folder), kind="folder", title=folder.name, reason=reason)
