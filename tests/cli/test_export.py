"""`forthvm export`: its options, and the file that it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.cli import main
from tests.web.exported import needs_core

MEGABYTES = 1_000_000


@needs_core
def test_it_writes_one_small_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", "tictactoe"]) == 0
    assert capsys.readouterr().out.startswith("tictactoe.html: ")
    assert [path.name for path in tmp_path.iterdir()] == ["tictactoe.html"]
    assert (tmp_path / "tictactoe.html").stat().st_size < 3 * MEGABYTES


@needs_core
def test_an_existing_file_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.html"
    file.write_text("mine", encoding="utf-8")
    assert main(["export", "tictactoe", "-o", str(file)]) == 2
    assert "exists; --force overwrites it" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "mine"
    assert main(["export", "tictactoe", "-o", str(file), "--force"]) == 0


@pytest.mark.parametrize(
    ("option", "message"), [("--side=Z", "no player 'Z'"), ("--level=99", "levels 1 to")]
)
def test_wrong_options(
    option: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "tictactoe", "-o", str(tmp_path / "x.html"), option]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@needs_core
def test_a_folder_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "tictactoe", "-o", str(tmp_path / "none" / "x.html")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_without_the_core_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("forthvm.web.offline.export.CORE", tmp_path / "core.wasm")
    assert main(["export", "tictactoe", "-o", str(tmp_path / "game.html")]) == 1
    err = capsys.readouterr().err
    assert "was not built when forthvm was installed" in err
    assert "apt install clang lld wasi-libc" in err
    assert not list(tmp_path.iterdir())
