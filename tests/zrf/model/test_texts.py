"""Move texts and saved games (sections 12 and 13 of the contract)."""

from __future__ import annotations

from pathlib import Path

from tests.kit.cases import each_case
from tests.kit.messages import raises
from tests.models import zrf
from tests.models.zrf.saved_games import items
from tests.zrf.model.small_games import game, game_text, man, squares, texts

TYPES = "(piece (name Gold)) (piece (name Wall))"


def text(block: str, setup: str = "", more: str = "") -> str:
    """The text of the only move of White's man on b2; Black has walls on c2 and d2."""
    position = game(
        man(block, "(attribute x false)" + more) + TYPES,
        f"(White (Man b2) {setup}) (Black (Wall c2 d2))",
    )
    [only] = texts(position)
    return only


@each_case(
    ("block", "expected"),
    [
        ("(n add)", "Man b2 - b3"),
        ("(e add)", "Man b2 x c2"),
        ("(e cascade a1 add)", "Man b2 x c2 Wall c2 - a1"),  # 88
        ("(c2 from d4 cascade b2 from c2 add)", "Wall c2 - d4 Man b2 - c2"),  # 83
        ("(n (add Gold))", "Man b2 - b3 = Gold"),
        ("((capture e) n add)", "Man b2 - b3 x c2"),
        ("((create Gold a1) n add)", "Man b2 - b3 White Gold a1"),
        ("((change-type Gold) add)", "= Gold on b2"),
        ("((add Gold))", "= Gold on b2"),
        ("(n (change-type Gold) add)", "Man b2 - b3 = Gold"),  # 86
        ("(n (change-type Gold c2) add)", "Man b2 - b3 = Gold on c2"),
        ("(n (change-type Gold c2) (change-type Gold d2) add)", "Man b2 - b3 = Gold on c2 d2"),
        ("(n (capture c2) (change-type Gold) add)", "Man b2 - b3 = Gold x c2"),  # 84
        ("((flip c2) n add)", "Man b2 - b3 flip c2"),
        ("((change-owner c2) n add)", "Man b2 - b3 = White on c2"),
        ("(n (set-attribute x true) add)", "Man b2 - b3 @ b3 0 1"),
        ("(e cascade e to change-owner add)", "Man b2 x c2 Wall c2 x d2 = White"),
        ("(n (add-partial Gold t))", "partial 1 Man b2 - b3 = Gold"),
        ("((capture a1) (change-type Gold d4) n add)", "Man b2 - b3"),  # 85
        ("(n (change-type Gold b2) add)", "Man b2 - b3 = Gold on b2"),  # 85
    ],
)
def test_each_effect_has_its_part_in_the_text(block: str, expected: str) -> None:
    assert text(block) == expected


def test_non_capture_takes_the_place_of_the_first_capture() -> None:
    block = "((capture c2) (capture d2) (capture a1) (create Gold d4) n add)"
    assert text(block, setup="(Wall a1)") == "Man b2 - b3 White Gold d4 x d2 x a1 x c2"
    block = "((create Gold d4) (capture c2) (capture d2) n add)"
    assert text(block) == "Man b2 - b3 White Gold d4 x c2 x d2"


def test_a_drop_names_its_owner_and_type() -> None:
    position = game(
        man("", "(drops (c2 (verify empty?) (change-type Gold) add))") + TYPES,
        "(White (Man off 1))",
    )
    assert texts(position) == ["White Man c2 = Gold"]


def test_move_types_are_numbered_as_they_become_known() -> None:
    rules = zrf.load_text(
        game_text(
            man("(move-type d) (n (add-partial c)) (e (add-partial e))"),
            turns="White (Black c)",
            goals="(move-priorities a b)",
        )
    )
    assert rules.move_types == ["b", "a", "c", "d", "e"]


# --- saved games --------------------------------------------------------------------------

RULES = game_text(
    man("(e (verify enemy?) (add-partial t)) (move-type t) (n add) (n n (capture d1) add)")
    + "(piece (name Wall) (moves (s add)))",
    "(White (Man a1)) (Black (Wall b1 d4))",
    goals='(option "pass partial" true)',
)
HEAD = "Zillions Save Game File Version 0.02 HC\nRulesFile=C:\\Games\\{}\nVariantName=Small\n"


def saved(folder: Path, lines: str, rules: str = RULES) -> zrf.Replay:
    (folder / "Small.zrf").write_text(rules)
    (folder / "game.zsg").write_text(HEAD.format("small.ZRF") + lines)
    return zrf.replay(folder / "game.zsg")


def test_a_saved_game_is_replayed(tmp_path: Path) -> None:
    game = saved(tmp_path, "1. partial 9 Man a1 x b1\n1. Man b1 - b2\n1. Wall d4 - d3\n")
    assert squares(game.positions[-1]) == "White Man b2, Black Wall d3"
    assert (game.positions[-1].turn_number, game.warnings) == (2, [])


def test_edits_change_the_position(tmp_path: Path) -> None:
    edits = "(x b1)\n(White Wall a3)\n(Black Man c3)\n"
    [position] = saved(tmp_path, edits).positions
    assert squares(position) == "White Man a1, White Wall a3, Black Man c3, Black Wall d4"


def test_a_line_with_a_wrong_turn_number_is_refused(tmp_path: Path) -> None:
    with raises(zrf.ReplayError, "model-texts.illegal-partial-move"):
        saved(tmp_path, "2. partial 1 Man a1 x b1\n")


def test_a_stop_that_was_not_written_is_supplied(tmp_path: Path) -> None:
    game = saved(tmp_path, "1. partial 1 Man a1 x b1\n1. Wall d4 - d3\n")
    assert game.warnings == ["1. Wall d4 - d3: the series before it was stopped"]


def test_a_pass_without_a_legal_move_is_accepted(tmp_path: Path) -> None:
    rules = game_text(man("(n add)"), "(White (Man a1)) (Black (Man d4))")
    game = saved(tmp_path, "1. Man a1 - a2\n1. Pass\n2. Man a2 - a3\n", rules)
    assert squares(game.positions[-1]) == "White Man a3, Black Man d4"
    assert len(game.warnings) == 1


def test_the_first_line_that_fits_no_move_is_named(tmp_path: Path) -> None:
    with raises(zrf.ReplayError, "model-texts.illegal-move"):
        saved(tmp_path, "1. Man a1 x c1\n")


@each_case(
    ("one", "other"),
    [
        ("Man a1 - b1 x c1 x d1", "Man a1 x b1 x d1 x c1"),
        ("partial 1 Man a1 - b1", "partial 7 Man a1 - b1"),
        ("Man a1 - b1 = Wall", "Man a1 - b1 = Wall on b1"),
        ("Man a1 - b1 x c1 = Wall", "Man a1 - b1 = Wall x c1"),
        ("= Wall on a1 b1", "= Wall on b1 = Wall on a1"),
        ("Man a1 - b1 @ b1 3 1", "Man a1 - b1 @ b1 0 1"),
        ("White Man a1 = Wall", "White Man a1 = Wall on a1"),
    ],
)
def test_spellings_of_one_move_give_equal_items(one: str, other: str) -> None:
    rules = zrf.load_text(RULES)
    assert items(rules, one) == items(rules, other)


@each_case(
    ("one", "other"),
    [
        ("Man a1 - b1", "partial 1 Man a1 - b1"),
        ("Man a1 - b1", "Wall a1 - b1"),
        ("Man a1 - b1 x c1", "Man a1 - b1"),
        ("Man a1 - b1 @ b1 3 1", "Man a1 - b1 @ b1 3 0"),
        ("White Man a1", "Black Man a1"),
    ],
)
def test_different_moves_give_different_items(one: str, other: str) -> None:
    rules = zrf.load_text(RULES)
    assert items(rules, one) != items(rules, other)
