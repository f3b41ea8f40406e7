"""The cache of descriptions, so that only changed files are loaded again.

Owns the files of the cache: a record and a thumbnail for each file of the library, written as a
whole, so that a killed scan loses only the files that it was reading.

A record is valid while the version of forthvm and the contents of all files that were read are the
same.  The failure to load a file may depend on a file that did not exist; such a record is valid
while the scripts and rule files in the folder are the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.core.loading.library_cache import cache_folder
from forthvm.core.reading import ReadError, as_type, parse_json
from forthvm.library.entry import Entry
from forthvm.system.files import is_older, open_file, replace_file

if TYPE_CHECKING:
    from forthvm.library.describing import Description

__all__ = ["Cache", "digest_of"]

_FORMAT = 1
_HASHED_BYTES = 16 << 20
"""Of larger files, which are databases and archives, only size and time of change count."""
_LOADED = (".4th", ".zrf")
MOST_DAYS = 180


@dataclass(frozen=True, slots=True)
class _Record:
    """A record as JSON."""

    made_by: str
    files: tuple[tuple[str, str], ...]
    folder: str
    entry: Entry | None


_read = as_type(_Record)
_MADE_BY = f"forthvm {__version__}, format {_FORMAT}"


def digest_of(path: Path) -> str:
    """Return the digest of a file.

    Raises:
        OSError: The file cannot be read.
    """
    with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
        status = os.fstat(file.fileno())
        if status.st_size > _HASHED_BYTES:
            return f"{status.st_size} {status.st_mtime_ns}"
        return hashlib.sha256(file.read(_HASHED_BYTES)).hexdigest()


class Cache:
    """The cache as one scan sees it.

    Attributes:
        folder: Where archives are unpacked; None if nothing is cached.
    """

    def __init__(self, folder: Path | None) -> None:
        """Use a folder, which is created with the first record."""
        self.folder = folder
        self._folders: dict[Path, str] = {}

    @classmethod
    def of_user(cls) -> Cache:
        """Return the cache in the user's folder, without old files; without a folder it is off."""
        folder = cache_folder()
        cache = cls(None if folder is None else Path(folder) / "library")
        cache.clean_up()
        return cache

    def find(self, path: Path) -> tuple[bool, Entry | None]:
        """Return whether the description of a file is known, and its entry.

        Raises:
            OSError: The file cannot be read.
        """
        digest = digest_of(path)
        record = self._record(path)
        if record is None or dict(record.files).get(str(path)) != digest:
            return False, None
        if record.folder and record.folder != self._folder_state(path.parent):
            return False, None
        others = (each for each in record.files if each[0] != str(path))
        if any(_digest_or_none(Path(name)) != known for name, known in others):
            return False, None
        return True, record.entry

    def store(self, path: Path, found: Description) -> None:
        """Store the description of a file; a full disk means that it is described again."""
        if self.folder is None:
            return
        names = dict.fromkeys([str(path), *found.files])
        digests = ((name, _digest_or_none(Path(name))) for name in names)
        record = {
            "made_by": _MADE_BY,
            "files": [(name, digest) for name, digest in digests if digest is not None],
            "folder": self._folder_state(path.parent) if found.again else "",
            "entry": None if found.entry is None else asdict(found.entry),
        }
        # ASCII, because names of files that are not UTF-8 contain surrogates.
        data = json.dumps(record, separators=(",", ":")).encode("ascii")
        with suppress(OSError):
            target = self._path_of(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            # The record is written last, so that it has its thumbnail.
            replace_file(target.with_suffix(".svg"), found.thumbnail.encode())
            replace_file(target, data)

    def clean_up(self) -> None:
        """Delete what is older than MOST_DAYS: files of the library may have gone or moved."""
        if self.folder is None:
            return
        for path in [*self.folder.glob("entries/*"), *self.folder.glob("archives/*/*")]:
            with suppress(OSError):
                if not is_older(path, MOST_DAYS):
                    continue
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()

    def thumbnail(self, path: Path) -> Path | None:
        """Return the file with the thumbnail of a file; None if there is none."""
        if self.folder is None:
            return None
        picture = self._path_of(path).with_suffix(".svg")
        with suppress(OSError):
            if picture.stat().st_size:
                return picture
        return None

    def _record(self, path: Path) -> _Record | None:
        """Return the record of a file; None if it is missing, damaged or of another version."""
        if self.folder is None:
            return None
        try:
            record = _read(parse_json(self._path_of(path).read_bytes()))
        except (OSError, ReadError):
            return None
        return record if record.made_by == _MADE_BY else None

    def _path_of(self, path: Path) -> Path:
        assert self.folder is not None
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
        return self.folder / "entries" / f"{name}.json"

    def _folder_state(self, folder: Path) -> str:
        """Return a digest of names, sizes and times of change of what games can load."""
        if folder not in self._folders:
            state = hashlib.sha256()
            with suppress(OSError), os.scandir(folder) as found:
                for each in sorted(found, key=lambda each: each.name):
                    if each.name.lower().endswith(_LOADED):
                        state.update(f"{each.name!a} {_status(each)}\n".encode("ascii"))
            self._folders[folder] = state.hexdigest()
        return self._folders[folder]


def _status(each: os.DirEntry[str]) -> str:
    """Return the size and the time of change; "" if it is a link to nothing."""
    try:
        status = each.stat()
    except OSError:
        return ""
    return f"{status.st_size} {status.st_mtime_ns}"


def _digest_or_none(path: Path) -> str | None:
    try:
        return digest_of(path)
    except OSError:
        return None
