"""Walks the folder of an author.

Owns which folders are left out: those that tools write, which contain copies of the author's files,
or files of others such as the bundled games in a virtual environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["walk"]

_LEFT_OUT = frozenset({"build", "dist", "node_modules", "__pycache__"})
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"


def walk(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield a folder and the folders below it, each with the sorted names of the files in it.

    Folders below it are left out if their names begin with a dot or are `build`, `dist`,
    `node_modules` or `__pycache__`, or if they are virtual environments of Python.  Links to
    folders are not followed.  Folders that cannot be read count as empty.
    """
    for parent, folders, names in os.walk(folder):
        path = Path(parent)
        if _VIRTUAL_ENVIRONMENT in names and path != folder:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _LEFT_OUT)
        yield path, sorted(names)
