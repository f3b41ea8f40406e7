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
"""The scripts and rule files in the folder, of which one may be missing or damaged."""
PICTURES = "pictures/"
"""The names of the pictures in the folders of pictures, of which one may be missing."""
DRAWINGS = "drawings/"
"""The author's own drawings of pieces."""
_HASHED_BYTES = 16 << 20
"""Of larger files, which are databases and archives, path, size and time of change count."""
_SCRIPTS = (".4th", ".zrf")
_PICTURES = (".bmp", ".png", ".gif", ".jpg", ".jpeg")
_PICTURE_DEPTH = 2
_MAX_PICTURES = 20_000


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
        return self._contents(home, _SCRIPTS)

    def _drawings(self, home: Path) -> Iterator[str]:
        return self._contents(home / FOLDER, (".svg",))

    def _contents(self, folder: Path, suffixes: tuple[str, ...]) -> Iterator[str]:
        for each in _listed(folder):
            if each.name.lower().endswith(suffixes):
                yield f"{each.name!a} {self._state(each.name, folder)}"

    def _pictures(self, home: Path) -> Iterator[str]:
        """Yield the names of pictures; their contents do not count, since they were not found."""
        pending = [(folder, 0) for folder in picture_folders(home / "rules")]
        left = _MAX_PICTURES
        while pending:
            folder, depth = pending.pop()
            for each in _listed(folder):
                left -= 1
                if left < 0:
                    return
                if each.name.lower().endswith(_PICTURES):
                    yield f"{folder.name if depth else ''!a} {each.name!a}"
                elif depth < _PICTURE_DEPTH and each.is_dir(follow_symlinks=False):
                    pending.append((Path(each.path), depth + 1))


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


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
