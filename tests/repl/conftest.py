"""Fixtures for a REPL without a terminal: a test runs lines and reads their output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import forthvm
from forthvm.cli.commands.repl import ReplScreen
from forthvm.core.errors import ForthVMError
from forthvm.repl import Session, Shell
from tests.kit.games import play


class ReplClient:
    """Runs lines in a shell and returns their output."""

    def __init__(self, session: Session) -> None:
        self.printed: list[str] = []
        self.screen = ReplScreen(ascii_only=True)
        self.screen.terminal = self.screen.colour = False
        self.screen._print = self.printed.append  # type: ignore[method-assign]
        self.screen._write = self.printed.append
        self.shell = Shell(session, self.screen, load_game=forthvm.load, show_board=False)

    @property
    def session(self) -> Session:
        return self.shell.session

    @property
    def stack(self) -> tuple[int, ...]:
        return self.session.stack

    def run(self, line: str) -> str:
        """Runs a line and returns its output; raises its error."""
        self.printed.clear()
        self.shell.run(line)
        return "".join(self.printed)

    def fail(self, line: str) -> str:
        """Runs a line that must fail; returns the output with the error."""
        self.printed.clear()
        with pytest.raises(ForthVMError) as failure:
            self.shell.run(line)
        self.shell.print_error(failure.value)
        return "".join(self.printed)


@pytest.fixture(autouse=True)
def _temporary_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes tests use temporary settings and history files."""
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "config"))
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def repl() -> ReplClient:
    """Returns a REPL without a game."""
    return ReplClient(Session(forthvm.VM()))


Game = Callable[..., ReplClient]


@pytest.fixture
def in_game() -> Game:
    """Returns a function that makes a REPL in a bundled game, after some moves."""

    def begin(name: str = "tictactoe", moves: Sequence[str] = ()) -> ReplClient:
        game = forthvm.load(name)
        position = game.start()
        play(position, *moves)
        return ReplClient(Session.of_game(game, position))

    return begin
