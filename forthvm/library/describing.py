"""Describes a file of the library by loading it.

Runs in a process of its own, since loading a file may take any time and memory.
"""

from __future__ import annotations

import gc
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from forthvm.autoplay.results.store import Store, StoreError, is_results_file
from forthvm.catalogue.bundled import has_game
from forthvm.catalogue.contents import Scripts
from forthvm.core.budget import script_budget
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import read_file
from forthvm.core.loading.source import MAX_SCRIPT_BYTES, decode_text
from forthvm.core.output import discard
from forthvm.core.text.wording import counted
from forthvm.game import load
from forthvm.game.document.reading import read_about
from forthvm.game.document.writing import FORMAT
from forthvm.game.shown import shown_of_game
from forthvm.game.zsg_replay import SavedGameError, read_zsg
from forthvm.library.entry import Entry, shortened
from forthvm.library.surroundings import DRAWINGS, PICTURES, SCRIPTS
from forthvm.render import svg
from forthvm.render.symbols import picture_files
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.game import Game

__all__ = ["Description", "describe", "failed"]

CALL_SECONDS = 5.0
RUN_SECONDS = 10.0
MAX_OUTPUT = 1 << 20
_MAX_POSITION = 64 << 20
_MAX_THUMBNAIL = 1 << 19
_MAX_REASON = 300
_MAX_NAME = 100
_MAX_PLAYERS = 32
_TITLE = re.compile(r'\(\s*title\s+"([^"]*)"', re.IGNORECASE)
_AUTHOR = re.compile(
    r"(?i:\b(?:designed|invented|created|devised|implemented|programmed|written|coded|scripted)"
    r"\s+by\s+|\bauthor\s*:\s+|\bcopyright\b(?:\(c\)|©|[\d,\s-])*+(?:by\s++)?)"
    r"([A-Z][\w.'-]*(?:\s+(?:[A-Z][\w.'-]*|de|van|von|der|la))*)"
)
"""The possessive quantifiers keep the time linear in the length of a hostile text."""
_HEAD = 4096  # characters that are searched for the author


@dataclass(frozen=True, slots=True)
class Description:
    """What a process found out about a file.

    Attributes:
        entry: None if the file does not belong into the library, such as a part of a game.
        thumbnail: The first position of a game as SVG; empty if it cannot be drawn.
        needs: Other files on which the result depends, and SCRIPTS, PICTURES and DRAWINGS.
    """

    entry: Entry | None
    thumbnail: str = ""
    needs: tuple[str, ...] = ()


def describe(path: Path, archive: str) -> Description:
    """Return the description of a file; `archive` is the path of the archive that contains it."""
    try:
        found = _DESCRIBERS[path.suffix.lower()](path)
    except MemoryError:
        found = Description(failed(path, "it needs more memory than the library allows"))
    except Exception as error:  # a foreign file may cause any error
        found = Description(failed(path, _reason(error, path)), needs=(SCRIPTS,))
    finally:
        gc.collect()  # games have cyclic references
    if found.entry is None or not archive:
        return found
    return replace(found, entry=replace(found.entry, archive=archive))


def failed(path: Path, reason: str) -> Entry:
    """Return the entry of a file that cannot be loaded."""
    suffix = path.suffix.lower()
    title = ""
    if suffix == ".zrf":
        with suppress(OSError, ForthVMError):
            title = _first(_TITLE, decode_text(read_file(path, MAX_SCRIPT_BYTES)))
    return Entry(
        path=str(path),
        kind=_KINDS[suffix],
        title=shortened(title, _MAX_NAME) or path.stem,
        reason=shortened(reason, _MAX_REASON),
    )


def _reason(error: Exception, path: Path) -> str:
    """Return the text of an error, without folders, which depend on the current one."""
    if isinstance(error, ForthVMError):
        text, place = error.short_message(), error.location
        if place is None:
            return text
        file = PurePath(place.file).name
        return f"{'' if file == path.name else f'{file}, '}line {place.line}: {text}"
    if isinstance(error, OSError):
        return failure_reason(error)
    return f"internal error: {type(error).__name__}: {error}"


# --- games ------------------------------------------------------------------------


def _script(path: Path) -> Description:
    scripts = Scripts([path])
    files = tuple(str(file) for file in scripts.with_loaded(path.resolve()) if file is not None)
    if not scripts.is_game(path) or scripts.is_library(path):
        return Description(None, needs=files)
    return _game(path, files)


def _rule_file(path: Path) -> Description:
    return _game(path, ()) if has_game(path) else Description(None)


def _game(path: Path, files: tuple[str, ...]) -> Description:
    budget = script_budget(call_seconds=CALL_SECONDS, seconds=RUN_SECONDS, output=MAX_OUTPUT)
    try:
        game = load(path, budget=budget, output=discard)
    except ForthVMError as error:
        return Description(failed(path, _reason(error, path)), needs=(*files, SCRIPTS))
    with game:
        files = tuple(map(str, game._loaded.files))
        entry = _entry(game)
        if game.missing:
            reason = f"nothing can ever move: the script has {game.missing}"
            return Description(replace(entry, reason=reason), needs=files)
        try:
            position = game.start()
            hidden = shown_of_game(game._loaded, position._state).has_secrets
            len(position.legal_moves)  # many scripts fail only when they generate moves
        except ForthVMError as error:
            reason = shortened(_reason(error, path), _MAX_REASON)
            return Description(replace(entry, reason=reason), needs=files)
        thumbnail = ""
        with suppress(ForthVMError):
            thumbnail = svg(position, title=game.title)
        if len(thumbnail) > _MAX_THUMBNAIL:
            thumbnail = ""
        pictures, is_complete = picture_files(game)
        files += (DRAWINGS, *map(str, pictures), *(() if is_complete else (PICTURES,)))
        return Description(replace(entry, hidden=hidden), thumbnail, files)


def _entry(game: Game) -> Entry:
    rules = game._loaded.rules
    texts = rules.rules.texts if rules is not None else {}
    description = texts.get("description", "").replace("\\", " ") or game.summary
    head = decode_text(read_file(game.path, MAX_SCRIPT_BYTES))[:_HEAD]
    players = [shortened(name, _MAX_NAME) for name in game.contestants]
    grid, squares = game.grid, len(game.positions)
    is_grid = 2 * grid.rows * grid.columns > squares  # not only a corner of a hexagon
    return Entry(
        path=str(game.path),
        kind="game",
        title=shortened(game.title, _MAX_NAME) or game.path.stem,
        author=shortened(_first(_AUTHOR, " ".join([texts.get("history", ""), head])), _MAX_NAME),
        description=shortened(description),
        players=tuple(players[:_MAX_PLAYERS]),
        columns=grid.columns if is_grid else 0,
        rows=grid.rows if is_grid else 0,
        squares=squares,
        variants=max(1, len(game.variants)),
        chance=any(player.chance for player in game.player_details),
    )


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1].strip(" .,") if match else ""


# --- other files ------------------------------------------------------------------


def _saved_game(path: Path) -> Description:
    zsg = read_zsg(path)
    entry = Entry(
        path=str(path),
        kind="saved game",
        title=shortened(zsg.saved.variant, _MAX_NAME) or path.stem,
        description=f"{counted(len(zsg.saved.moves), 'move')}, rules: "
        + shortened(zsg.saved.rules_name, _MAX_NAME),
    )
    try:
        rule_file = zsg.rule_file()
    except SavedGameError as error:
        reason = shortened(_reason(error, path), _MAX_REASON)
        entry = replace(entry, reason=reason, rules=zsg.saved.rules_name)
        return Description(entry, needs=(SCRIPTS,))
    return Description(entry, needs=(str(rule_file),))


def _position(path: Path) -> Description:
    data = read_file(path, _MAX_POSITION)
    if FORMAT.encode() not in data:
        return Description(None)
    about = read_about(data)
    title = about.variant or about.game
    entry = Entry(
        path=str(path),
        kind="position",
        title=shortened(title, _MAX_NAME),
        description=f"a position of {shortened(about.game, _MAX_NAME)}",
    )
    return Description(entry)


def _results(path: Path) -> Description:
    if not is_results_file(path):
        if path.name.lower().endswith(_RESULTS_ENDING):
            raise StoreError("it is not a results file")
        return Description(None)  # a database of another program
    with Store.open(path) as store:
        match = store.match()
        played = len(store.numbers())
    entrants = match.get("entrants")
    number = len(entrants) if isinstance(entrants, list) else 0
    entry = Entry(
        path=str(path),
        kind="results",
        title=shortened(str(match.get("game", path.stem)), _MAX_NAME),
        description=f"{counted(played, 'game')} of {counted(number, 'entrant')}",
    )
    return Description(entry)


_RESULTS_ENDING = ".autoplay.db"
_DESCRIBERS: dict[str, Callable[[Path], Description]] = {
    ".4th": _script,
    ".zrf": _rule_file,
    ".zsg": _saved_game,
    ".json": _position,
    ".db": _results,
}
_KINDS = {
    ".4th": "game",
    ".zrf": "game",
    ".zsg": "saved game",
    ".json": "position",
    ".db": "results",
    ".zip": "archive",
}
