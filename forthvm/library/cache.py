"""The cache of descriptions, so that only changed files are loaded again.

Owns the files of the cache: a record and a thumbnail for each file of the library, written as a
whole, so that a killed scan loses only the files that it was reading.

A record is found by the name and the content of the file, wherever the file is.  It is valid while
the version of forthvm and the surroundings of the file (surroundings.py) are the same.  Copies of a
file with different surroundings have a record each.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.core.loading.library_cache import cache_folder
from forthvm.core.reading import ReadError, as_type, parse_json
from forthvm.library.entry import Entry
from forthvm.library.surroundings import Surroundings, digest_of
from forthvm.library.unpacked import UnpackedArchives
from forthvm.render.symbols.pictures import has_pillow
from forthvm.system.files import is_older, remove_folder, replace_file

if TYPE_CHECKING:
    from forthvm.library.describing import Description

__all__ = ["Cache"]

_FORMAT = 3
MOST_DAYS = 180


@dataclass(frozen=True, slots=True)
class _Record:
    """A record as JSON."""

    made_by: str
    surroundings: dict[str, str]
    entry: Entry | None


_read = as_type(_Record)
_DRAWS = "with" if has_pillow() else "without"
_MADE_BY = f"forthvm {__version__}, format {_FORMAT}, {_DRAWS} pictures of rule files"


class Cache:
    """The cache as scans see it.

    Attributes:
        archives: The unpacked archives; None if nothing is cached.
    """

    def __init__(self, folder: Path | None) -> None:
        """Use a folder, which is created with the first record."""
        self.archives = None if folder is None else UnpackedArchives(folder / "archives")
        self._folder = folder
        self._surroundings = Surroundings()
        self._records: dict[Path, Path] = {}

    @classmethod
    def of_user(cls) -> Cache:
        """Return the cache in the user's folder, without old files; without a folder it is off."""
        folder = cache_folder()
        cache = cls(None if folder is None else Path(folder) / "library")
        cache.clean_up()
        return cache

    def look_again(self) -> None:
        """Forget which files are beside others: a scan begins."""
        self._surroundings = Surroundings()

    def find(self, path: Path, digest: str, archive: str = "") -> tuple[bool, Entry | None]:
        """Return whether the description of a file is known, and its entry.

        Args:
            path: The file.
            digest: Its digest.
            archive: The path of the archive that contains it.
        """
        folder = self._folder_of(path, digest)
        # Where the file has always been, its own record is the first.
        for file in sorted(_records(folder), key=lambda file: file.stem != _place(path)):
            record = _record(file)
            if record is not None and self._surroundings.fit(path, record.surroundings):
                self._records[path] = file
                entry = record.entry
                return True, entry and replace(entry, path=str(path), archive=archive)
        return False, None

    def store(self, path: Path, digest: str, found: Description) -> None:
        """Store the description of a file; a full disk means that it is described again.

        Args:
            path: The file.
            digest: The digest of the file before it was described.
            found: The description.
        """
        folder = self._folder_of(path, digest)
        if folder is None:
            return
        record = {
            "made_by": _MADE_BY,
            "surroundings": self._surroundings.of(path, found.needs),
            "entry": None if found.entry is None else asdict(found.entry),
        }
        # ASCII, because names of files that are not UTF-8 contain surrogates.
        data = json.dumps(record, separators=(",", ":")).encode("ascii")
        with suppress(OSError):
            if digest_of(path) != digest:
                return  # it is not known which of the two contents was described
            target = folder / f"{_place(path)}.json"
            target.parent.mkdir(parents=True, exist_ok=True)
            # The record is written last, so that it has its thumbnail.
            replace_file(target.with_suffix(".svg"), found.thumbnail.encode())
            replace_file(target, data)
            self._records[path] = target

    def clean_up(self) -> None:
        """Delete what is older than MOST_DAYS: files of the library may have gone or moved."""
        if self._folder is None:
            return
        for path in [*self._folder.glob("entries/*"), *self._folder.glob("archives/*/*")]:
            with suppress(OSError):
                if not is_older(path, MOST_DAYS):
                    continue
                if path.is_dir():
                    remove_folder(path)
                else:
                    path.unlink()

    def thumbnail(self, path: Path) -> Path | None:
        """Return the file with the thumbnail of a file that a scan has found or stored."""
        record = self._records.get(path)
        if record is None:
            return None
        picture = record.with_suffix(".svg")
        with suppress(OSError):
            if picture.stat().st_size:
                return picture
        return None

    def _folder_of(self, path: Path, digest: str) -> Path | None:
        """Return the folder of the records of all files with a name and a content."""
        if self._folder is None:
            return None
        return self._folder / "entries" / _short_digest(f"{digest} {path.name!a}")


def _records(folder: Path | None) -> list[Path]:
    return [] if folder is None else list(folder.glob("*.json"))


def _place(path: Path) -> str:
    """Return the name of the records of files in the folder of a file."""
    return _short_digest(f"{str(path.parent)!a}")


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def _record(file: Path) -> _Record | None:
    """Return a record; None if it is missing, damaged or of another version."""
    try:
        record = _read(parse_json(file.read_bytes()))
    except (OSError, ReadError):
        return None
    return record if record.made_by == _MADE_BY else None
