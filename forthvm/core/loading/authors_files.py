"""Walks the folder of an author, and reads the texts beside a game.

Owns which folders are left out: those that tools write, which contain copies of the author's files,
or files of others such as the bundled games in a virtual environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.loading.files import Roots, read_file, shown_name
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.failure import ForthVMError

__all__ = ["read_authors_text", "walk"]

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


def read_authors_text(path: Path, limit: int) -> str:
    """Read a text in UTF-8 of at most `limit` bytes, a multiple of 1024.

    A link is followed only below the folder: messages about a text quote it.

    Raises:
        ScriptFileError: The file cannot be read, is larger, or is no text.
    """
    name = shown_name(path)
    try:
        data = read_file(path, limit + 1, Roots([path.parent]))
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise _failure(f"cannot read {name}: {failure_reason(error)}", path) from error
    except UnicodeDecodeError as error:
        message = f"{name} is not a text in UTF-8: see byte {error.start}"
        raise _failure(message, path) from error
    if len(data) > limit:
        size = f"{limit >> 20} MiB" if limit >> 20 else f"{limit >> 10} KiB"
        raise _failure(f"{name} is larger than {size}", path)
    return text


def _failure(message: str, path: Path) -> ForthVMError:
    from forthvm.core.errors import ScriptFileError  # imported only on failure

    return ScriptFileError(message, path=str(path))
