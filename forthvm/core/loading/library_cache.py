"""Our library as it is when it has loaded, kept in a file so that the next start is faster.

Owns the file: where it is, what it is for, when it is believed, how it is replaced.  What the
core makes of it is in native/vm/library_image.c.  Nothing here may fail: without the file the
library is interpreted; only the time differs.

A file begins with a line that has the digest of the rest.  The next says what it is for.  Then come
the library's texts in the order of loading, a line each: the name, the source position of the
LOAD that asked for it, the digest.  Behind an empty line is the core's image.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.core.bindings import CORE_FILE, digest

from .source import Text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.bindings import NativeVM

    from .library import Library

__all__ = ["LibraryImage", "cache_folder", "find_image"]

VARIABLE = "FORTHVM_CACHE"
"""Names another folder; `off`: none is used."""

_LAYOUT = 1  # of the file
_SUFFIX = ".image"
_KEPT = 16  # files: the versions of the library, checked or not, of a build or two
_MOST = 4 * 1024 * 1024  # bytes of a file: it has some 60,000
_STALE = 3600  # seconds after which an unfinished file counts as abandoned
_SUM = 17  # bytes of the first line
_BINARY = getattr(os, "O_BINARY", 0)

_read: dict[str, bytes] = {}
"""What this process has read or written, by name: further VMs need no file."""


class LibraryImage:
    """The image of one library in one file.

    Args:
        purpose: What it is for; it differs for another build, version or place of the library.
        folder: The library's.
        cache: The folder of the file.
    """

    def __init__(self, purpose: str, folder: Path, cache: str) -> None:
        self._purpose = purpose.encode("utf-8", "surrogateescape")
        self._folder = folder
        self._name = f"library-{digest(self._purpose):016x}{_SUFFIX}"
        self._cache = cache

    def restore(self, native: NativeVM) -> list[Text] | None:
        """Bring it into a new VM; gives the library's texts, None where there is no image."""
        data = _read.get(self._name) or self._from_file()
        if data is None:
            return None
        head, _, image = data.partition(b"\n\n")
        try:
            texts, end = self._texts(head.split(b"\n")[2:])
        except (OSError, ValueError):
            return None
        if texts is None or not native.image_load(image, end):
            return None
        _read[self._name] = data
        return texts

    def keep(self, native: NativeVM, texts: Sequence[Text]) -> None:
        """Write the image of a VM that has just loaded the library."""
        image = native.image_save()
        if image is None or not all(map(self._is_plain, texts)):
            return
        lines = [b"%s %d %016x" % (_name(text), text.loader, digest(text.data)) for text in texts]
        rest = b"\n".join([self._purpose, *lines, b"", image])
        data = b"%016x\n%b" % (digest(rest), rest)
        _read[self._name] = data
        with suppress(OSError):  # a full disk, a folder of others: then without
            _write(self._cache, self._name, data)

    def _is_plain(self, text: Text) -> bool:
        """Whether a text is its file's bytes, as those of ours are."""
        try:
            return text.encoding == "utf-8" and text.data == _bytes_of(self._path(_name(text)))
        except OSError:
            return False

    def _path(self, name: bytes) -> Path:
        return self._folder / name.decode()

    def _texts(self, lines: list[bytes]) -> tuple[list[Text] | None, int]:
        """The texts that a file's head names, None if they have changed, and where they end."""
        texts = []
        base = 1
        for line in lines:
            name, loader, wanted = line.split(b" ")
            path = self._path(name)
            data = _bytes_of(path) if path.parent == self._folder else None
            if data is None or wanted != b"%016x" % digest(data):
                return None, 0
            place = int(loader)
            if not 0 <= place < base:  # who loads a text comes before it
                return None, 0
            shown = f"<library>/{path.name}"
            texts.append(Text(shown, data, base, "utf-8", path, place, library=True))
            base += len(data) + 1
        return texts, base

    def _from_file(self) -> bytes | None:
        try:
            data = _bytes_of(os.path.join(self._cache, self._name), ours=True)  # noqa: PTH118
        except OSError:
            return None
        if data is None or not data.startswith(b"%016x\n" % digest(memoryview(data)[_SUM:])):
            return None
        return data if data[_SUM:].startswith(self._purpose + b"\n") else None


def find_image(library: Library, *, checked: bool) -> LibraryImage | None:
    """The image of a library of ours, whether it is there or not; None: none is wanted."""
    cache = cache_folder()
    if cache is None or library.folder is None:
        return None
    try:
        core = os.stat(CORE_FILE)  # noqa: PTH116
    except OSError:
        return None
    loaded = ",".join(path.name for path in library.files)
    return LibraryImage(
        f"forthvm library {_LAYOUT} {sys.byteorder}, core {core.st_size} {core.st_mtime_ns}, "
        f"like {library.version}, checked {checked:d}, {loaded} of {library.folder}",
        library.folder,
        cache,
    )


def _name(text: Text) -> bytes:
    return text.path.name.encode() if text.path is not None else b""


# --- the folder ---------------------------------------------------------------------


def cache_folder() -> str | None:
    """The folder for caches; None: there is none."""
    wished = os.environ.get(VARIABLE)
    if wished:
        return None if wished == "off" else wished
    home = os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or home
    elif sys.platform == "darwin":
        base = f"{home}/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not base.startswith("/"):  # the standard says to ignore relative ones
            base = f"{home}/.cache"
    return os.path.join(base, "forthvm") if os.path.isabs(base) else None  # noqa: PTH117, PTH118


def _ours(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _bytes_of(path: str | Path, *, ours: bool = False) -> bytes | None:
    """A file's bytes; None if it is no plain file, too large, or not ours and ought to be."""
    number = os.open(path, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))  # no pipes
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or (ours and not _ours(found)):
            return None
        return os.read(number, found.st_size) if found.st_size <= _MOST else None
    finally:
        os.close(number)


def _write(folder: str, name: str, data: bytes) -> None:
    """Make the file in one step: others see the old one or the new one, whole."""
    import time

    os.makedirs(folder, 0o700, exist_ok=True)  # noqa: PTH103
    if not _ours(os.stat(folder)):  # noqa: PTH116 - root at work for somebody else
        return
    path = os.path.join(folder, name)  # noqa: PTH118
    mine = f"{path}.{os.getpid()}-{time.time_ns()}"
    try:
        number = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(data)
        os.replace(mine, path)  # noqa: PTH105
    except OSError:
        _remove(mine)
        raise
    _tidy(folder, time.time())


def _tidy(folder: str, now: float) -> None:
    """Remove the files of other versions but for some, and what was never finished."""
    kept: list[tuple[float, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("library-"):
                changed = entry.stat(follow_symlinks=False).st_mtime
                if entry.name.endswith(_SUFFIX):
                    kept.append((changed, entry.path))
                elif now - changed > _STALE:
                    _remove(entry.path)
    for _, path in sorted(kept, reverse=True)[_KEPT:]:
        _remove(path)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)  # noqa: PTH108
