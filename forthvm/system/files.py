"""Opens files without waiting for pipes or following links, and replaces files as a whole.

Owns the flags and the system calls for this.

On POSIX, the system refuses to follow links.  Windows has no such flag, so there the path of the
opened file, or its identity, is compared with the expected one.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = [
    "decoded_name",
    "failure_reason",
    "folder_size",
    "is_older",
    "is_own",
    "long_path",
    "open_below",
    "open_file",
    "remove",
    "remove_folder",
    "removed_after_error",
    "rename",
    "replace_file",
    "short_path",
]

_SECONDS_OF_A_DAY = 86400
_BLOCK = 4096
"""The bytes by which files grow on usual file systems."""
_HELD_ERRORS = (5, 32, 33)
"""The errors of Windows for a file that another program has open, for example a virus scanner:
access denied, sharing violation, lock violation."""
_LONG = 248
_LONG_PREFIX = "\\\\?\\"
_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""Seconds between the attempts to rename or remove such a file."""


def decoded_name(name: bytes) -> str:
    """Decode the name of a file; bytes that cannot be decoded become surrogates.

    `os.fsdecode` raises an error for such bytes on Windows.
    """
    return name.decode(sys.getfilesystemencoding(), "surrogateescape")


def long_path(path: str, *, system: str = sys.platform) -> str:
    r"""Return a path that the system accepts even if it is long.

    Windows refuses more than 260 characters (248 for folders) in a path that does not begin with
    `\\?\`.

    >>> long_path("C:/Games/" + "a" * 250, system="win32")[:15]
    '\\\\?\\C:\\Games\\aa'
    """
    if system != "win32":
        return path
    import ntpath

    absolute = ntpath.abspath(path)
    if len(absolute) < _LONG or absolute.startswith(_LONG_PREFIX):
        return path
    if absolute.startswith("\\\\"):
        return f"{_LONG_PREFIX}UNC{absolute[1:]}"
    return _LONG_PREFIX + absolute


def short_path(path: str) -> str:
    r"""Return a path as users write it, without the prefix of `long_path`."""
    if path.startswith(f"{_LONG_PREFIX}UNC\\"):
        return "\\\\" + path.removeprefix(f"{_LONG_PREFIX}UNC\\")
    return path.removeprefix(_LONG_PREFIX)


def failure_reason(error: Exception, *, system: str = sys.platform) -> str:
    """Return the reason of an error of the system, for messages that name the file themselves.

    Windows denies access to a folder that is opened as a file; the reason is that it is a folder.
    """
    if (
        system == "win32"
        and isinstance(error, PermissionError)
        and getattr(error, "winerror", None) is None  # it comes from `open`
        and error.filename is not None
        and os.path.isdir(error.filename)  # noqa: PTH112
    ):
        return os.strerror(errno.EISDIR)
    return str(getattr(error, "strerror", None) or error)


# --- opening -----------------------------------------------------------------------

if sys.platform == "win32":
    _FLAGS = os.O_BINARY

    def is_own(status: os.stat_result) -> bool:
        """Return whether a file belongs to the user; on Windows folders of users are private."""
        return True

    def _open_without_links(path: str | Path, flags: int, mode: int) -> int:
        def is_at_path(descriptor: int) -> bool:
            found = os.stat(path, follow_symlinks=False)  # noqa: PTH116
            return os.path.samestat(os.fstat(descriptor), found)

        # If it is the file of a link, it must not be changed, so it is truncated after the check.
        descriptor = _checked(os.open(path, flags & ~os.O_TRUNC | _FLAGS, mode), path, is_at_path)
        if flags & os.O_TRUNC:
            os.ftruncate(descriptor, 0)
        return descriptor

    def _open_below(root: Path, names: Sequence[str]) -> int:
        from forthvm.system.windows import path_of

        def is_at_path(descriptor: int) -> bool:
            opened = short_path(path_of(descriptor))
            return os.path.normcase(opened) == os.path.normcase(short_path(path))

        path = os.path.join(root, *names)  # noqa: PTH118
        return _checked(os.open(path, os.O_RDONLY | _FLAGS), path, is_at_path)

    def _checked(descriptor: int, path: str | Path, is_at_path: Callable[[int], bool]) -> int:
        """Return the descriptor if it belongs to the path; otherwise close it and raise OSError."""
        try:
            if not is_at_path(descriptor):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

else:
    _FLAGS = os.O_NONBLOCK | os.O_NOCTTY  # do not wait for a pipe
    _FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW

    def is_own(status: os.stat_result) -> bool:
        """Return whether a file belongs to the user of this process."""
        return status.st_uid == os.geteuid()

    def _open_without_links(path: str | Path, flags: int, mode: int) -> int:
        return os.open(path, flags | _FLAGS | os.O_NOFOLLOW, mode)

    def _open_below(root: Path, names: Sequence[str]) -> int:
        *folders, name = names
        descriptor = os.open(root, _FOLDER_FLAGS)
        try:
            for folder in folders:
                inner = os.open(folder, _FOLDER_FLAGS, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            return os.open(name, os.O_RDONLY | _FLAGS | os.O_NOFOLLOW, dir_fd=descriptor)
        finally:
            os.close(descriptor)


def is_older(path: Path, days: int) -> bool:
    """Return whether a file or folder was changed last more than a number of days ago.

    Raises:
        OSError: There is no such file.
    """
    return path.stat().st_mtime < time.time() - days * _SECONDS_OF_A_DAY


def open_file(path: str | Path, flags: int, mode: int = 0o666, *, follow: bool = True) -> int:
    """Open a file of bytes and return its descriptor; never waits for a pipe.

    Args:
        path: The file.
        flags: Flags as for `os.open`.
        mode: The permissions of a new file.
        follow: Whether the path may be that of a link.

    Raises:
        OSError: The file cannot be opened, or is a link that must not be followed.
    """
    if follow:
        return os.open(path, flags | _FLAGS, mode)
    return _open_without_links(path, flags, mode)


def open_below(root: Path, names: Sequence[str]) -> int:
    """Open a file below a folder for reading, without following links to or below the folder.

    Args:
        root: The folder, a path without links.
        names: The folders below it, and the file.

    Raises:
        OSError: There is no such file, or one of the names is a link.
    """
    return _open_below(root, names)


# --- replacing ---------------------------------------------------------------------


def rename(old: str | Path, new: str | Path) -> None:
    """Rename a file, and replace a file that has the new name.

    Raises:
        OSError: The file cannot be renamed.
    """
    _retried(lambda: os.replace(old, new))  # noqa: PTH105 - starting a command must not be slow


def remove(path: str | Path) -> None:
    """Remove a file if it exists.

    Raises:
        OSError: The file cannot be removed.
    """
    with suppress(FileNotFoundError):
        _retried(lambda: os.unlink(path))  # noqa: PTH108


def remove_folder(folder: Path) -> None:
    """Remove a folder, which first gets a name that begins with a dot.

    If the removal is interrupted, or a file is open on Windows, no part of the folder is left under
    its name.

    Raises:
        OSError: The folder cannot be removed.
    """
    import shutil  # starting a command must not be slow

    removed = folder
    if not folder.name.startswith("."):
        removed = folder.with_name(f".{folder.name}")
        shutil.rmtree(removed, ignore_errors=True)  # what an interrupted removal has left
        rename(folder, removed)
    shutil.rmtree(removed)


def folder_size(folder: Path) -> int:
    """Return about how many bytes the files below a folder take on a disk."""

    def sizes() -> Iterator[int]:
        for path in folder.rglob("*"):
            with suppress(OSError):
                yield -(-path.lstat().st_size // _BLOCK) * _BLOCK

    return sum(sizes())


def replace_file(
    path: str | Path, data: bytes, *, mode: int | None = None, sync: bool = False
) -> None:
    """Write a file so that it is complete at any time: readers see the old file or the new one.

    Args:
        path: The file, which need not exist.
        data: Its new content.
        mode: The permissions of the file; None for those of any new file.
        sync: Whether to wait until the disk has the data.  A killed process loses nothing without
            this; after a power failure the file may be empty.

    Raises:
        OSError: The file cannot be written; the old file is unchanged.
    """
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.urandom(4).hex()}")  # noqa: PTH118
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = open_file(draft, flags, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(descriptor)
        if mode is not None:
            os.chmod(draft, mode)  # noqa: PTH101
        rename(draft, path)
    except BaseException:
        with suppress(OSError):  # report the first error
            remove(draft)
        raise


@contextmanager
def removed_after_error(path: Path) -> Iterator[None]:
    """Remove a new file or folder if the block fails, so that it is not in the way of another try.

    What exists before the block stays, except an empty folder.
    """
    is_new = not os.path.lexists(path) or (path.is_dir() and not any(path.iterdir()))
    try:
        yield
    except BaseException:
        with suppress(OSError):  # report the first error
            if is_new and path.is_dir():
                remove_folder(path)
            elif is_new:
                path.unlink()
        raise


def _retried(function: Callable[[], _T]) -> _T:
    """Call a function; repeat the call while another program holds the file."""
    for pause in _PAUSES:
        try:
            return function()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD_ERRORS:
                raise
        time.sleep(pause)
    return function()
