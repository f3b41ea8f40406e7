"""`forthvm watch`: which games run after which changes, and how the command ends."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

import forthvm.testing
from forthvm.cli.app import main
from forthvm.cli.commands import watch
from tests.kit.commands import Cli
from tests.kit.files import write, write_files
from tests.kit.processes import FORTHVM, start

GAME = (
    "{board 3 3 {grid} board}\n{players {player} A players}\n{turn-order {turn} A turn-order}\n"
    "LOAD parts.4th\n{pieces {piece} man {drops} puts pieces}\n"
)
PART = ": put ( -- ) empty? verify drop add-move ;\n{moves puts {move} put moves}\n"


@pytest.fixture
def folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game that loads a part, and a game without parts."""
    monkeypatch.setattr(watch, "SETTLE", 0.01)
    write_files(in_folder, {"loads.4th": GAME, "parts.4th": PART})
    assert main(["new", "race"]) == 0
    return in_folder


def names(ran: list[Path]) -> set[str]:
    return {path.name for path in ran}


@pytest.mark.slow
def test_only_changed_games_run_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watcher = watch.Watcher([folder])
    assert names(watcher.run_changed()) == {"loads.4th", "race.4th"}
    assert "9 tests passed" in capsys.readouterr().out
    assert watcher.run_changed() == []
    (folder / "parts.4th").write_text(PART + "\\ changed\n")
    assert names(watcher.run_changed()) == {"loads.4th"}
    (folder / "race" / "race.perft").write_text("1 6 wrong\n")
    assert names(watcher.run_changed()) == {"race.4th"}
    out = capsys.readouterr().out
    path = Path("race", "race.perft")
    assert f"  failed: perft 1 6\n    {path}:1:1: perft 1 is 5, not 6\n" in out
    assert "4 tests passed, 1 failed" in out
    (folder / "loads.test").write_text("test One place is filled\n\tmoves 9\n")
    assert names(watcher.run_changed()) == {"loads.4th", "race.4th"}
    assert "1 test passed" in capsys.readouterr().out
    assert watcher.run_changed() == []


@pytest.mark.slow
def test_replaced_deleted_and_new_files_are_noticed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watcher = watch.Watcher([folder])
    watcher.run_changed()
    part = folder / "parts.4th"
    status = part.stat()
    draft = write(folder / "draft.tmp", PART)
    os.utime(draft, ns=(status.st_atime_ns, status.st_mtime_ns))
    draft.replace(part)  # an editor that writes another file with the same size and time
    assert names(watcher.run_changed()) == {"loads.4th"}
    part.unlink()
    capsys.readouterr()
    assert names(watcher.run_changed()) == {"loads.4th"}
    assert "parts.4th" in capsys.readouterr().out
    part.write_text(PART)
    assert names(watcher.run_changed()) == {"loads.4th"}
    (folder / "other.4th").write_text(GAME)
    assert "other.4th" in names(watcher.run_changed())
    (folder / "other.4th").unlink()
    assert watcher.run_changed() == []


def test_a_file_loaded_from_another_folder_counts(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "sub").mkdir()
    (folder / "mine" / "game.4th").write_text(GAME.replace("parts.4th", "sub/parts.4th"))
    part = write(folder / "mine" / "sub" / "parts.4th", PART)
    watcher = watch.Watcher([folder / "mine" / "game.4th"])
    assert names(watcher.run_changed()) == {"game.4th"}
    part.write_text(PART + "\\ changed\n")
    assert names(watcher.run_changed()) == {"game.4th"}


def test_a_change_during_a_run_causes_another_run(folder: Path) -> None:
    script = folder / "race" / "race.4th"

    class Saving(watch.Watcher):
        """Saves the script, and makes a new one, when its first run ends."""

        def _run(self, path: Path, *, is_retry: bool) -> bool:
            has_printed = super()._run(path, is_retry=is_retry)
            if not (folder / "race" / "new.4th").exists():
                script.write_text(script.read_text() + "\\ changed\n")
                (folder / "race" / "new.4th").write_text(script.read_text())
            return has_printed

    watcher = Saving([folder / "race"])
    assert names(watcher.run_changed()) == {"race.4th"}
    assert names(watcher.run_changed()) == {"race.4th", "new.4th"}
    assert watcher.run_changed() == []


def test_a_named_file_may_disappear_and_return(folder: Path) -> None:
    script = folder / "race" / "race.4th"
    text = script.read_text()
    watcher = watch.Watcher([script])
    watcher.run_changed()
    script.unlink()
    assert watcher.run_changed() == []
    script.write_text(text)
    assert watcher.run_changed() == [script]


def test_a_wrong_path_is_refused(tmp_path: Path, cli: Cli) -> None:
    assert "nothing.4th" in cli.err("watch", tmp_path / "nothing.4th", status=2)


@pytest.mark.slow
def test_an_error_is_printed_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A new or deleted file causes another run of a game with an error: it may have ended it."""
    script = folder / "race" / "race.4th"
    text = script.read_text()
    watcher = watch.Watcher([folder / "race"])
    watcher.run_changed()
    script.write_text(text.replace("empty? verify", "empti? verify"))
    capsys.readouterr()
    watcher.run_changed()
    out = capsys.readouterr().out
    assert out.count("unknown name `empti?`") == 1
    assert "    did you mean `empty?`?" in out  # the hint below the line of the source
    other = write(folder / "race" / "other.4th", "LOAD race.4th\n")
    watcher.run_changed()
    assert str(script) not in capsys.readouterr().out
    other.unlink()
    watcher.run_changed()
    assert capsys.readouterr().out == "watching 1 game; Ctrl-C ends\n"
    script.write_text(text)
    watcher.run_changed()
    assert "9 tests passed" in capsys.readouterr().out
    (folder / "race" / "race.test").write_text(
        "setting a=b\ntest one\n\tmoves 5\ntest two\n\tmoves 5\n"
    )
    watcher.run_changed()
    out = capsys.readouterr().out
    assert out.count("no setting `a`") == 1
    assert "  error: two\n    as above\n" in out
    script.unlink()
    watcher.run_changed()
    assert capsys.readouterr().out == "watching 0 games; Ctrl-C ends\n"


def test_findings_come_before_tests_that_never_end(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "parts.4th").write_text(PART.replace("empty? verify", "BEGIN FALSE UNTIL"))
    (folder / "loads.test").write_text("test one\n\tmoves 9\ntest two\n\tmoves 9\n")
    printed_before = []
    read = forthvm.testing.read_suite

    def read_suite(path: Path) -> object:
        printed_before.append(capsys.readouterr().out)
        return read(path)

    monkeypatch.setattr("forthvm.testing.read_suite", read_suite)
    watch.Watcher([folder / "loads.4th"], seconds=0.1).run_changed()
    assert "this loop never ends" in printed_before[0]
    out = capsys.readouterr().out
    assert "error: one" in out
    assert "0 tests passed, 1 failed, 1 not run, since a test took longer than 0.1 s" in out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends other signals")
def test_ctrl_c_ends_the_command(folder: Path) -> None:
    process = start(*FORTHVM, "watch", folder=folder)
    while "watching 2 games" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
