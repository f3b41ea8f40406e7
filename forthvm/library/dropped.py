"""The files that the user dropped on a page, in a private folder of the user.

Owns the folder, its limits, and how files arrive in it.  Names and contents are untrusted.

Files that are dropped together have a folder of their own, named by their contents: a game that is
dropped again is the same game, so it can be continued.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.library.paths import parts_of
from forthvm.system.files import failure_reason, is_older, long_path, rename
from forthvm.system.folders import state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

__all__ = ["MAX_BYTES", "MAX_FILES", "Drop", "DropError", "DroppedFiles"]

MAX_FILES = 5_000
MAX_BYTES = 256 << 20
"""The most bytes of files that are dropped together."""
MOST_BYTES = 1 << 30
"""The most bytes of all dropped files; the oldest are deleted first."""
MOST_DAYS = 180
_DRAFT = "."
_NAME = 32


class DropError(ForthVMError):
    """Files cannot be stored."""


class DroppedFiles:
    """The folder of all dropped files."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is created with the first files."""
        self.folder = folder

    @classmethod
    def of_user(cls) -> DroppedFiles:
        """Return the files in the user's folder, without old ones."""
        dropped = cls(state_folder() / "dropped")
        dropped.clean_up()
        return dropped

    def folder_of(self, name: str) -> Path | None:
        """Return the folder of files that were dropped together; None if there is none."""
        is_name = len(name) == _NAME and set(name) <= set("0123456789abcdef")
        path = self.folder / name
        return path if is_name and path.is_dir() else None

    def keep(self, path: Path) -> None:
        """Let the days begin again after which the files are deleted that contain a file."""
        if path.is_relative_to(self.folder):
            with suppress(OSError):
                os.utime(self.folder / path.relative_to(self.folder).parts[0])

    def clean_up(self) -> None:
        """Delete files that are too old or, together with newer ones, too large."""
        dated = []
        for path in _listed(self.folder):
            with suppress(OSError):
                dated.append((path.stat().st_mtime_ns, path))
        total = 0
        for _, path in sorted(dated, reverse=True):
            total += _size(path)
            days = 1 if path.name.startswith(_DRAFT) else MOST_DAYS
            with suppress(OSError):
                if total > MOST_BYTES or is_older(path, days):
                    shutil.rmtree(path)


class Drop:
    """Files that arrive one after the other; a context manager that deletes incomplete ones."""

    def __init__(self, dropped: DroppedFiles, files: Sequence[tuple[str, int]]) -> None:
        """Prepare to store files.

        Args:
            dropped: Where.
            files: The path and the size of each file, in the order in which they arrive.

        Raises:
            DropError: The files are too many or too large, or a path is not allowed.
        """
        if len(files) > MAX_FILES or sum(size for _, size in files) > MAX_BYTES:
            raise DropError(f"only {MAX_FILES:,} files of {MAX_BYTES >> 20} MiB can be opened")
        self._folder = dropped.folder
        self._parts = [_parts(path) for path, _ in files]
        self._left = [size for _, size in files]
        self._digest = hashlib.sha256(repr(list(files)).encode())
        self._draft: Path | None = None
        self._file: BinaryIO | None = None

    def write(self, data: bytes) -> None:
        """Store the next part of the contents, at the end of one file and the beginning of others.

        Raises:
            DropError: It cannot be stored, or belongs to no file.
        """
        try:
            self._digest.update(data)
            while data or (self._left and not self._left[0]):
                if not self._left:
                    raise DropError("there is more data than files")
                file = self._file or self._next_file()
                part = data[: self._left[0]]
                file.write(part)
                data = data[len(part) :]
                self._left[0] -= len(part)
                if not self._left[0]:
                    self._end_file()
        except OSError as error:
            raise DropError(f"the files cannot be stored: {failure_reason(error)}") from error

    def finish(self) -> str:
        """Return the name of the folder with all files.

        Raises:
            DropError: A file is incomplete, or the files cannot be stored.
        """
        self.write(b"")  # files without bytes
        if self._left or self._draft is None:
            raise DropError("the files did not arrive completely")
        name = self._digest.hexdigest()[:_NAME]
        target = self._folder / name
        try:
            with suppress(OSError):  # another process may store the same files at this moment
                rename(self._draft, target)
            os.utime(target)
        except OSError as error:
            raise DropError(f"the files cannot be stored: {failure_reason(error)}") from error
        return name

    def __enter__(self) -> Drop:
        """Return the object itself."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """Delete what is incomplete."""
        if self._file is not None:
            self._file.close()
        if self._draft is not None:
            shutil.rmtree(self._draft, ignore_errors=True)

    def _next_file(self) -> BinaryIO:
        if self._draft is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=self._folder))
        path = Path(long_path(str(self._draft.joinpath(*self._parts.pop(0)))))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("xb")
        except (FileExistsError, NotADirectoryError) as error:
            raise DropError(f"two files have the name `{visible(path.name)}`") from error
        return self._file

    def _end_file(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None
        del self._left[0]


def _parts(path: str) -> list[str]:
    parts = parts_of(path)
    if not parts or any("\ud800" <= letter <= "\udfff" for letter in path):
        raise DropError(f"the name `{visible(path[:80])}` is not allowed")
    return parts


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _size(folder: Path) -> int:
    def sizes() -> Iterator[int]:
        for path in folder.rglob("*"):
            with suppress(OSError):
                yield path.lstat().st_size

    return sum(sizes())
