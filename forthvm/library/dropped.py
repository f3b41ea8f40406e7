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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.reading import ReadError, as_type, parse_json
from forthvm.core.text.visible import visible
from forthvm.library.archives import parts_of
from forthvm.system.files import (
    failure_reason,
    folder_size,
    is_older,
    long_path,
    remove_folder,
    rename,
)
from forthvm.system.folders import state_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

__all__ = ["MAX_BODY", "DropError", "DroppedFiles"]

MAX_FILES = 5_000
MAX_BYTES = 256 << 20
"""The most bytes of files that are dropped together."""
_MAX_LINE = 4 << 20
MAX_BODY = _MAX_LINE + MAX_BYTES
MOST_BYTES = 1 << 30
"""The most bytes of all dropped files; the oldest are deleted first."""
MOST_DAYS = 180
_DRAFT = "."
_NAME = 32
_CHUNK = 1 << 18

_read_files = as_type(tuple[tuple[str, int], ...])


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

    @contextmanager
    def body(self) -> Iterator[IO[bytes]]:
        """Create a temporary file for what `store` reads.

        Raises:
            DropError: It cannot be created or written.
        """
        with _stored():
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as body:
                yield body

    def store(self, body: IO[bytes]) -> str:
        """Store files, and return the name of the folder with all of them.

        Args:
            body: A line, which is a JSON list of the path and the size of each file; then the
                contents of the files.

        Raises:
            DropError: The files are too many or too large, a path is not allowed, a file is
                incomplete, or they cannot be stored.
        """
        line = body.readline(_MAX_LINE)
        try:
            files = _read_files(parse_json(line))
        except ReadError as error:
            raise DropError(f"the names of the files did not arrive: {error}") from error
        sizes = [size for _, size in files]
        if len(files) > MAX_FILES or sum(sizes) > MAX_BYTES:
            raise DropError(f"only {MAX_FILES:,} files of {MAX_BYTES >> 20} MiB can be opened")
        parts = [_parts(path) for path, _ in files]
        digest = hashlib.sha256(line)
        with _stored():
            draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=self.folder))
            try:
                for names, size in zip(parts, sizes, strict=True):
                    _copy(body, draft.joinpath(*names), size, digest.update)
                if not files or min(sizes) < 0 or body.read(1):
                    raise DropError("the files did not arrive completely")
                name = digest.hexdigest()[:_NAME]
                target = self.folder / name
                if not target.is_dir():
                    with suppress(OSError):  # another process may store them at this moment
                        rename(draft, target)
                os.utime(target)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        return name

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
            total += folder_size(path)
            days = 1 if path.name.startswith(_DRAFT) else MOST_DAYS
            with suppress(OSError):
                if total > MOST_BYTES or is_older(path, days):
                    remove_folder(path)


@contextmanager
def _stored() -> Iterator[None]:
    """Turn an error of the system in the block into a DropError."""
    try:
        yield
    except OSError as error:
        raise DropError(f"the files cannot be stored: {failure_reason(error)}") from error


def _copy(body: IO[bytes], path: Path, size: int, see: Callable[[bytes], None]) -> None:
    path = Path(long_path(str(path)))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        while size > 0:
            data = body.read(min(size, _CHUNK))
            if not data:
                raise DropError("the files did not arrive completely")
            file.write(data)
            see(data)
            size -= len(data)


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
