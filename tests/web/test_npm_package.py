"""The npm package in node and in a browser: its example, its contents and its types."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import forthvm
from benchmarks.static_site import static_site
from forthvm.web.npm import package as npm
from tests.kit.every_game import BUNDLED
from tests.kit.processes import output_of, run
from tests.web.exported import needs_core, needs_node

if TYPE_CHECKING:
    from selenium import webdriver

pytestmark = [needs_core, needs_node]
TOOLS = os.environ.get("NODE_TOOLS", "")
needs_compiler = pytest.mark.skipif(
    not TOOLS, reason="NODE_TOOLS does not name a folder with the package typescript of npm"
)

README = Path(npm.__file__).with_name("README.md")
PAGE = """<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; connect-src 'self'; worker-src 'self';
    script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'">
<script>
  const lines = [], failures = [];
  console.log = (...words) => lines.push(words.join(" "));
  for (const kind of ["error", "unhandledrejection"])
    addEventListener(kind, (event) => failures.push(String(event.message ?? event.reason)));
</script>
<script type="importmap">
  { "imports": { "forthvm": "/forthvm/index.js", "forthvm/": "/forthvm/" } }
</script>
<script type="module" src="example.js"></script>
"""


def example() -> str:
    """Return the example of the package's README."""
    (code,) = re.findall(r"```js\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example, in which the package is installed."""
    folder = tmp_path_factory.mktemp("host")
    npm.write_package(folder / "node_modules" / "forthvm")
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    (folder / "example.js").write_text(example(), encoding="utf-8")
    return folder


def check_output(lines: list[str]) -> None:
    """Replay what the example has printed."""
    *moves, result, board, error = lines
    position = forthvm.load("breakthrough").start()
    for line in moves:
        position.push(position.legal_moves[0])
        number, text = line.split(". ", 1)
        assert int(number) == position.ply + 1
        position.push(text)
    if position.result is None:  # the first player has made the last move
        position.push(position.legal_moves[0])
    assert result == position.result.reason
    pieces = {square: piece for square, piece in position.board.items() if piece is not None}
    assert board == f"{len(pieces)} pieces are left, {pieces['a8'].player} is on a8"
    assert error == "time limit reached: 0.2 s (in 0BRANCH), in rules.4th"


@pytest.mark.slow
def test_the_example_in_node(folder: Path) -> None:
    lines = example().splitlines()
    assert len(lines) <= 30
    check_output(output_of("node", "example.js", folder=folder).splitlines())


@pytest.mark.slow
def test_the_example_in_a_browser(folder: Path, driver: webdriver.Chrome, tmp_path: Path) -> None:
    shutil.copytree(folder / "node_modules" / "forthvm", tmp_path / "forthvm")
    shutil.copy(folder / "example.js", tmp_path)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with static_site(tmp_path) as address:
        driver.get(address)
        driver.set_script_timeout(60)
        lines, failures = driver.execute_async_script(
            """const [done] = arguments;
            const isDone = () => failures.length || lines.at(-1)?.includes("rules.4th");
            setInterval(() => isDone() && done([lines, failures]), 50);"""
        )
    assert failures == []
    check_output(lines)


@pytest.mark.slow
def test_positions_engines_and_scripts_that_fail(folder: Path) -> None:
    shutil.copy(Path(__file__).parent / "npm" / "package.test.js", folder)
    output_of("node", "--test", "package.test.js", folder=folder)


@pytest.mark.slow
def test_the_archive_contains_what_is_needed(folder: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("needs npm")
    package = folder / "node_modules" / "forthvm"
    (packed,) = json.loads(output_of("npm", "pack", "--dry-run", "--json", package, folder=folder))
    assert (packed["name"], packed["version"]) == ("forthvm", forthvm.__version__)
    names = {file["path"] for file in packed["files"]}
    assert {"package.json", "README.md", "LICENSE", "core.wasm", "library.js"} <= names
    assert {f"games/{game.name}.js" for game in BUNDLED} <= names
    description = json.loads((package / "package.json").read_text())
    entry = description["exports"]["."]
    assert {Path(path).name for path in (entry["node"], entry["default"])} <= names
    imported = {
        name
        for path in package.glob("*.js")
        for name in re.findall(
            r'^(?:import|export) .*from "\./([\w.-]+)"', path.read_text("utf-8"), re.MULTILINE
        )
    }
    assert {"index.js", "core.js", "position.js"} <= imported
    assert imported <= names
    assert "MIT License" in (package / "LICENSE").read_text("utf-8")


@pytest.mark.slow
@needs_compiler
def test_the_example_has_the_declared_types(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "node_modules" / "forthvm", tmp_path / "forthvm")
    npm.write_types(tmp_path / "forthvm")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "forthvm").rename(tmp_path / "node_modules" / "forthvm")
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    (tmp_path / "right.ts").write_text(example(), encoding="utf-8")
    wrong = {
        "await load('chess');": 2345,
        "position.moves.push(1);": 2345,
        "position.turn = 'White';": 2540,
        "position.make({});": 2345,
        "position.result.text;": 18047,
        "game.engine();": 2554,
        "engine.choose(game);": 2345,
    }
    lines = ['import { load } from "forthvm"; import chess from "forthvm/games/chess.js";']
    lines += [
        "const game = await load(chess), position = game.start(), engine = game.engine('random');"
    ]
    (tmp_path / "wrong.ts").write_text("\n".join([*lines, *wrong]), encoding="utf-8")
    compiler = [
        Path(TOOLS, "node_modules", ".bin", "tsc"),
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
    ]
    compiler += ["--module", "nodenext", "--lib", "es2022,dom"]
    output_of(*compiler, "right.ts", folder=tmp_path)
    done = run(*compiler, "wrong.ts", folder=tmp_path)
    found = re.findall(r"wrong\.ts\((\d+),\d+\): error TS(\d+)", done.stdout)
    expected = list(enumerate(wrong.values(), start=len(lines) + 1))
    assert [(int(line), int(code)) for line, code in found] == expected, done.stdout


def test_the_compiler_is_the_one_that_ci_installs() -> None:
    stage = Path(__file__).parents[2] / ".ci" / "stage"
    assert f" {npm.TYPESCRIPT} " in stage.read_text(encoding="utf-8")
