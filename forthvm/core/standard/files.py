"""The files of a standard Forth: the words of the word set FILE that the host implements.

This file owns the open files and the rule which files a script may use: regular files below one
folder that the user chose, without `..` and without links that lead out of it.  Results of words
end with a throw code, 0 if the word succeeded.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.system.files import decoded_name, open_file, rename

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedRandom, BufferedReader, BufferedWriter

    from forthvm.core.bindings import NativeVM

    File = BufferedRandom | BufferedReader | BufferedWriter

__all__ = ["Files"]

MAX_FILES = 64
"""Largest number of open files."""
MAX_BYTES = 64 * 1024 * 1024
"""Largest size to which a script may extend a file."""

_MODES = {0: ("rb", os.O_RDONLY), 1: ("wb", os.O_WRONLY), 2: ("r+b", os.O_RDWR)}
_FIRST = 1000  # number of the first file; lower numbers are those of included texts
_NO_FILE = -38


class Files:
    """The files of one VM.

    Args:
        native: The VM.
        folder: The folder that contains the files; None: no file may be used.

    Attributes:
        on_refusal: Called when a script names a file and there is no folder.
    """

    def __init__(self, native: NativeVM, folder: Path | None) -> None:
        self._native = native
        self._folder = None if folder is None else Path(os.path.realpath(folder))
        self._files: dict[int, File] = {}
        self._locked = False
        self.on_refusal: Callable[[], object] | None = None

    def __del__(self) -> None:
        for file in self._files.values():
            with suppress(OSError):
                file.close()

    def words(self) -> tuple[tuple[str, str, Callable[..., object]], ...]:
        """Return the host words: name, stack effect, function."""
        return (
            ("OPEN-FILE", "( addr n method -- file code )", self._open),
            ("CREATE-FILE", "( addr n method -- file code )", self._create),
            ("CLOSE-FILE", "( file -- code )", self._close),
            ("DELETE-FILE", "( addr n -- code )", self._delete),
            ("RENAME-FILE", "( addr n addr2 n2 -- code )", self._rename),
            ("FILE-STATUS", "( addr n -- x code )", self._status),
            ("FILE-POSITION", "( file -- low high code )", self._position),
            ("REPOSITION-FILE", "( low high file -- code )", self._reposition),
            ("FILE-SIZE", "( file -- low high code )", self._size),
            ("RESIZE-FILE", "( low high file -- code )", self._resize),
            ("READ-FILE", "( addr n file -- n2 code )", self._read),
            ("READ-LINE", "( addr n file -- n2 ? code )", self._read_line),
            ("WRITE-FILE", "( addr n file -- code )", self._write),
            ("WRITE-LINE", "( addr n file -- code )", self._write_line),
            ("FLUSH-FILE", "( file -- code )", self._flush),
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Make all words for files fail during a block."""
        before, self._locked = self._locked, True
        try:
            yield
        finally:
            self._locked = before

    def rest(self, number: int) -> tuple[str, bytes]:
        """Read the rest of an open file; return its name and what was read.

        Raises:
            OSError: The file cannot be read.
        """
        file = self._file(number)
        return Path(str(file.name)).name, file.read(MAX_BYTES)

    # --- names -------------------------------------------------------------------------

    def _path(self, address: int, length: int) -> Path:
        """Return the path of a file that a script names.

        Raises:
            OSError: The script may not use that file.
        """
        if self._folder is None and self.on_refusal is not None:
            self.on_refusal()
        if self._folder is None or self._locked:
            raise PermissionError("files may not be used")
        name = decoded_name(self._native.read(address, length)) if length > 0 else ""
        parts = name.replace("\\", "/").removeprefix("./").split("/")
        if "\0" in name or ":" in name or any(part in {"", ".", ".."} for part in parts):
            raise PermissionError(name)
        parent = Path(os.path.realpath(self._folder.joinpath(*parts[:-1])))
        if not parent.is_relative_to(self._folder):
            raise PermissionError(name)
        path = parent / parts[-1]
        if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
            raise PermissionError(name)
        return path

    def _opened(self, path: Path, method: int, flags: int) -> int:
        mode, access = _MODES[method & 3]
        if len(self._files) >= MAX_FILES:
            raise OSError("too many open files")
        file: File = open(  # type: ignore[assignment]  # noqa: SIM115
            path, mode, opener=lambda name, _: open_file(name, access | flags, follow=False)
        )
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise PermissionError(path)
        number = next(n for n in range(_FIRST, _FIRST + MAX_FILES) if n not in self._files)
        self._files[number] = file
        return number

    def _open(self, address: int, length: int, method: int) -> tuple[int, int]:
        try:
            return self._opened(self._path(address, length), method, 0), 0
        except FileNotFoundError:
            return 0, _NO_FILE
        except (OSError, KeyError):
            return 0, -69

    def _create(self, address: int, length: int, method: int) -> tuple[int, int]:
        try:
            path = self._path(address, length)
            writable = method if method & 3 else 2  # the new file of R/O may be written, too
            return self._opened(path, writable, os.O_CREAT | os.O_TRUNC), 0
        except (OSError, KeyError):
            return 0, -63

    def _delete(self, address: int, length: int) -> int:
        try:
            self._path(address, length).unlink()
        except FileNotFoundError:
            return _NO_FILE
        except OSError:
            return -64
        return 0

    def _rename(self, address: int, length: int, address2: int, length2: int) -> int:
        try:
            old, new = self._path(address, length), self._path(address2, length2)
            rename(old, new)
        except FileNotFoundError:
            return _NO_FILE
        except OSError:
            return -72
        return 0

    def _status(self, address: int, length: int) -> tuple[int, int]:
        try:
            return 0, 0 if self._path(address, length).exists() else _NO_FILE
        except OSError:
            return 0, -67

    # --- open files ----------------------------------------------------------------------

    def _file(self, number: int) -> File:
        if self._locked:
            raise PermissionError("files may not be used")
        try:
            return self._files[number]
        except KeyError:
            raise OSError(f"there is no open file {number}") from None

    def _close(self, number: int) -> int:
        try:
            file = self._file(number)
            del self._files[number]
            file.close()
        except OSError:
            return -62
        return 0

    def _flush(self, number: int) -> int:
        try:
            self._file(number).flush()
        except OSError:
            return -68
        return 0

    def _position(self, number: int) -> tuple[int, int, int]:
        try:
            return *_double(self._file(number).tell()), 0
        except OSError:
            return 0, 0, -65

    def _reposition(self, low: int, high: int, number: int) -> int:
        try:
            self._file(number).seek(_number(low, high))
        except (OSError, ValueError, OverflowError):
            return -73
        return 0

    def _size(self, number: int) -> tuple[int, int, int]:
        try:
            file = self._file(number)
            if file.writable():
                file.flush()
            return *_double(os.fstat(file.fileno()).st_size), 0
        except OSError:
            return 0, 0, -66

    def _resize(self, low: int, high: int, number: int) -> int:
        size = _number(low, high)
        try:
            if size > MAX_BYTES:
                return -74
            self._file(number).truncate(size)
        except OSError:
            return -74
        return 0

    def _read(self, address: int, length: int, number: int) -> tuple[int, int]:
        try:
            data = self._file(number).read(_length(length))
        except OSError:
            return 0, -70
        return len(data), self._store(address, data)

    def _read_line(self, address: int, length: int, number: int) -> tuple[int, bool, int]:
        try:
            file = self._file(number)
            data = file.readline(_length(length))
            if not data:
                at_end = length != 0 or not file.peek(1)  # type: ignore[union-attr]
                return 0, not at_end, 0
        except OSError:
            return 0, False, -71
        if data.endswith(b"\n"):
            data = data[:-1].removesuffix(b"\r")
        return len(data), True, self._store(address, data)

    def _write(self, address: int, length: int, number: int) -> int:
        return self._put(address, length, number, b"", -75)

    def _write_line(self, address: int, length: int, number: int) -> int:
        return self._put(address, length, number, b"\n", -76)

    def _put(self, address: int, length: int, number: int, end: bytes, code: int) -> int:
        data = self._native.read(address, _length(length)) if length else b""
        try:
            file = self._file(number)
            if file.tell() + len(data) + len(end) > MAX_BYTES:
                return code
            file.write(data + end)
        except OSError:
            return code
        return 0

    def _store(self, address: int, data: bytes) -> int:
        if data:
            self._native.write(address, data)
        return 0


def _length(cell: int) -> int:
    return min(cell & 0xFFFFFFFF, MAX_BYTES)


def _number(low: int, high: int) -> int:
    return (high & 0xFFFFFFFF) << 32 | (low & 0xFFFFFFFF)


def _double(number: int) -> tuple[int, int]:
    return number & 0xFFFFFFFF, number >> 32
