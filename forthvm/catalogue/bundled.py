"""Finds games: bundled games, games of installed packages, and files.

Owns the translation of a name to the path of a main script, and the facts about a game that are
known without loading it.

A collection is a folder with a subfolder for each game.  The subfolder contains the main script,
which has the name of the subfolder (`splut/splut.4th`), the files that this script loads, and
variants of the game.  The list of games contains the main scripts, and the variants whose names
begin with the name of the subfolder (`splut/splut-duel.4th`).  A part of a game is a file that is
no game and that other scripts load.  Parts are not listed or suggested; the error for the name of a
part says which games load it.

Installed packages add folders by the entry point group `forthvm.games`.  An entry point names a
folder path, a package (or a module in it) that contains the files, or a function that returns one
of these.  The folder may be a collection or the folder of a single game.

A rule file of Zillions (.zrf) may take the place of a script.  If there are both, the name means
the script.  Rule files without a game, which others include, are not found by name.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.loading.files import Roots, read_file, user_path
from forthvm.core.loading.library import games_folder
from forthvm.core.loading.source import MAX_SCRIPT_BYTES, decode_text
from forthvm.core.record import Record
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "GROUP",
    "BundledGame",
    "find_game",
    "folder_of_games",
    "game_paths",
    "games_in",
    "has_game",
    "is_name",
    "list_games",
]

GROUP = "forthvm.games"
"""The entry point group by which installed packages add games."""

_SUFFIX = ".4th"
_RULES_SUFFIX = ".zrf"
_RULES_FOLDER = "rules"
_COMMENTS = {_SUFFIX: "\\ ", _RULES_SUFFIX: ";"}
"""What begins a comment that ends with the line."""
_MAX_NAMED = 8  # names in a message
_HEAD = 4096  # bytes that are searched for a title or a summary


class BundledGame(Record):
    """A game that can be loaded by its name.

    Attributes:
        name: Name of the game, for `forthvm.load`.
        path: Path of the main script, or of the rule file.
        title: First heading of the folder's README, or the name.
        summary: One line about the game: the first comment.
        variant_of: Name of the folder's main game, None for the main game itself.
        origin: `forthvm`, or the name of the entry point that added the game.
    """

    name: str
    path: Path
    title: str
    summary: str
    variant_of: str | None = None
    origin: str = "forthvm"


def find_game(name_or_path: str | os.PathLike[str]) -> tuple[str, Path]:
    """Return the name of a game, and its main script or rule file.

    A text without path and extension is the name of a game; any other text is the path of a
    script or of a folder.  A folder means the script with the name of the folder, or else the only
    game or rule file in the folder.

    Raises:
        UnknownGameError: No game has that name; the message suggests similar names.
        ScriptIsDirectory: The folder contains several games; the hints list their names.
    """
    if isinstance(name_or_path, str) and is_name(name_or_path):
        return _by_name(name_or_path)
    path = user_path(name_or_path)
    if path.is_dir():
        path = _in_folder(path)
    return path.stem, path


def folder_of_games(name_or_path: str | os.PathLike[str]) -> Path | None:
    """Return the folder to list that is given in place of a game; None if it is none.

    Names of games come before names of folders.
    """
    from forthvm.core.errors import UnknownGameError

    path = user_path(name_or_path)
    if not path.is_dir():
        return None
    if isinstance(name_or_path, str) and is_name(name_or_path):
        try:
            _by_name(name_or_path)
        except UnknownGameError:
            return path
        return None
    return path


def games_in(folder: Path) -> list[BundledGame]:
    """Return the games in a user's folder, as `find_game` finds them; without parts of games.

    The games of the list are found by their paths, not by their names.
    """
    return [
        BundledGame(path.name, path, title_of(path.stem, path), summary_of(path), None, str(folder))
        for path in _paths_in(folder)
    ]


def _paths_in(folder: Path) -> list[Path]:
    """Return the paths of the games in a user's folder; first the scripts, then the rule files.

    Without games directly in the folder, those in its subfolder `Rules`: Zillions' own layout.
    """
    from .contents import Scripts  # few commands need it

    is_allowed = Roots([folder]).allows  # links must not lead out of the folder of the user
    files = [path for path in _scripts_in(folder) if is_allowed(path)]
    scripts = Scripts(files)
    games = [path for path in files if scripts.is_game(path) and not scripts.is_library(path)]
    games += [path for path in _scripts_in(folder, _RULES_SUFFIX) if is_allowed(path)]
    if not games and folder.name.casefold() != _RULES_FOLDER:
        for below in folder.iterdir():
            if below.name.casefold() == _RULES_FOLDER and below.is_dir() and is_allowed(below):
                games += _paths_in(below)
    return games


def _in_folder(folder: Path) -> Path:
    """Return the script that a user's folder means; the folder itself if it contains no game."""
    main = folder / (folder.resolve().name + _SUFFIX)
    if main.is_file() and Roots([folder]).allows(main):
        return main
    games = _paths_in(folder)
    if len(games) > 1:
        from forthvm.core.errors import ScriptIsDirectory

        names = ", ".join(path.name for path in games[:_MAX_NAMED])
        more = f" and {len(games) - _MAX_NAMED} more" if len(games) > _MAX_NAMED else ""
        raise ScriptIsDirectory(
            f"{folder} is a folder with several games: name one of them",
            path=str(folder),
            hints=[
                f"games in it: {names}{more}",
                f"`forthvm games {quoted(str(folder))}` lists them all",
            ],
        )
    return games[0] if games else folder


def _scripts_in(folder: Path, suffix: str = _SUFFIX) -> list[Path]:
    """Return the scripts, or the files with another extension, directly in a folder."""
    found = (p for p in folder.iterdir() if p.suffix.lower() == suffix and p.is_file())
    return sorted(found)


def list_games() -> list[BundledGame]:
    """Return the bundled games and the games of installed packages, by name.

    A package whose entry point fails causes a warning and is left out.
    """
    found: dict[str, BundledGame] = {}
    for origin, folder in _collections():
        parts = _parts(_scripts(folder).values())
        for name, path in _games(folder).items():
            if name not in found and path not in parts:
                main = path.parent.name
                variant_of = main if name != main and path.parent != folder else None
                found[name] = BundledGame(
                    name, path, title_of(name, path), summary_of(path), variant_of, origin
                )
    return sorted(found.values(), key=lambda game: game.name)


def game_paths() -> dict[str, Path]:
    """Return the main scripts and rule files of games by name, without opening scripts."""
    found: dict[str, Path] = {}
    for _, folder in _collections():
        found = _games(folder) | found
    return dict(sorted(found.items()))


def script_with_title(title: str) -> Path | None:
    """Return the main script of the game with a name or title, None if there is none.

    Only letters and digits are compared, without case.
    """

    def letters(text: str) -> str:
        return "".join(char for char in text.casefold() if char.isalnum())

    asked = letters(title)
    for _, folder in _collections():
        for name, path in sorted(_games(folder).items()):
            if (
                path.suffix.lower() == _SUFFIX
                and (asked == letters(name) or asked == letters(title_of(name, path)))
                and not _loaders_of_part(path)
            ):
                return path
    return None


def _collections() -> Iterator[tuple[str, Path]]:
    """Yield the origins of games, each with its folder."""
    yield "forthvm", games_folder()
    yield from _installed()  # not earlier, since searching entry points is slow


def _games(folder: Path) -> dict[str, Path]:
    """Return the scripts of a collection whose names are names of games, by name."""
    return {
        name: path
        for name, path in _scripts(folder).items()
        if path.parent == folder
        or name == path.parent.name
        or name.startswith(f"{path.parent.name}-")
    }


def title_of(name: str, path: Path) -> str:
    """Return the first heading of the README beside a script; for a variant, with its own words.

    They are the words of its name: the title of `thud-koom-valley` is "Thud (Koom Valley)".
    """
    for line in _head(path.with_name("README.md"), Roots([path.parent])):
        if line.startswith("# "):
            title = line[2:].strip()
            folder = path.parent.name
            words = name.removeprefix(f"{folder}-").replace("-", " ")
            if path.stem == folder:
                return title
            return f"{title} ({' '.join(word.capitalize() for word in words.split())})"
    return name


def summary_of(path: Path) -> str:
    """Return the first comment of a file on one line; "" if the file begins with code."""
    comment = _COMMENTS.get(path.suffix.lower(), "\\ ")
    for line in _head(path):
        text = line.strip().removeprefix("\ufeff")
        if text.startswith(comment):
            return text[len(comment) :].strip(" \t*-=\\;")
        if text.startswith("( ") and comment != ";":
            return text[2:].split(")")[0].strip()
        if text:
            break
    return ""


def is_name(text: str) -> bool:
    """Return whether a text has the form of a game's name, not of a path."""
    separators = {"/", "\\", os.sep, os.altsep or os.sep}
    return bool(text) and not any(mark in text for mark in separators) and "." not in text


def _by_name(name: str) -> tuple[str, Path]:
    """Return the name and the main script of the game with a name."""
    folder = games_folder()
    if name in os.listdir(folder):  # noqa: PTH208 - compares letter case, too
        main = folder / name / (name + _SUFFIX)
        if main.is_file():  # the most frequent case needs no list of all games
            return name, main
    scripts = _scripts(folder)
    if name not in scripts:
        for _, installed in _installed():  # not earlier, since searching entry points is slow
            for other, path in _scripts(installed).items():
                scripts.setdefault(other, path)
    folded = {other.casefold(): other for other in scripts}
    exact = name if name in scripts else folded.get(name.casefold(), "")
    if exact:
        _refuse_part(exact, scripts[exact])
        return exact, scripts[exact]
    from forthvm.core.text.wording import close_names  # needed only for errors

    listed = {game.name.casefold(): game.name for game in list_games()}
    near = close_names(name.casefold(), listed, 4, cutoff=0.5)
    hints = []
    local_files = (name + _SUFFIX, name + _RULES_SUFFIX, name)
    local_file = next((file for file in local_files if Path(file).exists()), "")
    if local_file:
        hints.append(f"a file is named with its extension or folder: ./{local_file}")
    if near:
        hints.append(f"did you mean {' or '.join(listed[key] for key in near)}?")
    advice = f"; {'; '.join(hints)}" if hints else ""
    from forthvm.core.errors import UnknownGameError

    raise UnknownGameError(f"no game is called `{name}`{advice}", detail=name, hints=hints)


def _refuse_part(name: str, path: Path) -> None:
    """Raise UnknownGameError if a script is a part of games; the message names the games."""
    loaders = _loaders_of_part(path)
    if not loaders:
        return
    from forthvm.core.errors import UnknownGameError

    names = sorted(loader.name for loader in loaders)[:_MAX_NAMED]
    verb = "loads" if len(names) == 1 else "load"
    raise UnknownGameError(
        f"no game is called `{name}`: {path.name} is a part that {' and '.join(names)} {verb}",
        detail=name,
        hints=["forthvm games lists the games"],
    )


def _loaders_of_part(path: Path) -> list[Path]:
    """Return the scripts that load a part of games; [] if the script is a game itself."""
    return _parts(_scripts_in(path.parent)).get(path, [])


def _parts(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """Return the scripts that are parts of games, each with the scripts that load it."""
    from .contents import Scripts  # few commands need it

    real = {path: path.resolve() for path in paths if path.suffix.lower() == _SUFFIX}
    parts = Scripts(real.values()).parts()
    return {path: parts[resolved] for path, resolved in real.items() if resolved in parts}


def _scripts(folder: Path) -> dict[str, Path]:
    """Return all scripts and rule files of a collection by name.

    A main script hides others with its name, and a script hides a rule file.
    """
    if not folder.is_dir():
        return {}
    folders = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]
    scripts = [path for one in folders for path in _scripts_in(one)]
    rule_files = [path for one in folders for path in _scripts_in(one, _RULES_SUFFIX)]
    found: dict[str, Path] = {}
    for paths in (scripts, [path for path in rule_files if has_game(path)]):
        mains = [path for path in paths if path.stem == path.parent.name and path.parent != folder]
        for path in [*mains, *paths]:
            found.setdefault(path.stem, path)
    return found


def has_game(path: Path) -> bool:
    """Return whether a rule file defines a game; others contain macros that they include.

    A file that cannot be read counts as a game: the error is reported when it is loaded.
    """
    try:
        data = read_file(path, MAX_SCRIPT_BYTES)
    except (ForthVMError, OSError):
        return True
    return re.search(rb"\(\s*game\b", data) is not None


def _installed() -> list[tuple[str, Path]]:
    """Return the names of entry points, each with the folder that it adds."""
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=GROUP):
        try:
            folder = _folder_of(point.load())
            _scripts(folder)  # raises OSError if a folder cannot be read
            found.append((point.name, folder))
        except (Exception, SystemExit) as error:  # a package may be broken in any way
            import warnings

            warnings.warn(
                f"the entry point {point.name!r} ({GROUP}) names no games: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
    return found


def _folder_of(entry: object) -> Path:
    """Return the folder that the object of an entry point names."""
    if isinstance(entry, ModuleType):
        if entry.__spec__ is not None and entry.__spec__.submodule_search_locations:
            return Path(next(iter(entry.__spec__.submodule_search_locations)))
        if "." not in entry.__name__:  # its folder contains all installed packages
            raise ValueError(f"{entry.__name__} is a module, not a package")
        return Path(str(entry.__file__)).parent
    if isinstance(entry, str | os.PathLike):
        folder = Path(entry)
        if not folder.is_dir():
            raise ValueError(f"{folder} is not a folder")
        return folder
    if callable(entry):
        return _folder_of(entry())
    raise TypeError(f"{entry!r} is neither a folder nor a package")


def _head(path: Path, roots: Roots | None = None) -> list[str]:
    """Return the first lines of a text file; [] if it is unreadable or outside `roots`."""
    try:
        return decode_text(read_file(path, _HEAD, roots)).splitlines()
    except OSError:
        return []
