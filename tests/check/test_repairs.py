"""Tests of the choice among several repairs of a damaged script."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.check.text.repair import Repair, RepairedText
from forthvm.core.loading.source import Text
from tests.check.conftest import Checker

WORDS = ": one ( -- n ) 1 ;\n: two ( -- n ) 2 ;\n"


@pytest.mark.parametrize(
    ("text", "code", "line", "said"),
    [
        ("one one\nTWO two + . .\n", "E101", 4, "unknown name `TWO`"),
        ("one VARIABLE sum sum nosuch !\n", "E101", 3, "unknown name `nosuch`"),
        (": both ( -- )\n  one x\n: next ( -- ) both ; next\n", "E312", 3, "`both` has no `;`"),
        (': say ( -- ) one DROP." one" ; say\n', "E105", 3, 'blank is missing in `DROP."`'),
        (': say ( -- ) ." one ; say\n: tell ( -- ) ." two" ; tell\n', "E106", 3, 'no `"`'),
        (': say ( -- ) b" one of the two" ; say\n', "E101", 3, 'unknown name `b"`'),
        ("{board 3 3 {grid} board} board}\na1 .\n", "E106", 3, "`board}` is outside"),
        (": three three ( -- n ) 3 ; three .\n", "E106", 3, "`three` stands here twice"),
        ("{players {player} White {player} Black plyers}\nBlack .\n", "E101", 3, "`plyers}`"),
    ],
)
def test_the_repair_that_gets_furthest_is_the_only_error(
    check: Checker, text: str, code: str, line: int, said: str
) -> None:
    [finding] = check(WORDS + text, select=["E"]).findings
    assert finding.code == code
    assert said in finding.message
    assert finding.location is not None
    assert finding.location.line == line


@pytest.mark.parametrize("line", ["LOADpart.4th", "LOAD part.4th part.4th"])
def test_the_file_is_loaded_once(check: Checker, tmp_path: Path, line: str) -> None:
    (tmp_path / "part.4th").write_text(WORDS)
    findings = check(f"{line}\none two + .\n", ignore=["I"]).findings
    assert [finding.severity for finding in findings] == ["error"]


def test_names_in_a_part_that_is_left_out_are_used(check: Checker) -> None:
    report = check("VARIABLE counter\n0 counter ! DROP\n")
    assert [finding.code for finding in report.findings] == ["E102"]


def test_locations_are_those_of_the_text_without_repairs() -> None:
    text = Text("game.4th", b": one 1\n: two 2 ;\n", 100)
    repaired = RepairedText.of(text).with_repair(Repair(7, 7, b" ;"))
    assert repaired.data == b": one 1 ;\n: two 2 ;\n"
    location = repaired.locate(repaired.data.index(b"two"))
    assert (location.line, location.column, location.text) == (2, 3, ": two 2 ;")
    assert repaired.offset_of(location) == repaired.data.index(b"two")
    shorter = repaired.with_repair(Repair(12, 15))
    assert shorter.locate(shorter.data.rindex(b";")).column == 9


@pytest.mark.slow
def test_many_errors_end_the_search_for_repairs(check: Checker) -> None:
    text = "".join(f": w{n} ( -- ) missing{n} ) ( ;\n" for n in range(70))
    assert len(check(text, select=["E"]).findings) >= 30
