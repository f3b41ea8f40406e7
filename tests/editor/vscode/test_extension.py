"""The extension's manifest and snippets fit the program."""

from __future__ import annotations

import json
import re
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

import forthvm
from tests.kit.processes import FORTHVM, run

CHECKOUT = Path(__file__).resolve().parents[3]
EXTENSION = CHECKOUT / "editors" / "vscode"
SCRIPT = CHECKOUT / "scripts" / "tictactoe" / "tictactoe.4th"
pytestmark = pytest.mark.skipif(not EXTENSION.exists(), reason="sdists lack the extension")


def read(name: str) -> Any:  # noqa: ANN401 - what the file contains
    return json.loads((EXTENSION / name).read_text(encoding="utf-8"))


def sources() -> str:
    return "".join(path.read_text(encoding="utf-8") for path in (EXTENSION / "src").glob("*.ts"))


def test_version() -> None:
    assert read("package.json")["version"] == read("package-lock.json")["version"]
    assert read("package.json")["version"] == forthvm.__version__


def test_the_lock_file_names_no_registry() -> None:
    packages = read("package-lock.json")["packages"]
    assert not [name for name, package in packages.items() if "resolved" in package]
    versions = read("package.json")["devDependencies"].values()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


def test_files_exist() -> None:
    contributes = read("package.json")["contributes"]
    parts = [*contributes["grammars"], *contributes["snippets"]]
    paths = [part["path"] for part in parts]
    paths += [language["configuration"] for language in contributes["languages"]]
    for path in paths:
        assert read(path), path


def test_commands_are_declared_and_registered() -> None:
    contributes = read("package.json")["contributes"]
    declared = {command["command"] for command in contributes["commands"]}
    used = {item["command"] for items in contributes["menus"].values() for item in items}
    assert used <= declared
    text = sources()
    assert [name for name in declared if f'"{name}"' not in text] == []


def test_commands_of_the_program_exist() -> None:
    text = sources()
    found = set(re.findall(r'runWithFile\("(\w+)"|forthvm\(\w[\w?.]*, "(\w+)"', text))
    names = {name for pair in found for name in pair if name}
    assert {"lsp", "dap", "check"} <= names
    for name in names:
        assert import_module(f"forthvm.cli.commands.{name}")


def problem_pattern(name: str) -> dict[str, Any]:
    """Returns the pattern of the problem matcher with this name."""
    matchers = read("package.json")["contributes"]["problemMatchers"]
    (pattern,) = (matcher["pattern"] for matcher in matchers if matcher["name"] == name)
    return cast("dict[str, Any]", pattern)


@pytest.mark.slow
def test_problem_matcher_of_tests(tmp_path: Path) -> None:
    pattern = problem_pattern("forthvm-test")
    path = tmp_path / "a b.test"
    path.write_text(f"game {SCRIPT}\ntest t\n\tmoves 8\n")
    matches = map(
        re.compile(pattern["regexp"]).match, run(*FORTHVM, "test", path).stdout.splitlines()
    )
    ((file, *rest),) = (match.groups() for match in matches if match)
    assert Path(file).resolve() == path.resolve()
    assert rest == ["3", "2", "there are 9 moves, not 8"]
    assert [pattern[name] for name in ("file", "line", "column", "message")] == [1, 2, 3, 4]


@pytest.mark.slow
def test_problem_matcher_of_checks(tmp_path: Path) -> None:
    script = tmp_path / "a b.4th"
    script.write_text(": foo ( -- n ) ;\n: baz bar ;\n")
    pattern = problem_pattern("forthvm-check")
    found = []
    for line in run(*FORTHVM, "check", script).stdout.splitlines():
        match = re.match(pattern["regexp"], line)
        if match:
            fields = ("file", "line", "column", "severity", "code", "message")
            file, *rest = (match[pattern[name]] for name in fields)
            found.append((Path(file).resolve(), *rest))
    path = script.resolve()
    assert (path, "2", "7", "error", "E101", "unknown name `bar`") in found
    assert (path, "1", "7", "warning", "W201", "`foo` says ( -- n ) but leaves 0 cells") in found


def expanded(snippet: dict[str, Any]) -> str:
    """Returns the text of a snippet with its default values."""
    body = snippet["body"]
    text = body if isinstance(body, str) else "\n".join(body)
    defaults: dict[str, str] = {}
    text = text.replace("\\$", "\0")
    placeholder = re.compile(r"\$\{(\d+)(?::([^{}]*)|\|([^{}|]*)\|)\}")
    # Inner placeholders come first.
    while match := placeholder.search(text):
        value = match[2] if match[2] is not None else match[3].split(",")[0]
        defaults[match[1]] = value.replace("\\\\", "\\")
        text = text[: match.start()] + defaults[match[1]] + text[match.end() :]
    text = re.sub(r"\$\{?(\d+)\}?", lambda match: defaults.get(match[1], ""), text)
    return text.replace("\0", "$")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["forthscript", "zrf"])
def test_the_game_of_the_snippet_is_played(language: str, tmp_path: Path) -> None:
    text = expanded(read(f"snippets/{language}.json")["Game"])
    path = tmp_path / f"game.{'4th' if language == 'forthscript' else 'zrf'}"
    path.write_text(text + "\n", encoding="utf-8")
    checked = run(*FORTHVM, "check", "--strict", path)
    assert checked.returncode == 0, checked.stdout
    position = forthvm.load(path).start()
    assert len(position.legal_moves) == 3
    assert forthvm.perft(position, 3) > 0


@pytest.mark.slow
def test_snippets_of_words_are_checked(tmp_path: Path) -> None:
    snippets = read("snippets/forthscript.json")
    parts = [snippets[name] for name in ("Board", "Directions", "Players")]
    parts += [snippets[name] for name in ("Move word", "Sliding move word", "Drop word")]
    text = "\n".join(expanded(part) for part in parts)
    text += "\n: go-north ( -- ) ['] north step ;\n: run-north ( -- ) ['] north slide ;\n"
    moves = "{moves man-moves\n{move} go-north\n{move} run-north\nmoves}\n"
    drops = "{moves drops\n{move} put\nmoves}\n"
    text += moves + drops + "{pieces {piece} man {moves} man-moves {drops} drops pieces}\n"
    text += expanded(snippets["Set-up"]) + "\n" + expanded(snippets["End of the game"]) + "\n"
    text += expanded(snippets["Evaluation"]) + "\n"
    path = tmp_path / "game.4th"
    path.write_text(text, encoding="utf-8")
    checked = run(*FORTHVM, "check", "--strict", path)
    assert checked.returncode == 0, checked.stdout
    assert forthvm.perft(forthvm.load(path).start(), 1) > 7


def test_contents_of_the_package() -> None:
    package = EXTENSION / "out" / "forthvm.vsix"
    if not package.exists():
        pytest.skip("needs `npm run package` in editors/vscode")
    manifest = read("package.json")
    contributes = manifest["contributes"]
    parts = [*contributes["grammars"], *contributes["snippets"]]
    needed = {part["path"] for part in parts} | {manifest["main"]}
    needed |= {language["configuration"] for language in contributes["languages"]}
    with zipfile.ZipFile(package) as archive:
        names = set(archive.namelist())
        assert "forthvm" in archive.read("extension/out/extension.js").decode()
    assert {f"extension/{path.removeprefix('./')}" for path in needed} <= names
    assert {"extension/LICENSE.txt", "extension/out/NOTICES.txt", "extension/readme.md"} <= names
    folders = {name.split("/")[1] for name in names if name.count("/") > 1}
    assert folders == {"languages", "out", "snippets", "syntaxes"}
    assert package.stat().st_size < 500_000
