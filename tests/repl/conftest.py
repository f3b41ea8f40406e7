"""A REPL without a terminal: lines in, what a person would see out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import forthvm
from forthvm.cli.commands.repl import ReplScreen
from forthvm.core.errors import ForthVMError
from forthvm.repl import Session, Shell


class Talk:
    """A shell with lines said to it; `say` gives what came back."""

    def __init__(self, session: Session, width: int = 80) -> None:
        self.printed: list[str] = []
        self.screen = ReplScreen(ascii_only=True)
        self.screen.terminal = self.screen.colour = False
        self.screen._print = self.printed.append  # type: ignore[method-assign]
        self.screen._send = self.printed.append
        self.shell = Shell(session, self.screen, load=forthvm.load, show_board=False)

    @property
    def session(self) -> Session:
        return self.shell.session

    @property
    def stack(self) -> tuple[int, ...]:
        return self.session.stack

    def say(self, line: str) -> str:
        """Obeys a line and gives its output; an error comes out as it is."""
        self.printed.clear()
        self.shell.run(line)
        return "".join(self.printed)

    def fail(self, line: str) -> str:
        """Obeys a line that must fail; gives what is told then."""
        self.printed.clear()
        with pytest.raises(ForthVMError) as failure:
            self.shell.run(line)
        self.shell.print_error(failure.value)
        return "".join(self.printed)


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes a person's own settings and history."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def talk() -> Talk:
    """Forth alone."""
    return Talk(Session(forthvm.VM()))


Game = Callable[..., Talk]


@pytest.fixture
def in_game() -> Game:
    """A session in a bundled game, with moves made."""

    def begin(name: str = "tictactoe", moves: Sequence[str] = ()) -> Talk:
        game = forthvm.load(name)
        position = game.start()
        for move in moves:
            position.push(move)
        return Talk(Session.of_game(game, position))

    return begin


@pytest.fixture
def in_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of its own to be in."""
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)
