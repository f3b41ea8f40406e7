"""Finds the files and the version of the Forth library: the bundled library, or a user's own.

It also finds, for LOAD, the library's parts for games and the files of bundled games.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import NotBuiltError
from forthvm.core.record import Record
from forthvm.system.files import decoded_name

from .files import Roots, find_file, read_file, shown_name
from .source import MAX_SCRIPT_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "EXACT_140",
    "GAME_PARTS",
    "REPLACES_SECTIONS",
    "VERSIONS",
    "Library",
    "find_bundled",
    "find_library",
    "games_folder",
    "library_folder",
]

#: The value of FVM_OPT_VERSION for `140-exact`: version 140 with its faulty word `piece-value`.
EXACT_140 = 1140

#: Words by which a script can list moves or put pieces on the board without the library's sections.
REPLACES_SECTIONS = ("OnGenerateMoves", "$GenerateMoves", "OnNewGame", "$NewGame")

#: The files of the library "forth2012": those in ForthScript, and those in standard Forth.
FORTH2012_KERNEL = ("core.4th", "forth2012.4th", "forth2012-core.4th")
FORTH2012_FILES = (
    "forth2012-core-ext.4th",
    "forth2012-exception.4th",
    "forth2012-tools.4th",
    "forth2012-block.4th",
    "forth2012-double.4th",
    "forth2012-memory.4th",
    "forth2012-string.4th",
    "forth2012-search.4th",
    "forth2012-locals.4th",
    "forth2012-file.4th",
    "forth2012-facility.4th",
    "forth2012-floating.4th",
)

#: Parts of the bundled library that games load.  They use only words of the original library, so
#: games can also load them with a user's own library.  Only superko.4th has scratch memory.
GAME_PARTS = (
    b"attacks.4th",
    b"columns-without-i.4th",
    b"custodial.4th",
    b"groups.4th",
    b"in-a-row.4th",
    b"perpetual-check.4th",
    b"position-names.4th",
    b"repetition.4th",
    b"superko.4th",
)

DEFAULT_VERSION = 150
_140 = 140
VERSIONS = {"140": _140, "140-exact": EXACT_140, "150": 150, "151": 151}
_VERSION_CONSTANT = rb"(?<!\S)(\d+)\s+CONSTANT\s+#Version(?!\S)"


class Library(Record):
    """A library: its folder, its files in the order of loading, its version.

    `own` is true for a user's own library, false for the bundled library.  The files `standard` are
    loaded last; they are in standard Forth.
    """

    folder: Path | None
    files: tuple[Path, ...]
    version: int
    own: bool = False
    standard: tuple[Path, ...] = ()


def find_library(
    library: str | Path | None, axiom: int | str | None, include: Sequence[Path] = ()
) -> Library:
    """Find a library: "axiom", "core", "forth2012", None for an empty library, or a user's folder.

    The files of a user's library may be links to files below it or below a folder of `include`.

    Raises:
        LibraryError: The folder lacks CORE.4TH or axiom.4th.
    """
    version = None if axiom is None else VERSIONS[str(axiom)]
    if library is None:
        return Library(None, (), version or DEFAULT_VERSION)
    if library in ("axiom", "core", "forth2012"):
        return _bundled(str(library), version or DEFAULT_VERSION)
    return _user_library(Path(library), version, include)


def _bundled(name: str, version: int) -> Library:
    folder = library_folder()
    if name == "forth2012":
        kernel, standard = (
            tuple(folder / file for file in files) for files in (FORTH2012_KERNEL, FORTH2012_FILES)
        )
        return Library(folder, kernel, version, standard=standard)
    files = [folder / "core.4th"]
    if name == "axiom":
        files.append(folder / "axiom.4th")
        if version in (_140, EXACT_140):
            files.append(folder / "axiom-140.4th")
    return Library(folder, tuple(files), version)


def _user_library(folder: Path, version: int | None, include: Sequence[Path]) -> Library:
    if not folder.is_dir():
        from forthvm.core.errors import LibraryError
        from forthvm.core.text.advice import advice

        value = "a folder with CORE.4TH and axiom.4th"
        raise LibraryError(
            f"no such library folder: {folder}",
            hints=[
                advice(
                    python=f'library= takes {value}, or "axiom" (a VM also "core", "forth2012")',
                    command_line=f"--axiom-lib takes {value}",
                )
            ],
        )
    files = []
    roots = Roots([folder, *include])
    for name in (b"core.4th", b"axiom.4th"):
        path = find_file(name, [folder], roots)
        if path is None:
            file_name = "CORE.4TH" if name == b"core.4th" else "axiom.4th"
            from forthvm.core.errors import LibraryError

            raise LibraryError(f"the library folder {shown_name(folder)} has no {file_name}")
        files.append(path)
    if version is None:
        version = _stated_version(files, roots)
    return Library(folder, tuple(files), version, own=True)


@cache
def library_folder() -> Path:
    """Return the folder of the bundled library."""
    return _package_folder("forthvm._lib")


@cache
def games_folder() -> Path:
    """Return the folder that contains a folder for each bundled game."""
    return _package_folder("forthvm._games")


def _package_folder(name: str) -> Path:
    try:
        return Path(import_module(name).__path__[0])
    except ModuleNotFoundError:
        raise NotBuiltError from None


def find_bundled(name: bytes) -> Path | None:
    """Find a bundled file that LOAD names.

    That is a part of the library for games, or a script of a bundled game: `splut-duel.4th` or
    `splut/worth.4th`.

    A name without a folder must be the name of a game or variant, which begins with the name of
    its folder.  Other parts of games have common names such as `moves.4th`.  If LOAD found them,
    a missing file of the user's own script would not be reported.
    """
    games = games_folder()
    folder, _, file = name.lower().replace(b"\\", b"/").rpartition(b"/")
    if not file.endswith(b".4th") or b"/" in folder or folder.startswith(b"."):
        return None
    if folder:
        return find_file(name, [games], Roots([games]))
    if file in GAME_PARTS:
        return library_folder() / decoded_name(file)
    game = decoded_name(file.removesuffix(b".4th"))
    folders = [path for path in sorted(games.iterdir()) if f"{game}-".startswith(f"{path.name}-")]
    return find_file(name, folders, Roots([games]))


def _stated_version(files: list[Path], roots: Roots) -> int:
    """Return the value of #Version in the library files, else the default version."""
    for path in reversed(files):
        try:
            stated = re.search(_VERSION_CONSTANT, read_file(path, MAX_SCRIPT_BYTES, roots))
        except OSError:  # loading the file will report it
            continue
        if stated and stated[1].decode() in VERSIONS:
            return int(stated[1])
    return DEFAULT_VERSION
