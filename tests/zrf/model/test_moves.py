"""Blocks, cursor, effects, flags (sections 6.1, 6.2, 6.4, 6.5 of the contract)."""

from __future__ import annotations

from tests.kit.cases import each_case
from tests.zrf.model.small_games import game, man, squares, texts


def moves_of(moves: str, setup: str = "") -> list[str]:
    """The moves of a white man on b2 with a black man on d2 and a white one on b4."""
    pieces = man(moves) + "(piece (name Wall))"
    return texts(game(pieces, f"(White (Man b2) (Wall b4)) (Black (Wall d2)) {setup}"))


# --- Blocks -------------------------------------------------------------------------------


def test_moves_follow_the_order_of_pieces_and_blocks() -> None:
    position = game(man("(n add) (e add)"), "(White (Man b1 a1))")
    assert texts(position) == ["Man a1 - a2", "Man a1 x b1", "Man b1 - b2", "Man b1 - c1"]


def test_drops_are_tried_on_every_position_but_dummies() -> None:
    drops = "(drops ((verify (not-in-zone? high)) add))"
    zone = "(zone (name high) (players White) (positions a4 b4 c4 d4 a3 b3 c3 d3 a2 b2 c2 d2))"
    position = game(
        man("", drops), "(White (Man off 1)) (Black (Man b1))", board=zone + "(dummy x)"
    )
    assert texts(position) == ["White Man a1", "White Man b1", "White Man c1", "White Man d1"]
    assert squares(position.play("White Man b1")) == "White Man b1"


@each_case(
    ("block", "expected"),
    [
        ("(a1 add)", ["White Man a1"]),
        ("(a1 b1 add)", ["White Man b1"]),
        ("(x add)", ["White Man x"]),
        ("(camp add)", ["White Man a1", "White Man a2"]),
        ("(camp yard add)", []),
    ],
)
def test_a_drop_block_that_begins_with_a_position_is_tried_there_only(
    block: str, expected: list[str]
) -> None:
    board = """(dummy x) (zone (name camp) (players White) (positions a1 a2 x))
        (zone (name yard) (players White) (positions b1))"""
    position = game(man("", f"(drops {block})"), "(White (Man off 1))", board=board)
    assert texts(position) == expected


def test_effects_are_invisible_to_the_block() -> None:
    assert moves_of("((capture d2) (verify (enemy? d2)) n add)") == ["Man b2 - b3 x d2"]


def test_block_ends_and_keeps_its_moves() -> None:
    assert moves_of("(n add n n add)") == ["Man b2 - b3"]
    assert moves_of("(n add (verify false) n add)") == ["Man b2 - b3"]


def test_effects_are_cleared_after_each_add() -> None:
    assert moves_of("(n (capture d2) add e add)") == ["Man b2 - b3 x d2", "Man b2 - c3"]


def test_cascades_stay_after_add() -> None:
    assert moves_of("(n cascade d2 from n add n add)") == [
        "Man b2 - b3 Wall d2 - d3",
        "Man b2 - b3 Wall d2 - d4",
    ]


def test_identical_moves_count_once() -> None:
    assert moves_of("(n add) (n add) (e w n add)") == ["Man b2 - b3"]
    # Made by two pieces, and a drop that is tried on all positions.
    walls = "(piece (name Wall) (moves (b2 from n add)))"
    assert texts(game(man("(n add)") + walls, "(White (Man b2) (Wall d1))")) == ["Man b2 - b3"]
    assert texts(game(man("", "(drops (n c3 add))"), "(White (Man off 1))")) == ["White Man c3"]


# --- Cursor -------------------------------------------------------------------------------


@each_case(
    ("block", "target"),
    [
        ("(n e add)", "c3"),
        ("(a1 add)", "a1"),
        ("((opposite n) add)", "b1"),
        ("(n mark e e back add)", "b3"),
        ("(n n back e add)", "c2"),  # before any mark the start
        ("(n mark e mark e back add)", "c3"),
        ("(n mark e back e e back add)", "b3"),
        ("((mark a1) n back add)", "a1"),
        ("((mark n) e back add)", "b3"),
        ("(n n (go from) w add)", "a2"),
        ("(n to e e (go to) w add)", "b3"),  # `to` decides, not the cursor
        ("(n mark e (go mark) e e add)", "d3"),
        ("(n to e add)", "b3"),
    ],
)
def test_cursor(block: str, target: str) -> None:
    assert moves_of(block) == [f"Man b2 - {target}"]


def test_from_takes_another_piece() -> None:
    assert moves_of("(d2 from n add)") == ["Wall d2 - d3"]


def test_mark_off_the_board_stays_where_it_was() -> None:
    assert moves_of("(s (mark s) add)") == ["Man b2 - b1"]
    assert moves_of("(mark s (mark s) back n n add)") == ["Man b2 x b4"]


def test_last_from_and_last_to_as_targets() -> None:
    pieces = man("(n add)") + "(piece (name Spy) (moves ((go last-from) add) ((go last-to) n add)))"
    position = game(pieces, "(White (Man a1)) (Black (Spy d1))")
    assert texts(position.play("Man a1 - a2")) == ["Spy d1 - a1", "Spy d1 - a3"]
    first = game(pieces, "(White (Spy a1)) (Black (Man d1))")
    assert texts(first) == []


# --- Effects ------------------------------------------------------------------------------


def effect(moves: str, setup: str = "(White (Man b2)) (Black (Wall c2))", **more: str) -> str:
    """The board after the only move of White's men."""
    pieces = man(moves, "(attribute x false)") + "(piece (name Wall) (attribute x false))"
    position = game(pieces, setup, **more)
    assert len(texts(position)) == 1
    return squares(position.play(position.moves()[0]))


def test_add() -> None:
    assert effect("(n add)") == "White Man b3, Black Wall c2"


def test_add_with_types_makes_one_move_for_each() -> None:
    position = game(man("(n (add Man Wall))") + "(piece (name Wall))", "(White (Man b2))")
    assert texts(position) == ["Man b2 - b3 = Man", "Man b2 - b3 = Wall"]
    assert squares(position.play("Man b2 - b3 = Wall")) == "White Wall b3"


def test_add_copy_leaves_the_original() -> None:
    assert effect("(n add-copy)") == "White Man b2, White Man b3, Black Wall c2"
    assert effect("(n (add-copy Wall))") == "White Man b2, White Wall b3, Black Wall c2"


def test_capture_add_copy_takes_without_moving() -> None:
    assert effect("(e capture add-copy)") == "White Man b2"


def test_add_copy_in_place_is_a_pass_of_the_piece() -> None:
    assert effect("(add-copy)") == "White Man b2, Black Wall c2"


def test_cascade_moves_several_pieces() -> None:
    block = "(e (verify enemy?) cascade e add)"
    assert effect(block) == "White Man c2, Black Wall d2"


def test_cascade_from_an_empty_square_moves_nothing() -> None:
    assert effect("(n cascade n add)") == "White Man b3, Black Wall c2"


def test_capture() -> None:
    assert effect("((capture e) n add)") == "White Man b3"
    assert effect("((capture c2) n add)") == "White Man b3"
    assert effect("(e capture w n add)") == "White Man b3"


def test_capture_on_the_to_square_removes_the_arriving_piece() -> None:
    assert effect("(e capture add)") == ""


def test_a_move_displaces_friend_and_enemy() -> None:
    assert effect("(e add)") == "White Man c2"
    assert effect("(e add)", "(White (Man b2) (Wall c2))") == "White Man c2"


def test_cascade_takes_the_piece_on_the_to_square_away() -> None:
    assert effect("(e cascade a1 add)") == "Black Wall a1, White Man c2"


def test_create() -> None:
    assert effect("((create a1) n add)") == "White Man a1, White Man b3, Black Wall c2"
    assert effect("((create Wall a1) n add)") == "White Wall a1, White Man b3, Black Wall c2"
    assert effect("((create Black Wall e) n add)") == "White Man b3, Black Wall c2"
    assert effect("((create Black n) e add)") == "Black Man b3, White Man c2"
    assert effect("(n create add)") == "White Man b3, Black Wall c2"


def test_creates_come_before_changes_and_captures_last() -> None:
    assert effect("((change-type Wall a1) (create a1) n add)").startswith("White Wall a1")
    assert effect("((capture a1) (create a1) n add)") == "White Man b3, Black Wall c2"


def test_promotion_after_change_type() -> None:
    assert effect("(n (change-type Wall) (add Man))") == "White Man b3, Black Wall c2"


def test_creates_on_the_from_and_to_squares_act() -> None:
    assert effect("((create Wall) n add)") == "White Wall b2, White Man b3, Black Wall c2"
    assert effect("(n (create Wall) add)") == "White Wall b3, Black Wall c2"


def test_changes_apply_to_the_arriving_piece() -> None:
    assert effect("(e cascade e (change-type Man) change-owner add)") == (
        "White Man c2, White Man d2"
    )


def test_change_owner_type_and_flip() -> None:
    assert effect("((change-owner e) n add)") == "White Man b3, White Wall c2"
    assert effect("((change-type Man e) n add)") == "White Man b3, Black Man c2"
    assert effect("((flip e) n add)") == "White Man b3, White Wall c2"
    three = {"players": "White Black Red"}
    assert effect("((flip e) n flip add)", **three) == "Black Man b3, Red Wall c2"


def test_set_attribute_is_evaluated_at_once() -> None:
    block = "((set-attribute x (enemy? e) n) n add)"
    position = game(
        man(block, "(attribute x false)"), "(White (Man b2)) (Black (Man c2))", turns="White"
    )
    marked = position.play("Man b2 - b3 @ b3 0 1")
    assert marked.board()["b3"] == ("White", "Man", {"x": True})
    assert texts(marked) == ["Man b3 - b4 @ b4 0 0"]


def test_effects_and_moves_that_change_nothing_vanish() -> None:
    assert effect("((capture a1) (change-type Wall d4) n add)") == "White Man b3, Black Wall c2"
    assert moves_of("(add)") == []
    assert moves_of("((capture a1) add)") == []
    assert moves_of("((capture d2) add)") == ["x d2"]


@each_case(
    "code",
    [
        "(capture s)",
        "(create s)",
        "(create White Man (opposite n))",
        "(change-type Wall s)",
        "(change-owner s)",
        "(flip s)",
        "(set-attribute a? true s)",
        "(set-position-flag f true s)",
    ],
)
def test_effect_off_the_board_does_nothing(code: str) -> None:
    assert moves_of(f"(s {code} add)") == ["Man b2 - b1"]
    assert moves_of(f"(s {code} n n (create White Wall d2) add)") == ["Man b2 - b3 White Wall d2"]


def test_effect_on_a_position_that_does_not_exist_vanishes() -> None:
    assert moves_of("(s (capture x9) add)") == ["Man b2 - b1"]


# --- Flags --------------------------------------------------------------------------------


def test_flags_take_a_constant_or_a_condition() -> None:
    assert moves_of("((set-flag f (friend? b4)) (if (flag? f) n) add)") == ["Man b2 - b3"]
    assert moves_of("((set-flag f true) (set-flag f) (if (flag? f) n else s) add)") == [
        "Man b2 - b1"
    ]


def test_position_flags_belong_to_one_position() -> None:
    assert moves_of("((set-position-flag f true n) n (verify (position-flag? f)) add)") == [
        "Man b2 - b3"
    ]
    assert moves_of("((set-position-flag f true n) e (verify (not-position-flag? f)) add)") == [
        "Man b2 - c2"
    ]


def test_flags_live_in_one_block() -> None:
    assert moves_of("((set-flag f true) n add) ((verify (flag? f)) s add)") == ["Man b2 - b3"]
