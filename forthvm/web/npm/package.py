"""Writes the folder of the npm package `forthvm`, which `npm pack` and `npm install` accept.

Owns which files are in the package.  The declarations of types come from the comments of the
modules, by the compiler of TypeScript.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from importlib.metadata import distribution
from pathlib import Path

import forthvm
from forthvm.catalogue.bundled import list_games
from forthvm.core.text.visible import visible
from forthvm.web.offline.export import OFFLINE, core_for_browsers
from forthvm.web.offline.game_texts import library_texts, main_and_texts

__all__ = ["TYPESCRIPT", "write_package", "write_types"]

_NPM = Path(__file__).resolve().parent
TYPESCRIPT = "typescript@5.9.3"
"""The compiler that writes the declarations, as a package of npm."""
_IMPORT = re.compile(r'^import .* from "(\.{1,2}/[^"]+)";$', re.MULTILINE)
_GAME_TYPE = """\
declare const game: { title: string; main: string; files: Record<string, string> };
export default game;
"""
_TSC_OPTIONS = (
    "--allowJs",
    "--checkJs",
    "--strict",
    "--declaration",
    "--emitDeclarationOnly",
    "--target",
    "es2022",
    "--module",
    "es2022",
    "--moduleResolution",
    "bundler",
)


def write_package(folder: Path) -> None:
    """Write the package without declarations of types.

    Args:
        folder: It is made if it does not exist.

    Raises:
        ForthVMError: The core for browsers is missing in this installation.
        OSError: A file cannot be written.
    """
    games = folder / "games"
    games.mkdir(parents=True, exist_ok=True)
    (folder / "core.wasm").write_bytes(core_for_browsers())
    for path in _with_imports([*_NPM.glob("*.js"), OFFLINE / "worker.js"]):
        # All modules are in one folder.
        _write(folder / path.name, path.read_text("utf-8").replace('"../offline/', '"./'))
    _write(folder / "library.js", f"export const library = {_json(library_texts())};\n")
    for entry in list_games():
        if entry.origin == "forthvm":
            _write(games / f"{entry.name}.js", f"export default {_json(_sources(entry.name))};\n")
            _write(games / f"{entry.name}.d.ts", _GAME_TYPE)
    _write(folder / "README.md", (_NPM / "README.md").read_text("utf-8"))
    _write(folder / "LICENSE", _licence())
    _write(folder / "package.json", json.dumps(_description(), indent=2) + "\n")


def _licence() -> str:
    """Return the text of the licence, which is in the metadata of a wheel, or in a checkout."""
    text = distribution("forthvm").read_text("licenses/LICENSE")
    return text or (Path(forthvm.__file__).parents[1] / "LICENSE").read_text("utf-8")


def write_types(folder: Path) -> None:
    """Write the declarations of types of a package.

    Raises:
        OSError: There is no npm.
        subprocess.CalledProcessError: The compiler fails.
    """
    tools = os.environ.get("NODE_TOOLS")  # a folder in which packages of npm are installed
    if tools:
        compiler = [str(Path(tools, "node_modules", ".bin", "tsc"))]
    else:
        compiler = [shutil.which("npm") or "npm", "exec", "--yes", f"--package={TYPESCRIPT}"]
        compiler += ["--", "tsc"]
    subprocess.run([*compiler, *_TSC_OPTIONS, "index.js"], cwd=folder, check=True)


def _with_imports(modules: list[Path]) -> set[Path]:
    """Return modules with those that they import, apart from library.js, which is generated."""
    found: set[Path] = set()
    waiting = list(modules)
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        names = _IMPORT.findall(path.read_text("utf-8"))
        waiting += [(path.parent / name).resolve() for name in names]
    return found


def _sources(name: str) -> dict[str, object]:
    """Return the sources of a bundled game, which `load` of the package accepts."""
    game = forthvm.load(name)
    main, files = main_and_texts(game)
    texts = {file["name"]: file["text"] for file in files}
    return {"title": visible(game.title), "main": main, "files": texts}


def _description() -> dict[str, object]:
    """Return the contents of package.json."""
    return {
        "name": "forthvm",
        "version": forthvm.__version__,
        "description": "Board games of Axiom (ForthScript): rules, moves and engines.",
        "keywords": ["board games", "abstract games", "forth", "game engine", "webassembly"],
        "license": "MIT",
        "type": "module",
        "sideEffects": ["./node.js", "./node-worker.js", "./worker.js"],
        "engines": {"node": ">=20"},
        "exports": {
            ".": {"types": "./index.d.ts", "node": "./node.js", "default": "./index.js"},
            "./games/*.js": {"types": "./games/*.d.ts", "default": "./games/*.js"},
        },
        "files": ["*.js", "*.d.ts", "core.wasm", "games"],
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
