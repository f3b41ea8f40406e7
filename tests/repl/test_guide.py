"""docs/guides/repl.md: its sessions print what it shows, its settings are the defaults."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.repl.commands import COMMANDS
from forthvm.repl.prompt.config import Settings, read_settings
from tests.repl.conftest import Game, ReplClient

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "repl.md").read_text(
    encoding="utf-8"
)
BLOCK = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(forth|tictactoe [XO])> (.*)$")


def documented_sessions() -> dict[str, list[tuple[str, str, str]]]:
    """Returns prompt, line and output of the documented lines, by game (`forth`: no game)."""
    sessions: dict[str, list[tuple[str, str, str]]] = {}
    for block in BLOCK.findall(GUIDE):
        for line in block.splitlines():
            match = PROMPT.match(line)
            if match:
                game = match[1].split()[0]
                sessions.setdefault(game, []).append((f"{match[1]}> ", match[2], ""))
            else:
                prompt, text, output = sessions[game][-1]
                sessions[game][-1] = (prompt, text, f"{output}{line}\n")
    return sessions


def terminal_output(repl: ReplClient, line: str) -> str:
    """Runs a line and returns what a terminal would show."""
    repl.screen.terminal = True
    command = repl.shell.command_of(line)
    repl.printed.clear()
    try:
        repl.shell.run(line)
    except ForthVMError as error:
        repl.shell.print_error(error)
    if command is None:
        repl.shell.print_stack()
    return "".join(repl.printed)


@pytest.mark.parametrize("game", ["forth", "tictactoe"])
def test_documented_sessions_print_the_documented_output(
    game: str, repl: ReplClient, in_game: Game
) -> None:
    if game != "forth":
        repl = in_game(game)
    exchanges = documented_sessions()[game]
    assert len(exchanges) > 5
    for prompt, line, expected in exchanges:
        assert repl.shell.prompt() == prompt
        output = terminal_output(repl, line)
        output = re.sub(r"\S*tictactoe\.4th", "<file>", output)
        assert output == expected, line


def test_every_command_is_described() -> None:
    for command in COMMANDS:
        assert f"`{command.name}" in GUIDE or f", `{command.name}" in GUIDE, command.name


def test_settings_are_the_defaults(tmp_path: Path) -> None:
    block = re.search(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    documented = tomllib.loads(block[1])
    tables = {"colours", "bindings"}
    defaults = vars(Settings())
    assert {name: value for name, value in documented.items() if name not in tables} == {
        name: defaults[name] for name in defaults if name not in {*tables, "history"}
    }
    path = tmp_path / "repl.toml"
    path.write_text(block[1], encoding="utf-8")
    assert read_settings(path)[1] == []
