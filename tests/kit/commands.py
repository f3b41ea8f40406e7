"""The fixture `cli`, which runs command lines in this process."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

__all__ = ["Cli", "CommandResult", "cli"]


class CommandResult(NamedTuple):
    """The exit status and output of a finished command."""

    status: int
    out: str
    err: str


class Cli:
    """Runs command lines; the arguments may be paths and numbers."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: object, stdin: str | None = None) -> CommandResult:
        """Return the exit status of a command, which may read a text, and its output."""
        from forthvm.cli import main

        self._capsys.readouterr()
        with self._monkeypatch.context() as patch:
            if stdin is not None:
                patch.setattr(sys, "stdin", io.StringIO(stdin))
            status = main([str(argument) for argument in arguments])
        return CommandResult(status, *self._capsys.readouterr())

    def out(self, *arguments: object, status: int = 0, stdin: str | None = None) -> str:
        """Return the output of a command that ends with this status."""
        result = self(*arguments, stdin=stdin)
        assert result.status == status, result.err
        return result.out

    def err(self, *arguments: object, status: int, stdin: str | None = None) -> str:
        """Return the messages of a command that ends with this status."""
        result = self(*arguments, stdin=stdin)
        assert result.status == status, result.out
        return result.err


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run command lines, which print lines of up to 80 characters without colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Cli(capsys, monkeypatch)
