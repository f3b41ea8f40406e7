"""docs/guides/repl.md is correct: its sessions go as shown, its settings are the defaults."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.repl.commands import COMMANDS
from forthvm.repl.prompt.config import Settings, read_settings
from tests.repl.conftest import Game, Talk

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "repl.md").read_text(
    encoding="utf-8"
)
BLOCK = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(forth|tictactoe [XO])> (.*)$")


def conversations() -> dict[str, list[tuple[str, str, str]]]:
    """Prompt, line and answer of every exchange, by what the session is in."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for block in BLOCK.findall(GUIDE):
        for line in block.splitlines():
            said = PROMPT.match(line)
            if said:
                where = said[1].split()[0]
                found.setdefault(where, []).append((f"{said[1]}> ", said[2], ""))
            else:
                prompt, text, answer = found[where][-1]
                found[where][-1] = (prompt, text, f"{answer}{line}\n")
    return found


def answer(talk: Talk, line: str) -> str:
    """What a person would see after a line."""
    talk.screen.terminal = True
    command = talk.shell.command_of(line)
    talk.printed.clear()
    try:
        talk.shell.run(line)
    except ForthVMError as error:
        talk.shell.print_error(error)
    if command is None:
        talk.shell.print_stack()
    return "".join(talk.printed)


@pytest.mark.parametrize("where", ["forth", "tictactoe"])
def test_conversations(where: str, talk: Talk, in_game: Game) -> None:
    if where != "forth":
        talk = in_game(where)
    exchanges = conversations()[where]
    assert len(exchanges) > 5
    for prompt, line, expected in exchanges:
        assert talk.shell.prompt() == prompt
        seen = answer(talk, line)
        seen = re.sub(r"\S*tictactoe\.4th", "<file>", seen)
        assert seen == expected, line


def test_every_command_is_described() -> None:
    for command in COMMANDS:
        assert f"`{command.name}" in GUIDE or f", `{command.name}" in GUIDE, command.name


def test_settings_are_the_defaults(tmp_path: Path) -> None:
    block = re.search(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    assert block is not None
    shown = tomllib.loads(block[1])
    tables = {"colours", "bindings"}
    defaults = vars(Settings())
    assert {name: value for name, value in shown.items() if name not in tables} == {
        name: defaults[name] for name in defaults if name not in {*tables, "history"}
    }
    path = tmp_path / "repl.toml"
    path.write_text(block[1], encoding="utf-8")
    assert read_settings(path)[1] == []
