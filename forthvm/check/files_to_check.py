"""The classification of the files to check: main scripts, parts, and copies of the library.

A main script is a game, or a file that no other script loads.  A part is a file that main scripts
load; it is checked together with them.  Copies of the library in a folder are not checked, because
they are not the author's code.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.catalogue.bundled import has_game
from forthvm.catalogue.contents import Scripts
from forthvm.core.errors import ScriptFileError
from forthvm.core.loading.authors_files import walk
from forthvm.core.loading.files import Roots, shown_name, user_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "MAX_ENTRIES",
    "MAX_SCRIPTS",
    "FilesToCheck",
    "is_rule_file",
    "scripts_in",
    "scripts_that_load",
]

MAX_ENTRIES = 200_000
"""The maximum number of files and folders below a folder to check."""
MAX_SCRIPTS = 2_000
"""The maximum number of scripts below a folder to check."""


class FilesToCheck:
    """The files below a list of paths.

    Attributes:
        main_scripts: The main scripts.
        parts: The parts.
        rule_files: Rule files of Zillions; those in folders only if they define a game.
        library_copies: Copies of the library, which are not checked.
    """

    def __init__(self, paths: Iterable[str | Path], include: Sequence[str | Path]) -> None:
        user_paths = [user_path(path) for path in paths]
        all_named = [path for path in user_paths if not path.is_dir()]
        found = [file for path in user_paths if path.is_dir() for file in scripts_in(path)]
        named = [file for file in all_named if not is_rule_file(file)]
        in_folders = [file for file in found if not is_rule_file(file)]
        rule_files = [file for file in all_named if is_rule_file(file)]
        rule_files += [file for file in found if is_rule_file(file) and has_game(file)]
        self.rule_files = list(dict.fromkeys(rule_files))
        self._scripts = Scripts([*named, *in_folders], [Path(folder) for folder in include])
        self._named = set(all_named)
        self.library_copies = [file for file in in_folders if self._scripts.is_library(file)]
        copies = {file.resolve() for file in self.library_copies}
        others = [file for file in in_folders if file.resolve() not in copies]
        files = list(dict.fromkeys([*named, *others]))
        loaders_by_part = self._scripts.parts()
        self.main_scripts = [file for file in files if file.resolve() not in loaders_by_part]
        self.parts = [file for file in files if file.resolve() in loaders_by_part]
        has_games = any(self._scripts.is_game(file) for file in self.main_scripts)
        self._unused_files = {
            file.resolve()
            for file in in_folders
            if has_games and file in self.main_scripts and not self._scripts.is_game(file)
        }

    def is_named(self, file: Path) -> bool:
        """Whether the paths contain the file itself, not only its folder."""
        return file in self._named

    def loaders(self, part: Path) -> list[Path]:
        """Return the scripts that load a part."""
        return self._scripts.parts()[part.resolve()]

    def is_unused_file(self, file: Path) -> bool:
        """Whether a file of a folder with games is neither a game nor loaded by a script."""
        return file.resolve() in self._unused_files


def scripts_in(folder: Path) -> list[Path]:
    """Return scripts and rule files below a folder, except links to files outside it.

    Folders that tools write are left out (forthvm.core.loading.authors_files).

    Raises:
        ScriptFileError: The folder is too large.
    """
    scripts: list[Path] = []
    entries = 0
    for parent, names in walk(folder):
        entries += 1 + len(names)
        scripts += [
            path
            for path in (parent / name for name in names)
            if (path.suffix.lower() == ".4th" or is_rule_file(path)) and path.is_file()
        ]
        if entries > MAX_ENTRIES or len(scripts) > MAX_SCRIPTS:
            raise ScriptFileError(
                f"{shown_name(folder)} is too large: it contains more than "
                f"{MAX_SCRIPTS:,} scripts or {MAX_ENTRIES:,} files and folders",
                path=str(folder),
                hints=("name a smaller folder, or the scripts themselves",),
            )
    return sorted(filter(Roots([folder]).allows, scripts))


def scripts_that_load(script: Path) -> list[Path]:
    """Return the scripts in the folder of a script that load it."""
    beside = sorted(script.absolute().parent.glob("*.4th"))[:MAX_SCRIPTS]
    loaders = Scripts(beside).loaders().get(script.resolve(), [])
    return [path for path in beside if path.resolve() in loaders]


def is_rule_file(path: Path) -> bool:
    """Whether a file is a rule file of Zillions, by its name."""
    return path.suffix.lower() == ".zrf"
