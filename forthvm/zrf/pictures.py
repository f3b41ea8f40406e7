r"""Where the pictures that a rule file names are looked for.

Owns the folders, and the ways to read a name such as `images\Chess\wking.bmp`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptRefused
from forthvm.core.loading.files import find_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.loading.files import Roots

__all__ = ["find_picture", "name_on_disk", "picture_folders"]

_IMAGES = "images"


def picture_folders(rule_file: Path, include: Sequence[Path] = ()) -> list[Path]:
    """Return the folders below which the pictures of a rule file may be read.

    They are the folder of the rule file and the folder `Images` beside it, since Zillions keeps
    rule files in `Rules` and pictures in `Images`, and then those that the user chose.  A link
    `Images` is not followed, because it may lead anywhere.
    """
    folder = rule_file.absolute().parent
    return [folder, *_images_beside(folder), *include]


def _images_beside(folder: Path) -> list[Path]:
    try:
        others = sorted(folder.resolve().parent.iterdir())
    except OSError:
        return []
    return [
        other
        for other in others
        if other.name.casefold() == _IMAGES and other.is_dir() and not other.is_symlink()
    ]


def find_picture(name: str, folders: Sequence[Path], roots: Roots) -> Path | None:
    r"""Return the file that a rule file names, None if there is none.

    Names begin at the folder of the original program, or with `..` at the folder of the rule file.
    Here the whole path is tried below each folder, then the path without its first part, and so on;
    letter case is ignored.

    Args:
        name: The name.
        folders: The folders that are searched.
        roots: The same folders, out of which no name or link leads.
    """
    parts = name.replace("\\", "/").split("/")
    for first in range(len(parts)):
        try:
            found = find_file(os.fsencode("/".join(parts[first:])), folders, roots)
        except (ScriptRefused, UnicodeEncodeError):
            continue  # a path without its first folders may be allowed
        if found is not None:
            return found
    return None


def name_on_disk(name: str, found: Path) -> str:
    """Return a name with the letter case of the path of the file that was found.

    Args:
        name: The name; its first parts, which need not be in the path, stay as they are.
        found: The path.
    """
    parts = name.replace("\\", "/").split("/")
    for at, real in zip(reversed(range(len(parts))), reversed(found.parts), strict=False):
        if parts[at].casefold() != real.casefold():
            break
        parts[at] = real
    return "/".join(parts)
