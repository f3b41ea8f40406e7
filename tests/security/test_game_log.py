"""Tests of the log that a script writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.gamelog import GameLog, log_name
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.kit.files import write
from tests.security.scripts import (
    TICTACTOE,
    run_command,
    write_main,
)
from tests.systems import needs_links

# --- the game's log ------------------------------------------------------------------


LOGGING = "$gameLog ON"


def logging_game(tmp_path: Path) -> VM:
    """Return a VM with a game whose output goes to a log."""
    vm = VM(output=lambda text: None, game_log=tmp_path / "logs")
    vm.load(write_main(tmp_path, LOGGING))
    return vm


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


def test_without_a_log_folder_output_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    printed: list[str] = []
    vm = VM(output=printed.append)
    vm.load(write_main(tmp_path, LOGGING))
    vm.interpret("42 .")
    assert printed == ["42 "]
    assert not list(empty.iterdir())
    assert [path.name for path in (tmp_path / "game").iterdir()] == ["main.4th"]


def test_log_does_not_overwrite_a_file(tmp_path: Path, logs: Path) -> None:
    write(logs / "main.log", "precious")
    logging_game(tmp_path).interpret("42 .")
    assert (logs / "main.log").read_text() == "precious"
    assert (logs / "main-2.log").read_text() == "42 "


@needs_links
@pytest.mark.parametrize("exists", [True, False])
def test_log_is_not_written_through_a_link(tmp_path: Path, logs: Path, exists: bool) -> None:
    target = tmp_path / "target"
    if exists:
        target.write_text("precious")
    (logs / "main.log").symlink_to(target)
    logging_game(tmp_path).interpret("42 .")
    assert target.exists() is exists
    assert not exists or target.read_text() == "precious"
    assert (logs / "main-2.log").read_text() == "42 "


@needs_links
def test_log_continues_in_its_file_after_a_rename(tmp_path: Path, logs: Path) -> None:
    vm = logging_game(tmp_path)
    vm.interpret("1 .")
    (logs / "main.log").rename(logs / "moved.log")
    target = write(tmp_path / "target", "precious")
    (logs / "main.log").symlink_to(target)
    vm.interpret("2 .")
    assert target.read_text() == "precious"
    assert (logs / "moved.log").read_text() == "1 2 "


def test_size_of_a_log_is_limited(logs: Path) -> None:
    log = GameLog(logs, "Game", limit=10)
    log.write("12345")
    with pytest.warns(RuntimeWarning, match=r"Game\.log is full \(10 bytes\)") as caught:
        log.write("6789012")
    log.write("more")  # a second warning would be an error here
    assert len(caught) == 1
    assert (logs / "Game.log").read_text() == "1234567890"


@each_case(
    ("title", "name"),
    [
        ("Splut", "Splut.log"),
        ("Ur-[random]", "Ur-[random].log"),
        ("шахматы", "шахматы.log"),
        ("Game.v2", "Game.v2.log"),
        ("../../etc/passwd", "etc_passwd.log"),
        (r"C:\x", "C_x.log"),
        ("-rf", "rf.log"),
        ("...", "game.log"),
        ("a\x1b[31m\nb", "a_[31m_b.log"),
        ("NUL", "game-NUL.log"),
        ("com1.x", "game-com1.x.log"),
        ("x" * 500, "x" * 100 + ".log"),
    ],
)
def test_log_name_is_a_plain_file_name(title: str, name: str) -> None:
    assert log_name(title) == name


@pytest.mark.slow
def test_option_game_log_sets_the_folder(tmp_path: Path, logs: Path) -> None:
    path = write_main(tmp_path, f'{TICTACTOE}\n: OnNewGame ." new game" CR ;\n{LOGGING}\n')
    without_option = run_command("moves", str(path), cwd=tmp_path)
    assert "new game" in without_option.stdout + without_option.stderr
    assert not list(tmp_path.glob("**/*.log"))
    with_option = run_command("moves", str(path), "--game-log", "logs", cwd=tmp_path)
    assert "new game" not in with_option.stdout + with_option.stderr
    assert "new game" in (logs / "main.log").read_text()
