"""The cache of library images: a VM that starts from an image need not interpret the library.

Owns the cache files: their folder, their key, the check that they are valid, and their
replacement.  native/vm/library_image.c owns the format of the image.  If reading or writing a cache
file fails, no error is raised: interpreting the library has the same result and takes longer.

The first line of a file is the digest of all that follows, and the second line is the key.  Each
text of the library, in the order of loading, has a line: name, source position of the LOAD that
requested the text, digest.  An empty line and the image follow.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.core.bindings import CORE_FILE, digest
from forthvm.system import folders
from forthvm.system.files import is_own, open_file, replace_file

from .source import Text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.bindings import NativeVM

    from .library import Library

__all__ = ["CacheEntry", "cache_folder", "find_entry"]

VARIABLE = "FORTHVM_CACHE"
"""Environment variable with the path of the cache folder; `off` disables the cache."""

_FORMAT = 1  # version of the file format
_SUFFIX = ".image"
_MAX_FILES = 16  # enough for all library versions, checked or not, of one or two builds
_MAX_BYTES = 4 * 1024 * 1024  # of a file; actual files have about 60,000
_STALE = 3600  # seconds after which an unfinished file is removed
_DIGEST_LINE = 17  # bytes of the first line

_in_process: dict[str, bytes] = {}
"""Files that this process has read or written, by name; further VMs use them from memory."""


class CacheEntry:
    """The file for the image of one library; the file may not exist yet.

    Args:
        key: Identifies build, options, version and folder of the library.
        folder: Folder of the library.
        cache: Folder of the cache.
    """

    def __init__(self, key: str, folder: Path, cache: str) -> None:
        self._key = key.encode("utf-8", "surrogateescape")
        self._folder = folder
        self._name = f"library-{digest(self._key):016x}{_SUFFIX}"
        self._cache = cache

    def restore(self, native: NativeVM) -> list[Text] | None:
        """Load the image into a new VM; return the library's texts, None if there is no image."""
        data = _in_process.get(self._name) or self._from_file()
        if data is None:
            return None
        head, _, image = data.partition(b"\n\n")
        try:
            texts, end = self._texts(head.split(b"\n")[2:])
        except (OSError, ValueError):
            return None
        if texts is None or not native.image_load(image, end):
            return None
        _in_process[self._name] = data
        return texts

    def save(self, native: NativeVM, texts: Sequence[Text]) -> None:
        """Write the image of a VM that has just loaded the library."""
        image = native.image_save()
        if image is None or not all(map(self._equals_file, texts)):
            return
        lines = [
            b"%s %d %016x" % (_name(text), text.load_position, digest(text.data)) for text in texts
        ]
        content = b"\n".join([self._key, *lines, b"", image])
        data = b"%016x\n%b" % (digest(content), content)
        _in_process[self._name] = data
        with suppress(OSError):  # for example a full disk: continue without a file
            _write(self._cache, self._name, data)

    def _equals_file(self, text: Text) -> bool:
        """Return whether a text consists of the bytes of its file, as all bundled texts do."""
        try:
            return text.encoding == "utf-8" and text.data == _bytes_of(self._path(_name(text)))
        except OSError:
            return False

    def _path(self, name: bytes) -> Path:
        return self._folder / name.decode()

    def _texts(self, lines: list[bytes]) -> tuple[list[Text] | None, int]:
        """Return the texts listed in a cache file, and the source position after the last text.

        Returns:
            None and 0 if the cache file is outdated.
        """
        texts = []
        base = 1  # the first source position of a VM
        for line in lines:
            name, position, expected = line.split(b" ")
            path = self._path(name)
            data = _bytes_of(path) if path.parent == self._folder else None
            if data is None or expected != b"%016x" % digest(data):
                return None, 0
            load_position = int(position)
            if not 0 <= load_position < base:  # a text has positions after that of its LOAD
                return None, 0
            shown = f"<library>/{path.name}"
            texts.append(Text(shown, data, base, "utf-8", path, load_position, library=True))
            base += len(data) + 1
        return texts, base

    def _from_file(self) -> bytes | None:
        """Return the bytes of the cache file; None if it is missing or invalid."""
        try:
            data = _bytes_of(os.path.join(self._cache, self._name), owned=True)  # noqa: PTH118
        except OSError:
            return None
        if data is None:
            return None
        if not data.startswith(b"%016x\n" % digest(memoryview(data)[_DIGEST_LINE:])):
            return None
        return data if data[_DIGEST_LINE:].startswith(self._key + b"\n") else None


def find_entry(library: Library, *, checked: bool) -> CacheEntry | None:
    """Return the cache entry of a library, None if there is no cache."""
    cache = cache_folder()
    if cache is None or library.folder is None:
        return None
    try:
        core = os.stat(CORE_FILE)  # noqa: PTH116
    except OSError:
        return None
    loaded = ",".join(path.name for path in (*library.files, *library.standard))
    return CacheEntry(
        f"forthvm library {_FORMAT} {sys.byteorder}, core {core.st_size} {core.st_mtime_ns}, "
        f"like {library.version}, checked {checked:d}, {loaded} of {library.folder}",
        library.folder,
        cache,
    )


def _name(text: Text) -> bytes:
    return text.path.name.encode() if text.path is not None else b""


# --- the folder ---------------------------------------------------------------------


def cache_folder() -> str | None:
    """Return the folder of the cache; None if it is disabled or unknown."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return None if chosen == "off" else chosen
    return folders.cache_folder()


def _bytes_of(path: str | Path, *, owned: bool = False) -> bytes | None:
    """Return the bytes of a regular file; None if it is too large.

    With `owned`, also return None if the file does not belong to the user of this process.
    """
    descriptor = open_file(path, os.O_RDONLY)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or (owned and not is_own(status)):
            return None
        return os.read(descriptor, status.st_size) if status.st_size <= _MAX_BYTES else None
    finally:
        os.close(descriptor)


def _write(folder: str, name: str, data: bytes) -> None:
    """Write the file atomically: other processes see the old file or the new one."""
    import time

    os.makedirs(folder, 0o700, exist_ok=True)  # noqa: PTH103
    if not is_own(os.stat(folder)):  # noqa: PTH116 - for example, root in a user's home
        return
    replace_file(os.path.join(folder, name), data, mode=0o600)  # noqa: PTH118
    _clean(folder, time.time())


def _clean(folder: str, now: float) -> None:
    """Remove the oldest images beyond the limit, and abandoned temporary files."""
    images: list[tuple[float, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(("library-", ".library-")):
                changed = entry.stat(follow_symlinks=False).st_mtime
                if entry.name.endswith(_SUFFIX):
                    images.append((changed, entry.path))
                elif now - changed > _STALE:
                    _remove(entry.path)
    for _, path in sorted(images, reverse=True)[_MAX_FILES:]:
        _remove(path)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)  # noqa: PTH108
