"""Writes the playground: a folder of static files, which any web server serves.

Owns which files of the package go into the folder, which Python modules into the archive for
Pyodide, the tables of words for the editor, and the security policy of its pages.  The board is the
page of `forthvm board` in a frame, with a connection of its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import forthvm
from forthvm.catalogue.bundled import list_games
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.library import library_folder
from forthvm.core.text.visible import visible
from forthvm.core.words.glossary import words
from forthvm.engines.levels import unmeasured_levels
from forthvm.render.colours import COLOUR_OF_NAME, NEUTRAL, NEUTRAL_OUTLINE, OUTLINES, PALETTE
from forthvm.render.scene import UNKNOWN_OWNER
from forthvm.render.symbols import named_symbols
from forthvm.syntax import tokenize, tokens
from forthvm.syntax.format import CLOSING
from forthvm.syntax.structure import OPENING_WORDS
from forthvm.web.modules import PAGE, join_modules
from forthvm.web.offline.export import OFFLINE, core_for_browsers, page_without_game
from forthvm.web.offline.game_texts import library_texts, main_and_texts
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import ENGINES, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.catalogue.bundled import BundledGame

__all__ = ["EDITOR", "PYODIDE", "Lesson", "editor_words", "python_modules", "write_playground"]

_PLAYGROUND = Path(__file__).parent
EDITOR = _PLAYGROUND / "editor.js"
"""The code editor, which may be missing if forthvm was built from source."""
PYODIDE = _PLAYGROUND / "pyodide"
"""Python for browsers, which may be missing if forthvm was built from source."""

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "img-src": "data: blob:",
    "connect-src": "'self'",
    "worker-src": "blob:",
    "base-uri": "'none'",
    "form-action": "'none'",
}


@dataclass(frozen=True)
class Lesson:
    """Files that the page offers among the examples, such as a step of a tutorial.

    Attributes:
        title: The name in the list of examples.
        main: The script that is loaded.
        files: The texts by the names of the files.
    """

    title: str
    main: str
    files: Mapping[str, str]


def write_playground(folder: Path, lessons: Sequence[Lesson] = ()) -> int:
    """Write the files of the playground into a folder, which is made if it does not exist.

    Args:
        folder: The folder.
        lessons: Examples besides the bundled games.

    Returns:
        The number of bytes.

    Raises:
        ForthVMError: A part of the page is missing in this installation.
        OSError: A file cannot be written.
    """
    files = dict(_files(lessons))
    files["service-worker.js"] = _service_worker(files)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sum(map(len, files.values()))


def _files(lessons: Sequence[Lesson]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files, but the service worker."""
    yield "core.wasm", core_for_browsers()
    if not EDITOR.exists():
        raise ForthVMError(
            "the playground contains a code editor, which was not built when forthvm was installed",
            hints=(
                "install a wheel of forthvm, which contains it; or in a checkout, run `npm ci` and "
                "`node build.mjs` in editors/playground",
            ),
        )
    for path in (*PAGE.glob("*.css"), *_PLAYGROUND.glob("*.css"), *PAGE.glob("texts/*.json")):
        yield f"page/{path.name}", path.read_bytes()
    yield "page/editor.js", EDITOR.read_bytes()
    connection = {"connection.js": _PLAYGROUND / "connection.js"}
    for name, script in (
        ("playground", join_modules(_PLAYGROUND / "playground.js")),
        ("app", join_modules(PAGE / "app.js", connection)),
        ("loader-worker", join_modules(_PLAYGROUND / "loader.js")),
        ("board-worker", join_modules(OFFLINE / "worker.js")),
        ("debugger-worker", join_modules(_PLAYGROUND / "debugger.js")),
        ("rule-worker", join_modules(_PLAYGROUND / "rule_worker.js")),
    ):
        yield f"page/{name}.js", script.encode()
    yield "export.html", page_without_game().encode()
    yield "board.html", _page(PAGE / "index.html", {})
    policy = {"frame-src": "'self'", "worker-src": "blob: 'self'"}  # the service worker is a file
    yield "index.html", _page(_PLAYGROUND / "page.html", policy)
    if PYODIDE.is_dir():
        for path in PYODIDE.iterdir():
            yield f"pyodide/{path.name}", path.read_bytes()
        yield "python.zip", python_modules()
    games = [game for game in list_games() if game.origin == "forthvm"]
    titles = {game.name: visible(game.title) for game in games}
    titles |= {f"lesson-{number}": lesson.title for number, lesson in enumerate(lessons, 1)}
    yield "data.json", _json(_data(titles))
    for game in games:
        yield f"games/{game.name}.json", _json(_example(game))
    for number, lesson in enumerate(lessons, 1):
        yield f"games/lesson-{number}.json", _json(_lesson_document(lesson))


def _service_worker(files: Mapping[str, bytes]) -> bytes:
    """Return the service worker, which differs if the name or contents of any file does."""
    names = sorted(files)
    digests = [[name, sha256(files[name]).hexdigest()] for name in names]
    site = {"digest": sha256(_json(digests)).hexdigest(), "files": ["./", *names]}
    script = (_PLAYGROUND / "service_worker.js").read_text(encoding="utf-8")
    return script.replace('{ digest: "", files: [""] }; // SITE', f"{json.dumps(site)};").encode()


def _page(path: Path, policy: Mapping[str, str]) -> bytes:
    """Return a page with relative addresses and the security policy."""
    sources = {**_POLICY, **policy}
    content = "; ".join(f"{directive} {source}" for directive, source in sources.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{content}">'
    text = re.sub(r'(href|src)="/page/', r'\1="page/', path.read_text(encoding="utf-8"))
    return text.replace("<head>", f"<head>\n  {meta}", 1).encode()


def _data(titles: Mapping[str, str]) -> dict[str, object]:
    """Return what the page needs for all games, given the titles of the examples by name."""
    keys, symbols = named_symbols()
    return {
        "library": library_texts(),
        "looks": {
            "palette": PALETTE,
            "names": COLOUR_OF_NAME,
            "outlines": OUTLINES[:-1],
            "neutral": [*NEUTRAL, NEUTRAL_OUTLINE],
            "unknown": {**vars(UNKNOWN_OWNER), "store": []},
            "symbols": {key: symbol.as_json() for key, symbol in symbols.items()},
            "keys": keys,
        },
        "engines": {
            "evaluating": [level.spec for level in unmeasured_levels(True)],
            "playing": [level.spec for level in unmeasured_levels(False)],
            "others": ENGINES,
        },
        "editor": editor_words(),
        "readsRuleFiles": PYODIDE.is_dir(),
        "examples": [{"name": name, "title": title} for name, title in titles.items()],
    }


def _example(entry: BundledGame) -> dict[str, object]:
    """Return the files of a bundled game, and how it is drawn."""
    game = forthvm.load(entry.name)
    exported = offline_game(Table(game))
    main, files = main_and_texts(game)
    return {
        "name": entry.name,
        "title": visible(game.title),
        "main": main,
        "files": files,
        "game": exported["game"],
        "tables": exported["tables"],
        "engines": exported["engines"],
    }


def _lesson_document(lesson: Lesson) -> dict[str, object]:
    """Return the files of a lesson, whose game the page describes."""
    files = [{"name": name, "text": text} for name, text in lesson.files.items()]
    return {"title": lesson.title, "main": lesson.main, "files": files}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def editor_words() -> dict[str, object]:
    """Return the tables, for JSON.

    They have effect, sentence and kind of each word, the words that read names or texts, and those
    that open structures, and that end or continue them.
    """
    entries = words()
    sections = [*(f"{{{name}" for name in tokens.SECTIONS), *tokens.CLOSERS]
    others = {*tokens.CONTROL, *tokens.DEFINING, *tokens.NAME_READERS, *sections} - entries.keys()
    known = {name: (entry.effect, entry.text) for name, entry in entries.items()}
    known |= dict.fromkeys(sorted(others), ("", ""))
    return {
        "words": {name: [*texts, _kind_of(name)] for name, texts in known.items()},
        "strings": sorted(tokens.STRINGS),
        "definers": sorted(tokens.DEFINING),
        "readers": sorted(tokens.NAME_READERS),
        "alwaysReaders": sorted(tokens.ALWAYS_NAME_READERS),
        "opening": sorted({":", *OPENING_WORDS, *(f"{{{name}" for name in tokens.SECTIONS)}),
        "closing": sorted(CLOSING),
    }


def _kind_of(word: str) -> str:
    """Return the kind of a word by itself."""
    return next(tokenize(word, compiling=True)).kind


_PACKAGE = Path(forthvm.__file__).parent
_PATTERNS = (
    "__init__.py",
    "catalogue/__init__.py",
    "catalogue/options.py",
    "check/*.py",
    "core/*.py",
    "core/errors/*.py",
    "core/loading/*.py",
    "core/text/*.py",
    "core/words/*.py",
    "render/*.py",
    "render/symbols/*",
    "system/*.py",
    "web/__init__.py",
    "web/offline/__init__.py",
    "web/offline/looks.py",
    "web/playground/__init__.py",
    "web/playground/rule_*.py",
    "web/table/__init__.py",
    "web/table/rule_texts.py",
    "zrf/**/*.py",
)
_LIBRARY = ("__init__.py", "core.4th", "axiom*.4th")
"""The files of the library whose words the compiler must know."""
_EMPTY = ("check/__init__.py", "render/__init__.py")
"""The modules that are empty on the page, since they import what needs the core."""


def python_modules() -> bytes:
    """Return the archive."""
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for folder, target, patterns in (
            (_PACKAGE, "forthvm", _PATTERNS),
            (library_folder(), "forthvm/_lib", _LIBRARY),
        ):
            for path in sorted({path for one in patterns for path in folder.glob(one)}):
                name = path.relative_to(folder).as_posix()
                if path.is_file():
                    data = b"" if name in _EMPTY else path.read_bytes()
                    archive.writestr(ZipInfo(f"{target}/{name}"), data, ZIP_DEFLATED)
    return out.getvalue()
