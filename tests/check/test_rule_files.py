"""Checks of rule files of Zillions: contract, item 112."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.check import CODES, check_files
from tests.check.conftest import Checker

GAMES = Path(__file__).parent.parent / "zrf" / "games"
GOOD = CODES["W806"].good


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.zrf")), ids=lambda path: path.stem)
def test_the_games_of_the_tests_have_no_findings(path: Path) -> None:
    report = check_files([path], ignore=["W807"])
    assert report.findings == ()
    assert len(report.files) == 1


def test_an_error_has_its_place_a_suggestion_and_the_macro_calls(check: Checker) -> None:
    text = GOOD.replace("(n (verify empty?) add)", "((step n))")
    report = check(text + "\n(define step\n $1 (verify emptyx?) add)")
    [finding] = report.findings
    assert finding.code == "E801"
    assert finding.message == "unknown condition `emptyx?`"
    assert finding.location is not None
    assert (finding.location.line, finding.location.column) == (3, 13)
    assert "did you mean `empty?`" in finding.hints[0]
    assert "called from step" in finding.hints[1]


def test_all_variants_are_checked(check: Checker) -> None:
    report = check(GOOD + '(variant (title "A") (nonsense)) (variant (title "B") (goal))')
    assert [finding.code for finding in report.findings] == ["W802", "W802"]


def test_a_broken_variant_is_one_finding(check: Checker) -> None:
    report = check(GOOD + '(variant (title "A") (board-setup (Red (Man a1))))')
    assert [finding.code for finding in report.findings] == ["E801"]


def test_an_unknown_name_in_many_variants_is_one_finding(check: Checker) -> None:
    variants = "".join(
        f'(variant (title "{title}")\n(board-setup (White ({piece} a1))))'
        for title, piece in (("A", "King"), ("B", "King"), ("C", "Queen"))
    )
    king, queen = check(GOOD + variants, select=["E801"]).findings
    assert (king.message, len(king.consequences)) == ("unknown piece `King`", 1)
    assert (queen.message, queen.consequences) == ("unknown piece `Queen`", ())


def test_what_another_variant_uses_is_not_reported(check: Checker) -> None:
    king = "(piece (name King) (moves (move-type slow) (n add))) (board-setup (White (Man a1))"
    text = GOOD.replace("(board-setup (White (Man a1))", king).replace(
        "(turn-order White Black)", "(turn-order (White quick) (Black quick))"
    )
    text = text.replace("(moves (n", "(moves (move-type quick) (n")
    assert [finding.code for finding in check(text).findings] == ["W805", "W804"]
    text += """(variant (title "Kings") (turn-order (White slow) (Black quick))
        (board-setup (White (King a1)) (Black (Man c2))))"""
    assert check(text).findings == ()


def test_a_block_that_ends_before_its_add_is_reported(check: Checker) -> None:
    text = GOOD.replace("(n (verify empty?) add)", "(n (verify false) add)")
    assert [finding.code for finding in check(text).findings] == ["W803"]


def test_blocks_of_an_engine_are_not_reported(check: Checker) -> None:
    text = GOOD.replace("(n (verify empty?) add)", "(from)")
    text = text.replace("(board ", '(engine "axiom.dll") (board ')
    assert [finding.code for finding in check(text).findings] == ["W809"]  # its script is missing


def test_pictures_are_found_as_zillions_found_them(check: Checker, tmp_path: Path) -> None:
    (tmp_path / "Images").mkdir()
    (tmp_path / "Images" / "BOARD.bmp").write_bytes(b"")
    text = GOOD.replace("(grid", '(image "images\\\\board.BMP" "none.bmp") (grid')
    [finding] = check(text).findings
    assert (finding.code, finding.message) == ("W807", "1 picture missing: none.bmp")


def test_a_folder_may_contain_rule_files_and_files_that_they_include(tmp_path: Path) -> None:
    (tmp_path / "game.zrf").write_text('(include "macros.zrf")' + GOOD)
    (tmp_path / "macros.zrf").write_text("(define a n)")
    (tmp_path / "script.4th").write_text(": x ( -- ) ;")
    report = check_files([tmp_path], ignore=["W", "I"])
    assert report.findings == ()
    assert {Path(name).name for name in report.files} == {"game.zrf", "script.4th"}


def test_a_symmetry_that_is_a_rotation_is_not_reported(check: Checker) -> None:
    text = GOOD.replace("(symmetry Black (n s) (s n))", "(symmetry Black (n e) (e s) (s n))")
    assert check(text).findings == ()
