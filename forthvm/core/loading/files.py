"""Decides which of the files that scripts name may be read, and opens them.

This file owns the access rule, and the only function that opens a file for a script.  Scripts are
untrusted, so LOAD reads only regular files below folders that the user chose.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.text.advice import advice
from forthvm.system.files import decoded_name, long_path, open_below, open_file, short_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.core.errors import ScriptRefused

__all__ = [
    "Roots",
    "chosen_folder",
    "expand_user",
    "find_file",
    "is_device",
    "is_same_file",
    "read_file",
    "replaced_contents",
    "shown_name",
    "user_path",
]

# Patterns for names after LOAD; compiled on first use.
_DRIVE = r"[A-Za-z]:"
_DEVICE = r"(?i:con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?"
_SPECIAL_FILES = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

_ALLOWED = "LOAD reads below the folders of the main script, the library and the bundled games; "


class Roots:
    """The folders below which files may be read."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._real = [Path(os.path.realpath(folder)) for folder in folders]

    def root_of(self, path: Path) -> Path | None:
        """Return the root that a path without links equals or lies below, or None."""
        above = {path, *path.parents}
        return next((root for root in self._real if root in above), None)

    def allows(self, path: Path) -> bool:
        """Return whether a path, with links resolved, lies below a root."""
        return self.root_of(Path(os.path.realpath(path))) is not None

    def enter(self, start: Path, parts: Sequence[str]) -> tuple[Path, Sequence[str]] | None:
        """Split a path into a folder inside a root and the remaining names.

        Folders outside the roots must not be read.  Therefore the names that lead to a root are
        only compared with the root's path.

        Args:
            start: The folder in which the path begins.
            parts: The names of the path.

        Returns:
            None if the path does not lead into a root.
        """
        if self.allows(start):
            return start, parts
        real = Path(os.path.realpath(start))
        for root in self._real:
            if root.is_relative_to(real):
                to_root = root.relative_to(real).parts
                if _folded(parts[: len(to_root)]) == _folded(to_root):
                    return root, parts[len(to_root) :]
        return None


def _folded(parts: Sequence[str]) -> list[str]:
    return [part.casefold() for part in parts]


def expand_user(path: str | os.PathLike[str]) -> Path:
    """Replace a leading `~` or `~name`; the name of an unknown user is left unchanged.

    On Windows the result may be longer than other paths.
    """
    return Path(long_path(os.path.expanduser(path)))  # noqa: PTH111


def user_path(path: str | os.PathLike[str]) -> Path:
    r"""Return the path that a user typed, with a leading `~` replaced.

    If there is no such file, \ is accepted as a separator, as for LOAD.
    """
    plain = expand_user(path)
    if "\\" in str(plain) and not plain.exists():
        other = expand_user(os.fspath(path).replace("\\", "/"))
        if other.exists():
            return other
    return plain


def chosen_folder(option: str, folder: str | Path) -> Path:
    """Return the absolute path of a folder that the user named.

    Raises:
        ForthVMError: There is no such folder.
    """
    path = expand_user(folder)
    if not path.is_dir():
        from forthvm.core.failure import ForthVMError

        raise ForthVMError(f"{option}: there is no folder {folder}")
    return path.absolute()


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file; False if one of the files does not exist."""
    try:
        return one.samefile(other)
    except OSError:  # the contents of a file that does not exist were replaced
        return False


def shown_name(path: Path) -> str:
    """Return the path of a file for messages, relative to the current folder if that is shorter."""
    absolute = short_path(str(path))
    try:
        relative = os.path.relpath(absolute)
    except ValueError:  # another drive
        return absolute
    return relative if len(relative) < len(absolute) else absolute


# --- finding -----------------------------------------------------------------------


def find_file(name: bytes, folders: Sequence[Path], roots: Roots) -> Path | None:
    r"""Find a file that a script names, in the first of the folders that has it.

    Letter case is ignored (an exact match comes first), and both / and \ separate folders, as on
    the systems that the scripts were written for.

    Returns:
        The file, None if no folder has it.

    Raises:
        ScriptRefused: The name leads out of the roots, or is not a relative path.
    """
    texts = _decodings(name)
    reason = _forbidden(texts[0])
    if reason is not None:
        raise _refused(texts[0], reason)
    searched = False
    for text in texts:
        up, parts = _normalised(text)
        for folder in folders:
            entered = roots.enter(_ancestor(folder, up), parts)
            if entered is None:
                continue
            searched = True
            found = _follow(*entered, roots)
            if found is not None:
                return found
    if folders and not searched:
        raise _refused(texts[0], "it leads out of the folders that may be read")
    return None


def _refused(shown: str, reason: str) -> ScriptRefused:
    """Return the error for a file name that LOAD may not read."""
    from forthvm.core.errors import ScriptRefused

    return ScriptRefused(
        f"refused to read `{shown}`: {reason}", path=shown, detail=shown, hints=[_advice()]
    )


def _decodings(name: bytes) -> list[str]:
    """Return the possible decodings of a name; they agree in ASCII characters."""
    texts = [decoded_name(name)]
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        texts += [name.decode("cp1251", errors="replace"), name.decode("latin-1")]
    return texts


def _forbidden(text: str) -> str | None:
    """Return the reason to refuse a name because of its form; None if its form is allowed."""
    plain = text.replace("\\", "/")
    if plain.startswith("//"):
        return "it is a network path"
    if plain.startswith("/"):
        return "it is an absolute path"
    if re.match(_DRIVE, plain):
        return "it names a drive"
    if ":" in plain:
        return "it has a colon, which names a drive or a stream on Windows"
    if any(is_device(part) for part in plain.split("/")):
        return "it names a device of Windows"
    return None


def is_device(name: str) -> bool:
    """Return whether a name means a device on Windows, in any folder and with any extension."""
    return re.fullmatch(_DEVICE, name) is not None


def _normalised(text: str) -> tuple[int, list[str]]:
    """Return the number of folders that a path first goes up, and the names that follow."""
    up = 0
    parts: list[str] = []
    for part in text.replace("\\", "/").split("/"):
        if part == "..":
            if parts:
                parts.pop()
            else:
                up += 1
        elif part not in ("", "."):
            parts.append(part)
    return up, parts


def _ancestor(folder: Path, up: int) -> Path:
    path = Path(os.path.abspath(folder))  # noqa: PTH100 - it also removes `..`
    return path.parents[min(up, len(path.parents)) - 1] if up and path.parents else path


def _follow(start: Path, parts: Sequence[str], roots: Roots) -> Path | None:
    """Return the file to which the names of folders and a file lead; None if there is no file."""
    path = start
    for index, part in enumerate(parts):
        entry = _entry(path, part, is_file=index == len(parts) - 1)
        if entry is None:
            return None
        if not roots.allows(entry):
            raise _refused("/".join(parts), "a link leads out of the folders that may be read")
        path = entry
    return path if parts else None


def _entry(folder: Path, name: str, *, is_file: bool) -> Path | None:
    """Return the file or folder of that name in a folder, ignoring letter case.

    The path has the letter case of the folder, also where the file system ignores it.
    """
    folded = name.casefold()
    try:
        names = [found for found in os.listdir(folder) if found.casefold() == folded]  # noqa: PTH208
    except OSError:  # its files may be open to us, although the list is not
        names = []
    # Windows finds a file by further names, such as GAMEFI~1.4TH.
    names = [*sorted(names, key=lambda found: (found != name, found)), name]
    return next((folder / each for each in names if _exists(folder / each, is_file=is_file)), None)


def _exists(path: Path, *, is_file: bool) -> bool:
    """Return whether there is a file (or a folder, if not `is_file`) of that path."""
    try:
        return stat.S_ISDIR(path.stat().st_mode) is not is_file
    except OSError:  # absent, or a folder of the path may not be read
        return False
    except ValueError:  # a zero byte, or characters that the file system cannot encode
        return False


# --- opening -----------------------------------------------------------------------

#: Contents that replace those of files, by real path.
_REPLACED: ContextVar[Mapping[Path, bytes] | None] = ContextVar("replaced", default=None)


@contextmanager
def replaced_contents(contents: Mapping[Path, bytes]) -> Iterator[None]:
    """Make `read_file` return other contents for some files, such as unsaved texts of an editor.

    This holds for the current thread, inside the `with` statement.

    Args:
        contents: The contents by real path; such a file need not exist.
    """
    token = _REPLACED.set(contents)
    try:
        yield
    finally:
        _REPLACED.reset(token)


def read_file(path: Path, limit: int, roots: Roots | None = None) -> bytes:
    """Read at most `limit` bytes of a regular file; never waits for a pipe.

    Args:
        path: The file.
        limit: Number of bytes.
        roots: Folders below which the file must lie when it is opened; None: the user named the
            file, so it may lie anywhere.

    Raises:
        ScriptRefused: It is not a regular file, or lies outside the roots.
        OSError: It cannot be read.
    """
    replaced = _REPLACED.get()
    if replaced and (roots is None or roots.allows(path)):
        contents = replaced.get(Path(os.path.realpath(path)))
        if contents is not None:
            return contents[:limit]
    _require_regular(path, path.stat().st_mode)  # opening a device can have side effects
    descriptor = open_file(path, os.O_RDONLY) if roots is None else _open_below(path, roots)
    with os.fdopen(descriptor, "rb") as file:
        _require_regular(path, os.fstat(descriptor).st_mode)
        return file.read(limit)


def _require_regular(path: Path, mode: int) -> None:
    """Raise an error if the mode of a file is not that of a regular file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{path} is a directory")
    if not stat.S_ISREG(mode):
        from forthvm.core.errors import ScriptRefused

        kind = _SPECIAL_FILES.get(stat.S_IFMT(mode), "a special file")
        raise ScriptRefused(
            f"refused to read {shown_name(path)}: it is {kind}, not a regular file",
            path=str(path),
            hints=["save the text as a file, and name that"],
        )


def _open_below(path: Path, roots: Roots) -> int:
    """Open a file below a root, without following links created after the check of the path."""
    real = Path(os.path.realpath(path))
    root = roots.root_of(real)
    if root is None:
        raise _refused(path.name, "a link leads out of the folders that may be read")
    return open_below(root, real.relative_to(root).parts)


def _advice() -> str:
    allow = advice(python="include=[DIR]", command_line="--include DIR")
    return f"{_ALLOWED}allow another folder that you trust with {allow}"
