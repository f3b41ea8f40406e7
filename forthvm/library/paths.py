"""The paths of files in archives and among dropped files, which strangers choose.

Owns which of them are allowed.
"""

from __future__ import annotations

from forthvm.core.loading.files import is_device

__all__ = ["parts_of"]

_MAX_LENGTH = 1_000


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
