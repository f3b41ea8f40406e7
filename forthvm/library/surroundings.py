"""What a description depends on besides the described file: other files, by content.

Owns digests of files and folders.  Other files are named relative to the folder of the described
file, so that the names are the same after the folder was moved or copied.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.render.symbols.own_drawings import FOLDER
from forthvm.system.files import open_file
from forthvm.zrf.pictures import picture_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["DRAWINGS", "PICTURES", "SCRIPTS", "Surroundings", "digest_of"]

SCRIPTS = "scripts/"
"""The scripts and rule files in and below the folder, of which one may be missing or damaged."""
PICTURES = "pictures/"
"""The names of the pictures in the folders of pictures, of which one may be missing."""
DRAWINGS = "drawings/"
"""The author's own drawings of pieces."""
_HASHED_BYTES = 16 << 20
"""Of larger files, which are databases and archives, path, size and time of change count."""
_SCRIPTS = (".4th", ".zrf")
_PICTURES = (".bmp", ".png", ".gif", ".jpg", ".jpeg")
_DEPTH = 2  # of the folders below that of scripts, rule files or pictures
_MAX_LISTED = 20_000


def digest_of(path: Path) -> str:
    """Return the digest of a file.

    Raises:
        OSError: The file cannot be read.
    """
    with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
        status = os.fstat(file.fileno())
        if status.st_size > _HASHED_BYTES:
            state = f"{str(path)!a} {status.st_size} {status.st_mtime_ns}".encode()
        else:
            state = file.read(_HASHED_BYTES)
        return hashlib.sha256(state).hexdigest()


class Surroundings:
    """The surroundings of files as one scan sees them; each file is read once."""

    def __init__(self) -> None:
        """Begin without having read anything."""
        self._known: dict[Path, str | None] = {}
        self._folders: dict[tuple[str, Path], str] = {}

    def of(self, path: Path, names: Iterable[str | Path]) -> dict[str, str]:
        """Return the state of other files, and of SCRIPTS, PICTURES and DRAWINGS, by name."""
        home = Path(os.path.realpath(path.parent))
        relative = (str(name) if name in _FOLDERS else _relative(name, home) for name in names)
        found = ((name, self._state(name, home)) for name in relative)
        return {name: state for name, state in found if state is not None}

    def fit(self, path: Path, known: Mapping[str, str]) -> bool:
        """Return whether the surroundings of a file are as they were known."""
        home = Path(os.path.realpath(path.parent))
        return all(self._state(name, home) == state for name, state in known.items())

    def _state(self, name: str, home: Path) -> str | None:
        """Return the state of a file or of the folders; None if the file cannot be read."""
        if name in _FOLDERS:
            if (name, home) not in self._folders:
                lines = "\n".join(sorted(_FOLDERS[name](self, home)))
                self._folders[name, home] = hashlib.sha256(lines.encode()).hexdigest()
            return self._folders[name, home]
        path = home / name
        if path not in self._known:
            self._known[path] = None
            with suppress(OSError, ValueError):
                self._known[path] = digest_of(path)
        return self._known[path]

    def _scripts(self, home: Path) -> Iterator[str]:
        return self._contents(home, _SCRIPTS, _DEPTH)

    def _drawings(self, home: Path) -> Iterator[str]:
        return self._contents(home / FOLDER, (".svg",), 0)

    def _contents(self, folder: Path, suffixes: tuple[str, ...], depth: int) -> Iterator[str]:
        for name in _files(folder, suffixes, depth):
            yield f"{name!a} {self._state(name, folder)}"

    def _pictures(self, home: Path) -> Iterator[str]:
        """Yield the names of pictures; their contents do not count, since they were not found."""
        for folder in picture_folders(home / "rules"):
            yield from map(ascii, _files(folder, _PICTURES, _DEPTH))


_FOLDERS = {
    SCRIPTS: Surroundings._scripts,
    PICTURES: Surroundings._pictures,
    DRAWINGS: Surroundings._drawings,
}


def _relative(name: str | Path, home: Path) -> str:
    """Return the path of a file from a folder; an absolute path if it is not nearby."""
    path = os.path.realpath(name)
    near = home.parent  # which may have a folder of pictures
    return os.path.relpath(path, home) if Path(path).is_relative_to(near) else path


def _files(folder: Path, suffixes: tuple[str, ...], most_deep: int) -> Iterator[str]:
    """Yield the relative paths of files in a folder and some folders below it."""
    pending = [(folder, 0)]
    left = _MAX_LISTED
    while pending:
        current, depth = pending.pop()
        for each in _listed(current):
            left -= 1
            if left < 0:
                return
            if each.name.lower().endswith(suffixes):
                yield os.path.relpath(each.path, folder)
            elif depth < most_deep and each.is_dir(follow_symlinks=False):
                pending.append((Path(each.path), depth + 1))


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
