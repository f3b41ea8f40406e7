"""The settings for editors in docs/guides/editors.md can be read, and name commands that exist."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from tests.kit.processes import output_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "editors.md"


def blocks(language: str) -> list[str]:
    """Returns the blocks of the page in a language."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found
    return found


def test_helix() -> None:
    [settings] = map(tomllib.loads, blocks("toml"))
    server = settings["language-server"]["forthvm"]
    assert [server["command"], *server["args"]] == ["forthvm", "lsp"]
    languages = {language["name"]: language for language in settings["language"]}
    assert all(language["language-servers"] == ["forthvm"] for language in languages.values())
    debugger = languages["forthscript"]["debugger"]
    assert [debugger["command"], *debugger["args"]] == ["forthvm", "dap"]
    assert debugger["templates"][0]["args"]["target"] == "moves"


def test_sublime_text() -> None:
    [settings] = map(json.loads, blocks("json"))
    assert settings["clients"]["forthvm"]["command"] == ["forthvm", "lsp"]


@pytest.mark.parametrize("block", blocks("lisp"))
def test_emacs(block: str) -> None:
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', block)
    depth = 0
    for character in code:
        depth += {"(": 1, ")": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0


@pytest.mark.parametrize("block", blocks("lua"))
def test_neovim(block: str) -> None:
    compiler = shutil.which("luac") or shutil.which("luac5.4")
    if compiler is None:
        pytest.skip("luac is absent")
    output_of(compiler, "-p", "-", stdin=block)


def test_commands_exist() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r'"forthvm",? "(\w+)"|`forthvm (\w+)', text)
    names = {name for pair in named for name in pair if name}
    assert names >= {"lsp", "fmt", "check"}
    for name in names:
        assert import_module(f"forthvm.cli.commands.{name}")
