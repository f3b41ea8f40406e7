"""`forthvm export`: its options, and the file that it writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from forthvm.cli import main

MEGABYTES = 1_000_000
ROOT = Path(__file__).parents[2]


def test_it_writes_one_small_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", "tictactoe"]) == 0
    assert capsys.readouterr().out.startswith("tictactoe.html: ")
    assert [path.name for path in tmp_path.iterdir()] == ["tictactoe.html"]
    assert (tmp_path / "tictactoe.html").stat().st_size < 3 * MEGABYTES


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


def test_a_folder_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "tictactoe", "-o", str(tmp_path / "none" / "x.html")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_the_core_was_compiled_from_these_sources() -> None:
    build = runpy.run_path(str(ROOT / "native" / "wasm" / "build.py"))
    recorded = build["DIGEST"].read_text(encoding="utf-8").strip()
    assert recorded == build["digest"](), "the C core has changed: run python native/wasm/build.py"
