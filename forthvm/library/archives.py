"""Unpacks zip archives into the cache.

Archives are untrusted: an archive is refused if a name in it leads out of its folder, if it has
links, or if it is too large when unpacked.  The rules for paths also apply to dropped files.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.loading.files import is_device
from forthvm.core.text.visible import visible
from forthvm.system.files import is_older, long_path, remove_folder, rename

if TYPE_CHECKING:
    from typing import IO

__all__ = ["ArchiveError", "parts_of", "unpack"]

MAX_MEMBERS = 5_000
MAX_BYTES = 256 << 20
"""The most bytes of all files of an archive."""
MAX_RATIO = 100
"""How many times larger than the archive its files may be, if they have more than FREE_BYTES.
Zillions' pictures in one colour shrink to less than a hundredth."""
FREE_BYTES = 32 << 20
RESERVED_BYTES = 256 << 20
"""The bytes of the disk that stay free."""
_MAX_LENGTH = 1_000
"""The most characters of a path."""
_CHUNK = 1 << 16
_ENCRYPTED = 1  # a bit of the flags of a file
_DRAFT = "."


class ArchiveError(ForthVMError):
    """An archive is damaged or refused."""


def unpack(archive: Path, target: Path) -> None:
    """Unpack an archive.

    Args:
        archive: The zip file.
        target: The new folder.  It exists only when it is complete.  Other folders beside it are
            removed: they contain earlier states of the archive.

    Raises:
        ArchiveError: The archive is damaged or refused.
        OSError: The files cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    _clean_up(target.parent)
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=target.parent))
    try:
        try:
            with zipfile.ZipFile(archive) as opened:
                _write(opened, draft, archive.stat().st_size)
        except (ArchiveError, OSError, MemoryError):
            raise
        except Exception as error:  # each kind of compression has errors of its own
            raise ArchiveError(
                f"it is not a readable zip archive ({visible(str(error))})"
            ) from error
        with suppress(FileExistsError):
            rename(draft, target)
    except OSError:
        if not target.is_dir():  # another process may have unpacked the same archive
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _clean_up(folder: Path) -> None:
    """Remove what was unpacked from earlier states of the archive, and drafts of killed scans."""
    for path in folder.iterdir():
        with suppress(OSError):
            if not path.name.startswith(_DRAFT) or is_older(path, 1):
                remove_folder(path)


def _write(archive: zipfile.ZipFile, folder: Path, size: int) -> None:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise ArchiveError(f"it has more than {MAX_MEMBERS:,} files")
    files = [
        (member, parts) for member in members if (parts := _parts(member)) and not member.is_dir()
    ]
    declared = sum(member.file_size for member, _ in files)
    if declared > MAX_BYTES:
        raise ArchiveError(f"its files have more than {MAX_BYTES >> 20} MiB")
    if shutil.disk_usage(folder).free < declared + RESERVED_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if declared > FREE_BYTES and declared > MAX_RATIO * size:
        raise ArchiveError(f"its files are more than {MAX_RATIO} times larger than the archive")
    for member, parts in files:
        path = Path(long_path(str(folder.joinpath(*parts))))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("xb")
        except (FileExistsError, NotADirectoryError) as error:
            raise ArchiveError(f"two files in it have the path `{visible(path.name)}`") from error
        with file, archive.open(member) as packed:
            _copy(packed, file, member.file_size)


def _parts(member: zipfile.ZipInfo) -> list[str]:
    """Return the names of the path of a file below the folder.

    Raises:
        ArchiveError: The file is no regular file, or its path leads elsewhere.
    """
    shown = visible(member.filename[:80])
    if stat.S_IFMT(member.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveError(f"`{shown}` in it is a link or a special file")
    if member.flag_bits & _ENCRYPTED:
        raise ArchiveError("it needs a password")
    parts = parts_of(member.filename)
    if parts is None:
        raise ArchiveError(f"the path `{shown}` in it is not allowed")
    return parts


def _copy(packed: IO[bytes], file: IO[bytes], size: int) -> None:
    """Copy a file; its size in the directory of the archive may be wrong."""
    while data := packed.read(_CHUNK):
        size -= len(data)
        if size < 0:
            raise ArchiveError("a file in it is larger than the archive says")
        file.write(data)


def parts_of(path: str) -> list[str] | None:
    r"""Return the names of folders and of the file in a path; None if the path is not allowed.

    The rules are the same on all systems, so names that mean something else on Windows are refused.

    >>> parts_of("Rules\\a.zrf"), parts_of("../a.zrf"), parts_of("Rules./a.zrf")
    (['Rules', 'a.zrf'], None, None)
    """
    name = path.replace("\\", "/")
    parts = [part for part in name.split("/") if part not in {"", "."}]
    if name.startswith("/") or len(name) > _MAX_LENGTH or not all(map(_is_plain, parts)):
        return None
    return parts


def _is_plain(part: str) -> bool:
    """Return whether a name has no other meaning; Windows leaves out blanks and dots at its end."""
    return not (set(":\0") & set(part) or is_device(part) or part.endswith((" ", ".")))
