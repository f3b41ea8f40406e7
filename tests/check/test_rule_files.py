"""Checks of rule files of Zillions: contract, item 112."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.check import CODES, check_files
from forthvm.cli import main
from tests.check.conftest import Checker
from tests.kit.cases import each_case

GAMES = Path(__file__).parent.parent / "zrf" / "games"
GOOD = CODES["W806"].good


@each_case("path", sorted(GAMES.glob("*.zrf")), ids=lambda path: path.stem)
def test_the_games_of_the_tests_have_no_findings(path: Path) -> None:
    report = check_files([path], ignore=["W807", "I813"])  # one includes Pushing.zrf
    assert report.findings == ()
    assert len(report.files) == 1


def test_an_error_has_its_place_a_suggestion_and_the_macro_calls(check: Checker) -> None:
    text = GOOD.replace("(n (verify empty?) add)", "((step n))")
    report = check(text + "\n(define step\n $1 (verify emptyx?) add)")
    [finding] = report.findings
    assert finding.code == "E801"
    assert finding.message == "unknown condition `emptyx?`"
    assert (finding.location.line, finding.location.column) == (3, 13)
    assert "did you mean `empty?`" in finding.hints[0]
    assert "called from step" in finding.hints[1]


@pytest.mark.parametrize(
    ("macro", "call", "message"),
    [
        ("($1 (verify $2) add)", "(step n)", "the macro `step` uses `$2`, which this call lacks"),
        ("(n $3 (verify $2) add)", "(step n)", "the macro `step` uses `$2` and `$3`, which"),
        ("((inner $1) add) ) (define inner $1 (verify $2)", "(step n)", "`step` uses `$2`, which"),
        ("($1 (verify empty?) add)", "(step n empty?)", "the macro `step` uses 1 argument, not 2"),
        ("(n (verify empty?) add)", "(step n)", "the macro `step` uses 0 arguments, not 1"),
    ],
)
def test_wrong_numbers_of_arguments(check: Checker, macro: str, call: str, message: str) -> None:
    text = GOOD.replace("(n (verify empty?) add)", "\n" + call) + f"(define step {macro})"
    [finding] = check(text, select=["W814"]).findings
    assert message in finding.message
    assert finding.location is not None
    assert finding.location.line == 2


def test_flags_that_another_variant_sets_are_not_reported(check: Checker) -> None:
    text = GOOD.replace("(n (verify empty?) add)", "(n (if (position-flag? f e) else add))")
    [finding] = check(text, select=["W815"]).findings
    assert finding.message == "no code sets the flag `f`: it is always false"
    king = "(piece (name King) (moves ((set-position-flag f true e) n add)))"
    text += f'(variant (title "V") {king})'
    assert check(text, select=["W815"]).findings == ()


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
    [finding] = check(text, ignore=["I"]).findings
    assert (finding.code, finding.message) == ("W807", "1 picture missing: none.bmp")


def test_names_with_other_capitals_than_the_files_are_one_finding(tmp_path: Path) -> None:
    for name in ("macros.zrf", "Move.wav", "Images/Board.bmp", "Images/man.bmp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("(define a n)")
    text = GOOD.replace("(grid", '(image "images\\Board.bmp") (grid').replace(
        "(players", '(move-sound "MOVE.WAV") (players'
    )
    text = text.replace("(name Man)", '(name Man) (image White "Images\\man.bmp")')
    path = tmp_path / "game.zrf"
    path.write_text(f'(include "Macros.zrf")\n{text}')
    [finding] = check_files([path]).findings
    assert (finding.code, finding.severity) == ("I813", "info")
    assert finding.message == (
        "written with other capitals than on the disk: `Macros.zrf` is macros.zrf, "
        "`images\\Board.bmp` is Images/Board.bmp and `MOVE.WAV` is Move.wav"
    )
    assert finding.location.line == 1


SETUP = "(board-setup (White (Man a1)) (Black (Man c2)))"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SETUP, "(board-setup (Grey (Man a1)))"),  # pieces of others only
        (SETUP, "(board-setup (White (Man off 3)))"),  # in a store, but without drops
        ("(turn-order White Black)", "(turn-order (White jump) (Black jump))"),
        ("(verify empty?) add", "(verify empty?)"),
        ("(n 0 -1) (s 0 1)", "(n 0 -9) (s 0 9)"),  # steps that leave the board
        ("(moves", "(drops"),
    ],
)
def test_a_game_in_which_nothing_can_move_is_reported(check: Checker, old: str, new: str) -> None:
    text = GOOD.replace("(players White Black)", "(players White Black Grey)").replace(old, new)
    found = check(text, select=["W81"]).findings
    assert [finding.code for finding in found] == ["W810"]
    assert "`Walk`: nothing can ever move" in found[0].message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SETUP, "(board-setup (White (Man off 3)))"),  # with drops
        (SETUP, "(board-setup (Black (Man a1)))"),
        ("(turn-order White Black)", "(turn-order (White Grey))"),  # moves pieces of another
        ("(turn-order White Black)", "(turn-order (White jump) White)"),
        ("(n 0 -1)", "(n 0 -9)"),  # one direction is left
    ],
)
def test_a_game_in_which_one_piece_can_move_is_not_reported(
    check: Checker, old: str, new: str
) -> None:
    text = GOOD.replace("(players White Black)", "(players White Black Grey)")
    text = text.replace("(moves", "(drops (add)) (moves").replace(
        "(Black (Man", "(Grey (Man c1)) (Black (Man"
    )
    assert "W810" not in {finding.code for finding in check(text.replace(old, new)).findings}


def test_a_variant_in_which_nothing_can_move_is_reported_at_the_variant(check: Checker) -> None:
    [finding] = check(GOOD + '\n(variant (title "Empty") (board-setup))').findings
    assert finding.code == "W810"
    assert (finding.location.line, finding.location.column) == (2, 1)


def test_pieces_with_moves_of_a_player_without_turns_are_reported(check: Checker) -> None:
    text = GOOD.replace("(turn-order White Black)", "(turn-order White)")
    [finding] = check(text).findings
    assert (finding.code, finding.message) == ("W811", "`Black` has pieces with moves, but no turn")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(turn-order White)", "(turn-order (White Black) White)"),
        ("(verify empty?)", "(verify neutral?)"),  # neutral pieces on purpose
        ("(verify empty?)", "(change-owner n)"),
        ("(Black (Man c2))", "(Black (Man c2) (Wall b1))"),
    ],
)
def test_pieces_without_turns_on_purpose_are_not_reported(
    check: Checker, old: str, new: str
) -> None:
    text = GOOD.replace("(turn-order White Black)", "(turn-order White)").replace(
        "(board-setup", "(piece (name Wall)) (board-setup"
    )
    found = check(text.replace(old, new), ignore=["W805"]).findings
    assert [finding.code for finding in found] == []


def test_directions_with_the_same_links_are_reported(check: Checker) -> None:
    [grid] = check(GOOD.replace("(e 1 0)", "(e 1 0)\n(w 1 0)")).findings
    assert (grid.code, grid.message) == ("W812", "the direction `w` has the same links as `e`")
    assert (grid.location.line, grid.location.column) == (2, 1)


def test_links_that_equal_a_direction_of_the_grid_are_reported(check: Checker) -> None:
    text = GOOD.replace("(symmetry", "\n(links up (a1 a2) (b1 b2) (c1 c2)) (symmetry")
    [finding] = check(text.replace("(n s) (s n)", "")).findings
    assert (finding.code, finding.location and finding.location.line) == ("W812", 2)


def test_directions_that_a_symmetry_makes_different_are_not_reported(check: Checker) -> None:
    text = GOOD.replace("(e 1 0)", "(e 1 0) (forward 0 -1)").replace("(n s)", "(forward s) (n s)")
    assert check(text.replace("(n s) (s n)", "")).findings == ()


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


def test_the_conversion_of_a_game_with_random_players_has_no_warnings(tmp_path: Path) -> None:
    rules, script = tmp_path / "rnd.zrf", tmp_path / "rnd.4th"
    text = GOOD.replace("(players White Black)", "(players White Black ?Dice)")
    rules.write_text(text.replace("(turn-order White Black)", "(turn-order White ?Dice Black)"))
    assert main(["convert", str(rules), "-o", str(script)]) == 0
    assert "z-begin-game" in script.read_text()
    assert check_files([script], ignore=["I"]).findings == ()
