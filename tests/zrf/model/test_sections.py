"""Games, variants, players, turns, pieces and set-up (sections 2, 4, 5 of the contract)."""

from __future__ import annotations

import pytest

from tests.models import zrf
from tests.models.zrf import Rules
from tests.zrf.model.small_games import game, game_text, man, squares, texts

STEP = "((n (verify empty?) add))"
GAME = game_text(man("(n add)"), "(White (Man a1)) (Black (Man d4))", goals="$GOALS")


def with_goals(goals: str, variant: str) -> Rules:
    return zrf.load_text(GAME.replace("$GOALS", goals) + f'(variant (title "V") {variant})', "V")


# --- Game and variants --------------------------------------------------------------------


@pytest.mark.parametrize("before", [True, False])
def test_a_variant_may_stand_before_or_behind_its_game(before: bool) -> None:
    game_form, variant = GAME.replace("$GOALS", ""), '(variant (title "V") (players White))'
    text = variant + game_form if before else game_form + variant
    assert zrf.load_text(text).title == "Small"
    assert zrf.load_text(text, "V").players == ["White"]
    assert zrf.load_text(text, 0 if before else 1).title == "V"


def test_variant_belongs_to_the_last_game_before_it() -> None:
    text = """(game (title "A") (players X)) (variant (title "V"))
        (game (title "B") (players Y)) (variant (title "W"))"""
    assert [zrf.load_text(text, i).players for i in range(4)] == [["X"], ["X"], ["Y"], ["Y"]]


def test_variant_replaces_whole_sections() -> None:
    rules = with_goals("", "(board-setup (White (Man b2)))")
    assert rules.placements == [("White", "Man", "b2")]


def test_variant_replaces_a_piece_of_the_same_name_in_its_place() -> None:
    pieces = "(piece (name A)) (piece (name B)) (piece (name C))"
    text = (
        game_text(pieces)
        + """(variant (title "V")
        (piece (name D)) (piece (name B) (attribute new true)))"""
    )
    rules = zrf.load_text(text, "V")
    assert list(rules.pieces) == ["A", "B", "C", "D"]
    assert rules.pieces["B"].attributes == {"new": True}


def test_variant_replaces_options_one_by_one() -> None:
    rules = with_goals(
        '(option "pass turn" true) (option "pass partial" true)', '(option "pass turn" false)'
    )
    assert (rules.option("pass turn"), rules.option("pass partial")) == (False, True)


def test_goals_of_a_variant_drop_all_goals_of_the_game() -> None:
    goals = "(win-condition (White) stalemated) (draw-condition (Black) repetition)"
    assert len(with_goals(goals, "").goals) == 2
    rules = with_goals(goals, "(loss-condition (White) stalemated)")
    assert [kind for kind, _ in rules.goals] == ["loss-condition"]


def test_separator_is_no_variant() -> None:
    text = GAME.replace("$GOALS", "") + '(variant (title "-")) (variant (title "V"))'
    assert zrf.load_text(text, 1).title == "V"


def test_default_is_opened_first_and_not_inherited() -> None:
    text = GAME.replace("$GOALS", "") + '(variant (title "V") (default)) (variant (title "W"))'
    assert zrf.load_text(text).title == "V"
    text = GAME.replace("$GOALS", "(default)") + '(variant (title "V"))'
    assert zrf.load_text(text).title == "Small"


def test_options_may_be_sections() -> None:
    assert with_goals("(pass-turn forced)", "").must_pass


# --- Players and turn order ---------------------------------------------------------------


def test_entries_of_the_turn_order_name_players_sides_and_move_types() -> None:
    rules = zrf.load_text(
        game_text("", players="A B", turns="A (A fast) (A B) (A B fast)"), variant=None
    )
    turns = [(turn.player, turn.side, turn.move_type) for turn in rules.turns]
    assert turns == [("A", "A", ""), ("A", "A", "fast"), ("A", "B", ""), ("A", "B", "fast")]


def test_players_without_turns_are_neutral_and_may_own_pieces() -> None:
    rules = zrf.load_text(game_text("", players="A B N ?R", turns="A (A B) ?R"))
    assert [rules.is_neutral(name) for name in rules.players] == [False, False, True, False]
    assert rules.real_players == ["A"]


def test_the_turn_order_goes_on_behind_repeat() -> None:
    position = game(
        man(""),
        "(White (Man a1)) (Black (Man b1))",
        turns="White White repeat Black White",
        goals='(option "pass turn" true)',
    )
    seen = []
    for _ in range(6):
        seen.append((position.player, position.turn_number))
        position = position.play("Pass")
    assert seen == [
        ("White", 1),
        ("White", 1),
        ("Black", 2),
        ("White", 2),
        ("Black", 3),
        ("White", 3),
    ]


def test_code_runs_as_the_side_whose_pieces_move() -> None:
    position = game(
        man("(n (verify (in-zone? goal)) (verify enemy?) (create e) add)"),
        "(White (Man b2)) (Black (Man b3 c3))",
        turns="(White Black) White",
        board="""(symmetry Black (n s)) (symmetry Black (e w))
            (zone (name goal) (players Black) (positions b2))""",
    )
    assert (position.player, position.side) == ("White", "Black")
    assert texts(position) == ["Man b3 x b2 Black Man a2"]


# --- Pieces and set-up --------------------------------------------------------------------


def test_attributes_start_alike_for_pieces_set_up_dropped_and_created() -> None:
    position = game(
        man(
            "((create b1) add)",
            "(attribute yes true) (attribute no false) (drops ((verify empty?) add))",
        ),
        "(White (Man a1 off 1))",
    )
    expected = {"yes": True, "no": False}
    assert position.board()["a1"] == ("White", "Man", expected)
    assert position.play("White Man c1").board()["c1"] == ("White", "Man", expected)
    assert position.play("White Man b1").board()["b1"] == ("White", "Man", expected)


def test_attributes_stay_when_the_type_changes() -> None:
    position = game(
        "(piece (name A) (attribute x false) (moves ((set-attribute x true) add)"
        " ((change-type B) add) (n (add C))))"
        "(piece (name B) (attribute x false)) (piece (name C))",
        "(White (A a1))",
        turns="White",
    )
    marked = position.play("@ a1 0 1")
    assert marked.play("= B on a1").board()["a1"] == ("White", "B", {"x": True})
    assert marked.play("A a1 - a2 = C").board()["a2"] == ("White", "C", {"x": True})


def test_move_type_holds_until_the_next_one() -> None:
    rules = zrf.load_text(game_text(man("(n add) (move-type t) (s add) (w add) (move-type u)")))
    assert [block.move_type for block in rules.pieces["Man"].moves] == ["", "t", "t"]


def test_drop_takes_a_piece_from_the_store() -> None:
    position = game(
        man("", "(drops (a1 (verify empty?) add) (b1 (verify empty?) add))"),
        "(White (Man c1 off 1)) (Black (Man off 2 d1))",
        turns="White",
    )
    assert squares(position) == "White Man c1, Black Man d1"
    assert position.reserves == {("White", "Man"): 1, ("Black", "Man"): 2}
    assert texts(position) == ["White Man a1", "White Man b1"]
    dropped = position.play("White Man a1")
    assert dropped.reserves["White", "Man"] == 0
    assert texts(dropped) == []
