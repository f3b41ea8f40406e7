"""Damaged history and settings files do not stop the prompt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from prompt_toolkit.history import FileHistory, InMemoryHistory

from forthvm.repl.prompt.config import read_settings
from forthvm.repl.prompt.history import make_history
from forthvm.repl.prompt.theme import escape
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.systems import needs_pipes


@needs_pipes
def test_a_fifo_as_history_is_refused_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "history"
    os.mkfifo(path)
    history, problem = make_history(str(path))
    assert isinstance(history, InMemoryHistory)
    assert "not a regular file" in problem


@needs_pipes
def test_link_to_a_fifo_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    path = tmp_path / "history"
    path.symlink_to(tmp_path / "fifo")
    assert "not a regular file" in make_history(str(path))[1]


@needs_pipes
def test_a_fifo_as_settings_file_is_refused_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "repl.toml"
    os.mkfifo(path)
    settings, problems = read_settings(path)
    assert settings.keys == "emacs"
    assert problems == [f"cannot read {path}: not a regular file"]


@needs_pipes
def test_fifo_as_library_image_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forthvm import VM
    from forthvm.core.loading import library_cache as image

    monkeypatch.setenv("FORTHVM_CACHE", str(tmp_path))
    monkeypatch.setattr(image, "_in_process", {})
    VM()
    (path,) = tmp_path.iterdir()
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(image, "_in_process", {})
    assert VM().call("+", 2, 3) == (5,)


@pytest.mark.parametrize(
    "name",
    [
        "a\0b",
        pytest.param(
            "~no-such-user-here/history",
            marks=pytest.mark.skipif(os.name == "nt", reason="Windows does not list its users"),
        ),
    ],
)
def test_an_unusable_history_file_keeps_history_in_memory(name: str) -> None:
    history, problem = make_history(name)
    assert isinstance(history, InMemoryHistory)
    assert "kept in memory only" in problem


def test_a_huge_history_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "history"
    with path.open("wb") as file:
        file.truncate(17 << 20)
    assert "larger than 16 MiB" in make_history(str(path))[1]


def test_a_history_of_random_bytes_can_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "history", bytes(range(256)) * 20)
    history, problem = make_history(str(path))
    assert isinstance(history, FileHistory)
    assert problem == ""
    list(history.load_history_strings())


@pytest.mark.parametrize(
    "content",
    [
        b"x = " + b"[" * 100_000,
        b"x = " + b"9" * 10_000,
        b"\xff\xfe",
        b"\0",
        b"x = " + b"{a=" * 50_000,
        b"# " + b"x" * (2 << 20),
    ],
)
def test_damaged_settings_use_the_defaults(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "repl.toml", content)
    settings, problems = read_settings(path)
    assert settings.keys == "emacs"
    assert len(problems) == 1


def test_invalid_colour_is_ignored() -> None:
    assert escape("#zzzzzz bold") == "\x1b[1m"


def test_a_user_without_a_home_has_no_settings_and_no_history(
    monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    def no_home(_path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "expanduser", no_home)
    assert "3 " in cli.out("repl", stdin="1 2 + .\n")
