"""Games and variants: contract, section 2, items 17 to 23, and options, section 7."""

from __future__ import annotations

import pytest

from forthvm.zrf.rule_file import parse_rule_text
from forthvm.zrf.rules import PiecesRemaining, Stalemated
from forthvm.zrf.source import RuleFileError, UnknownVariantError
from tests.kit.cases import each_case
from tests.kit.messages import raises

GAME = """
(game (title "Game") (players White Black) (turn-order White Black)
  (history "old") (strategy "plan")
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("2/1" (0 10)))
    (directions (n 0 -1))))
  (piece (name A) (help "first")) (piece (name B)) (piece (name C))
  (option "pass turn" true) (option "smart moves" false)
  (board-setup (White (A a1)))
  (win-condition (White) stalemated) (loss-condition (Black) stalemated))
"""


def variant(text: str) -> str:
    return f'(variant (title "Variant") {text})'


def test_titles_stand_in_the_order_of_the_file() -> None:
    file = parse_rule_text('(variant (title "V1"))' + GAME + '(variant (title "V2"))')
    assert file.titles == ("V1", "Game", "V2")
    assert file.default == 1
    assert [file.rules(i).title for i in range(3)] == ["V1", "Game", "V2"]
    assert file.rules(0).players == ("White", "Black")


def test_a_variant_belongs_to_the_last_game_before_it() -> None:
    other = GAME.replace('"Game"', '"Other"').replace("White", "Red")
    text = '(variant (title "V0"))' + GAME + '(variant (title "V1"))' + other
    file = parse_rule_text(text + '(variant (title "V2"))')
    assert file.titles == ("V0", "Game", "V1", "Other", "V2")
    assert [file.rules(title).players[0] for title in file.titles] == [
        "White",
        "White",
        "White",
        "Red",
        "Red",
    ]


def test_single_sections_are_replaced_whole() -> None:
    rules = parse_rule_text(GAME + variant("(board-setup (Black (B b1 b2))) (history x)")).rules(1)
    assert [(p.player, p.piece, p.position) for p in rules.placements] == [
        ("Black", "B", "b1"),
        ("Black", "B", "b2"),
    ]
    assert (rules.texts["history"], rules.texts["strategy"]) == ("x", "plan")


def test_the_board_is_replaced_whole() -> None:
    rules = parse_rule_text(GAME + variant("(board (dummy a1))")).rules(1)
    assert [position.name for position in rules.board.positions] == ["a1"]
    assert rules.board.directions == ()


def test_a_piece_replaces_the_one_of_its_name_in_its_place() -> None:
    file = parse_rule_text(GAME + variant("(piece (name D)) (piece (name A) (help second))"))
    rules = file.rules(1)
    assert [piece.name for piece in rules.pieces] == ["A", "B", "C", "D"]
    assert [piece.help for piece in rules.pieces] == ["second", "", "", ""]
    assert file.rules(0).pieces[0].help == "first"


def test_options_are_replaced_by_name() -> None:
    rules = parse_rule_text(GAME + variant('(option "pass turn" forced)')).rules(1)
    assert rules.options["pass turn"] == "forced"
    assert rules.options["smart moves"] == "false"


def test_any_goal_of_a_variant_drops_all_goals_of_the_game() -> None:
    file = parse_rule_text(GAME + variant("(win-condition (Black) (pieces-remaining 0))"))
    assert [goal.kind for goal in file.rules(0).goals] == ["win", "loss"]
    [goal] = file.rules(1).goals
    assert (goal.kind, goal.players, goal.condition) == ("win", ("Black",), PiecesRemaining(0))


def test_without_goals_a_variant_keeps_those_of_the_game() -> None:
    goals = parse_rule_text(GAME + variant("")).rules(1).goals
    assert [goal.condition for goal in goals] == [Stalemated(), Stalemated()]


def test_separators_are_not_counted() -> None:
    file = parse_rule_text(GAME + '(variant (title "-"))' + variant(""))
    assert file.titles == ("Game", "Variant")
    assert file.rules(1).title == "Variant"


def test_the_default_is_opened_first() -> None:
    file = parse_rule_text(GAME + variant("(default)"))
    assert file.default == 1
    assert file.rules().title == "Variant"
    assert file.rules().warnings == ()


def test_without_a_mark_the_game_is_opened_first() -> None:
    assert parse_rule_text(variant("") + GAME).rules().title == "Game"


def test_a_title_is_found_without_its_blanks_and_case_the_first_of_equal_ones() -> None:
    file = parse_rule_text(
        GAME + '(variant (title "Small  board ")) (variant (title "small board"))'
    )
    assert file.index("small board") == 2
    assert file.index("SMALL BOARD") == 1


def test_texts_and_sounds_of_a_game_are_read() -> None:
    rules = parse_rule_text(GAME + variant('(move-sound "a.wav") (solution "s.zsg")')).rules(1)
    assert rules.texts["move-sound"] == "a.wav"
    assert rules.texts["solution"] == "s.zsg"
    assert rules.warnings == ()


def test_options_of_version_1_are_sections() -> None:
    text = "(pass-turn forced) (recycle-captures true) (allow-flipping false)"
    options = parse_rule_text(GAME + variant(text)).rules(1).options
    assert options["pass turn"] == "forced"
    assert options["recycle captures"] == "true"
    assert options["prevent flipping"] == "true"


def test_unknown_sections_are_ignored_with_a_warning() -> None:
    rules = parse_rule_text(GAME + variant("(open x) (nonsense 1 2)")).rules(1)
    assert [warning.message for warning in rules.warnings] == [
        "`open` has no effect",
        "the unknown section `nonsense` is ignored",
    ]


def test_a_section_that_is_stated_twice_is_reported() -> None:
    text = "(history a) (history b) (piece (name B)) (piece (name B) (help x))"
    file = parse_rule_text(GAME + variant(text))
    assert [warning.message for warning in file.warnings] == [
        "`history` is stated again; the later one is used",
        "the piece `B` is stated again; the later one is used",
    ]
    assert file.rules(1).texts["history"] == "b"
    assert file.rules(1).pieces[1].help == "x"


def test_a_piece_without_a_name_breaks_only_its_variant() -> None:
    file = parse_rule_text(GAME + variant("(piece (help x))"))
    assert file.rules(0).pieces
    with raises(RuleFileError, "variants.a-piece-without"):
        file.rules(1)


def test_options_that_are_not_stated_have_their_defaults() -> None:
    options = parse_rule_text(GAME).rules().options
    assert options["pass partial"] == "false"
    assert options["animate drops"] == "default"


def test_unknown_options_are_ignored_with_a_warning() -> None:
    [warning] = parse_rule_text(GAME + variant('(option "fly" true)')).rules(1).warnings
    assert "`fly`" in warning.message


@each_case("chosen", ["Variant", "variant", " VARIANT ", 1])
def test_a_variant_is_chosen_by_title_or_index(chosen: str | int) -> None:
    assert parse_rule_text(GAME + variant("")).rules(chosen).title == "Variant"


@each_case("chosen", ["Variantt", "-", 2, -1])
def test_a_variant_that_does_not_exist(chosen: str | int) -> None:
    file = parse_rule_text(GAME + '(variant (title "-"))' + variant(""))
    with pytest.raises(UnknownVariantError) as caught:
        file.rules(chosen)
    if chosen == "Variantt":
        assert "did you mean `Variant`?" in caught.value.hints


def test_a_name_that_another_variant_defines_is_accepted_with_a_warning() -> None:
    text = "(board (dummy x y) (links up (x y))) (piece (name B) (moves (n add) (up add)))"
    rules = parse_rule_text(GAME + variant(text)).rules(1)
    assert [warning.message for warning in rules.warnings] == [
        "the position `a1` does not exist in this game or variant, only in another one",
        "the instruction `n` does not exist in this game or variant, only in another one",
    ]
    assert rules.placements == ()
