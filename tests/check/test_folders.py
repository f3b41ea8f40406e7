"""Tests of checking folders: games, the files that they load, and copies of the library."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from forthvm.check import Report, check_files
from forthvm.core.errors import ScriptFileError
from tests.kit.boards import GRID_3X3
from tests.kit.files import write_files
from tests.kit.messages import raises

LIBRARIES = Path(__file__).resolve().parents[1] / "libraries"
MOVES_AND_PIECES = """\
: step ( -- ) east verify empty? verify go ;
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
{board-setup {setup} White Man a1 {setup} Black Man a3 board-setup}
"""
GAME = GRID_3X3 + "LOAD part.4th\n" + MOVES_AND_PIECES
PART = ": go ( -- ) from here move add-move ;\n"


def summary_of(report: Report) -> list[tuple[str, str, int]]:
    """Return code, file name and line of the findings."""
    return [
        (f.code, Path(f.location.file).name, f.location.line)
        for f in report.findings
        if f.location is not None
    ]


def test_part_is_checked_with_the_games_that_load_it_and_reported_once(tmp_path: Path) -> None:
    part = PART + ": twice ( n -- n ) DUP + + ;\nmystery\n"
    folder = write_files(
        tmp_path,
        {"one.4th": GAME, "two.4th": GAME + ": OnIsGameOver ( -- n ) 0 ;\n", "part.4th": part},
    )
    report = check_files([folder], select=["E1", "W2"])
    assert summary_of(report) == [("W201", "part.4th", 2), ("E101", "part.4th", 3)]


def test_part_is_checked_only_with_its_game_even_if_it_loads_by_itself(tmp_path: Path) -> None:
    game = (
        GRID_3X3
        + "DEFER later\nLOAD words.4th\n"
        + MOVES_AND_PIECES.replace("go ;", "from here move done ;")
    )
    words = ": done ( -- ) later ;\n"
    folder = write_files(tmp_path, {"game.4th": game + "' add-move IS later\n", "words.4th": words})
    assert summary_of(check_files([folder], select=["W3", "W5", "E"])) == []


def test_files_of_equal_names_in_different_folders_are_different(tmp_path: Path) -> None:
    write_files(tmp_path / "a", {"main.4th": GAME, "part.4th": PART})
    game = GRID_3X3 + PART + MOVES_AND_PIECES
    write_files(tmp_path / "b", {"part.4th": game + "oops\n"})
    report = check_files([tmp_path], select=["E"])
    assert summary_of(report) == [("E101", "part.4th", game.count("\n") + 1)]


def test_game_that_a_variant_loads_is_checked_as_a_main_script(tmp_path: Path) -> None:
    base = GRID_3X3 + PART + MOVES_AND_PIECES
    write_files(
        tmp_path,
        {"base.4th": base + "oops\n", "variant.4th": "LOAD base.4th\n: more ( -- n ) 1 ; more .\n"},
    )
    findings = summary_of(check_files([tmp_path], select=["E", "W5"]))
    assert findings == [("E101", "base.4th", base.count("\n") + 1)]


@pytest.mark.parametrize("version", ["v140", "v151", "bare"])
def test_copies_of_the_library_are_left_out(tmp_path: Path, version: str) -> None:
    write_files(tmp_path, {"game.4th": GAME, "part.4th": PART})
    for name in ("CORE.4TH", "axiom.4th"):
        shutil.copy(LIBRARIES / version / name, tmp_path / name)
    report = check_files([tmp_path])
    assert {Path(name).name for name in report.files} == {"game.4th", "part.4th"}
    assert {Path(name).name for name in report.library_copies} == {"CORE.4TH", "axiom.4th"}
    assert "2 files of the library left out" in report.summary
    assert not report.count("error")


def test_part_may_have_the_name_of_a_library_file(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"game.4th": GAME.replace("part.4th", "core.4th"), "core.4th": PART + "oops\n"}
    )
    assert summary_of(check_files([tmp_path], select=["E"])) == [("E101", "core.4th", 2)]


def test_named_copy_of_the_library_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "axiom.4th"
    path.write_text(": area ( a b -- n ) mul ;\n", encoding="utf-8")
    assert summary_of(check_files([path], select=["E"])) == [("E101", "axiom.4th", 1)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "odd.4th is empty"),
        (b"\xff\xfe\x20\x00", "odd.4th is in UTF-16"),
        (b"\x7fELF\x00\x01", "odd.4th has a zero byte in line 1"),
    ],
)
def test_unreadable_file_in_a_folder_is_a_finding(
    tmp_path: Path, data: bytes, message: str
) -> None:
    write_files(tmp_path, {"game.4th": GAME, "part.4th": PART + "oops\n"})
    (tmp_path / "odd.4th").write_bytes(data)
    unread, unknown = check_files([tmp_path], select=["E"]).findings
    assert (unread.code, unread.location) == ("E102", None)
    assert message in unread.message
    assert (unknown.code, unknown.message) == ("E101", "unknown name `oops`")
    with pytest.raises(ScriptFileError):
        check_files([tmp_path / "odd.4th"])


def test_file_that_no_game_loads_is_one_finding(tmp_path: Path) -> None:
    stray = ": a ( -- ) one ;\n: b ( -- ) two ;\n: c ( -- ) three a b ; c\n"
    write_files(tmp_path, {"game.4th": GAME, "part.4th": PART, "stray.4th": stray})
    [finding] = [f for f in check_files([tmp_path]).findings if f.code != "W412"]
    assert finding.code == "E101"
    assert finding.message == "unknown name `one`"
    assert "no game of the folder loads" in finding.hints[0]


def test_parts_of_a_failing_game_are_not_checked_alone(tmp_path: Path) -> None:
    """The endless loop ends loading before the part is loaded, so nothing is known about it."""
    write_files(
        tmp_path,
        {"game.4th": ": f ( -- ) BEGIN FALSE UNTIL ; f\n" + GAME, "part.4th": PART + "prize @ .\n"},
    )
    report = check_files([tmp_path], select=["E", "W1"], steps=10_000)
    assert summary_of(report) == [("W103", "game.4th", 1)]


def test_progress_is_reported(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"one.4th": GAME, "part.4th": PART})
    lines: list[str] = []
    check_files([folder], progress=lines.append)
    assert lines == ["looking for scripts", "loading 1 of 2: one.4th", "checking 1 of 1"]


def test_too_large_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_files(tmp_path / "many", {"one.4th": GAME, "two.4th": GAME, "part.4th": PART})
    monkeypatch.setattr("forthvm.check.files_to_check.MAX_SCRIPTS", 3)
    check_files([folder])
    monkeypatch.setattr("forthvm.check.files_to_check.MAX_SCRIPTS", 1)
    with raises(ScriptFileError, "check-folders.is-too-large-scripts"):
        check_files([folder])
    monkeypatch.setattr("forthvm.check.files_to_check.MAX_ENTRIES", 2)
    with raises(ScriptFileError, "check-folders.files-and-folders"):
        check_files([folder])
