"""Players, turn order, set-up and goals: contract, items 35 to 46, 68 to 71, 74 and 76."""

from __future__ import annotations

import pytest

from forthvm.zrf.rule_file import parse_rule_text
from forthvm.zrf.rules import (
    AbsoluteConfig,
    AndGoal,
    CaptureCount,
    Captured,
    Checkmated,
    GoalCondition,
    NotGoal,
    Occupant,
    OrGoal,
    PiecesRemaining,
    Placement,
    RelativeConfig,
    Repetition,
    Rules,
    Stalemated,
    TotalPieceCount,
    Turn,
)
from forthvm.zrf.source import RuleFileError
from tests.kit.cases import each_case
from tests.kit.messages import raises
from tests.zrf.texts import BOARD

ZONES = "(zone (name home) (players White) (positions a1 b1)))"


def rules(*, turns: str = "White Black", extra: str = "") -> Rules:
    board = BOARD.rstrip()[:-1] + ZONES
    return parse_rule_text(
        f"""(game (title "Test") (players White Black ?Dice Stones) (turn-order {turns}) {board}
          (piece (name Man)) (piece (name King)) {extra})"""
    ).rules()


def condition(text: str) -> GoalCondition:
    [goal] = rules(extra=f"(win-condition (White) {text})").goals
    return goal.condition


def test_players_keep_the_order_of_the_file() -> None:
    assert rules().players == ("White", "Black", "?Dice", "Stones")


def test_entries_of_the_turn_order_name_players_sides_and_move_types() -> None:
    found = rules(turns="White (Black quick) (White Black) (?Dice Black quick) (White Man)").turns
    assert found == (
        Turn("White", "White"),
        Turn("Black", "Black", "quick"),
        Turn("White", "Black"),
        Turn("?Dice", "Black", "quick"),
        Turn("White", "White", "Man"),
    )


@pytest.mark.parametrize(
    ("turns", "repeat"),
    [("White Black", 0), ("White repeat Black White", 1), ("White Black repeat", 0)],
)
def test_the_order_goes_on_behind_repeat(turns: str, repeat: int) -> None:
    assert rules(turns=turns).repeat == repeat


def test_an_unknown_player_is_an_error() -> None:
    with raises(RuleFileError, "turns-and-goals.unknown-player") as caught:
        rules(turns="Whitee Black")
    assert "`White`" in caught.value.hints[0]


def test_attributes_are_numbered_by_their_first_declarations() -> None:
    extra = """(piece (name Man) (attribute b true) (attribute a false))
    (piece (name Rook) (attribute c true) (attribute a true))"""
    found = rules(extra=extra)
    assert found.attributes == ("b", "a", "c")
    assert found.pieces[0].attributes == {"b": True, "a": False}
    assert found.pieces[2].attributes == {"c": True, "a": True}


def test_a_piece_has_a_notation_help_a_description_and_images() -> None:
    extra = """(piece (name Dice) (dummy) (notation "D") (help "h") (description "d")
    (image White "w1.bmp" "w2.bmp" Black "b1.bmp") (moves (move-type x)))"""
    piece = rules(extra=extra).pieces[2]
    assert piece.dummy
    assert (piece.notation, piece.help, piece.description) == ("D", "h", "d")
    assert piece.images == {"White": ("w1.bmp", "w2.bmp"), "Black": ("b1.bmp",)}
    assert piece.moves == ()


def test_a_move_type_types_all_following_blocks_of_its_list() -> None:
    extra = """(piece (name Man)
    (moves (n add) (move-type x) (s add) (e add) (move-type y) (w add)) (drops (add)))"""
    piece = rules(extra=extra).pieces[0]
    assert [block.move_type for block in piece.moves] == ["", "x", "x", "y"]
    assert [block.move_type for block in piece.drops] == [""]


def test_the_set_up_gives_a_position_and_stores() -> None:
    extra = "(board-setup (White (Man a1 off 5 b1) (King c3)) (Stones (Man off 2 off 3 a3)))"
    found = rules(extra=extra)
    assert found.placements == (
        Placement("White", "Man", "a1"),
        Placement("White", "Man", "b1"),
        Placement("White", "King", "c3"),
        Placement("Stones", "Man", "a3"),
    )
    assert found.reserves == {("White", "Man"): 5, ("Stones", "Man"): 5}


def test_a_huge_store_never_ends() -> None:
    extra = "(board-setup (White (Man off 99999999999 off 99999999999)))"
    assert rules(extra=extra).reserves == {("White", "Man"): 999_999_999}


def test_a_drop_block_that_begins_with_a_position_is_tried_there_only() -> None:
    extra = """(piece (name Man) (drops
      ((verify empty?) add) (a1 add) (a1 b1 add) (home add) (home home add) ($1 a1 add)))"""
    found = [(block.starts, block.start_zone) for block in rules(extra=extra).pieces[0].drops]
    assert found == [
        (None, ""),
        (("a1",), ""),
        (("b1",), ""),
        (None, "home"),
        ((), ""),
        (("a1",), ""),
    ]
    assert all(len(block.code.instructions) < 3 for block in rules(extra=extra).pieces[0].drops)


@each_case(
    ("text", "message"),
    [
        ("(White (Man z9))", "turns-and-goals.unknown-position"),
        ("(White (Mam a1))", "turns-and-goals.unknown-piece-mam"),
        ("(Red (Man a1))", "turns-and-goals.unknown-player-red"),
        ("(White (Man off))", "turns-and-goals.off-without-a-number"),
        ("(White (Man off x))", "turns-and-goals.a-number-is-expected"),
    ],
)
def test_broken_set_ups_are_refused(text: str, message: str) -> None:
    with raises(RuleFileError, message):
        rules(extra=f"(board-setup {text})")


def test_unknown_pieces_without_similar_ones_list_the_existing_names() -> None:
    with pytest.raises(RuleFileError) as caught:
        rules(extra="(board-setup (White (Men a1)))")
    assert caught.value.hints == ("names that exist: `Man` and `King`",)


# --- goals --------------------------------------------------------------------------------


def test_a_goal_has_a_kind_and_players() -> None:
    extra = """(win-condition (White Black) stalemated) (loss-condition (Black) repetition)
    (draw-condition (White) repetition) (count-condition stalemated)
    (win-condition (total-piece-count 2))"""
    assert [(goal.kind, goal.players, goal.condition) for goal in rules(extra=extra).goals] == [
        ("win", ("White", "Black"), Stalemated()),
        ("loss", ("Black",), Repetition()),
        ("draw", ("White",), Repetition()),
        ("count", (), Stalemated()),
        ("win", (), TotalPieceCount(2)),
    ]


def test_several_conditions_are_joined_by_or() -> None:
    assert condition("stalemated repetition") == OrGoal((Stalemated(), Repetition()))


@each_case(
    ("text", "expected"),
    [
        ("(checkmated King Man)", Checkmated(("King", "Man"))),
        ("(captured King)", Captured(("King",))),
        ("(pieces-remaining 2)", PiecesRemaining(2)),
        ("(pieces-remaining 0 King)", PiecesRemaining(0, "King")),
        ("(capture-count 5)", CaptureCount("=", 5)),
        ("(capture-count <= 5 King)", CaptureCount("<=", 5, "King")),
        ("(total-piece-count 3 Man)", TotalPieceCount(3, "Man")),
        ("(absolute-config Man (a1 home))", AbsoluteConfig((Occupant("Man"),), ("a1",), ("home",))),
        ("(absolute-config Man home)", AbsoluteConfig((Occupant("Man"),), (), ("home",))),
        (
            "(absolute-config King (opponent Man) (any-owner King) (not (opponent Man)) (a1))",
            AbsoluteConfig(
                (
                    Occupant("King"),
                    Occupant("Man", "opponent"),
                    Occupant("King", "any"),
                    Occupant("Man", "opponent", negated=True),
                ),
                ("a1",),
                (),
            ),
        ),
        (
            "(relative-config Man n n (opponent King))",
            RelativeConfig((Occupant("Man"), "n", "n", Occupant("King", "opponent"))),
        ),
        (
            "(and (pieces-remaining 1) (not (or (pieces-remaining 2) (pieces-remaining 3))))",
            AndGoal(
                (
                    PiecesRemaining(1),
                    NotGoal(OrGoal((PiecesRemaining(2), PiecesRemaining(3)))),
                )
            ),
        ),
    ],
)  # fmt: skip
def test_each_condition_of_a_goal_is_read(text: str, expected: GoalCondition) -> None:
    assert condition(text) == expected


@each_case(
    ("text", "message"),
    [
        ("(capture-count >=)", "turns-and-goals.the-number-of-captured-pieces"),
        ("(capture-count => 3)", "turns-and-goals.a-number-is-expected-not"),
        ("(checkmated Kong)", "turns-and-goals.unknown-piece-kong"),
        ("(absolute-config King (z9))", "turns-and-goals.unknown-position-or-zone"),
        ("(pieces-remaining)", "turns-and-goals.number-of-pieces-is-missing"),
        ("(relative-config Man z Man)", "turns-and-goals.unknown-piece-or-direction"),
    ],
)
def test_broken_goals(text: str, message: str) -> None:
    with raises(RuleFileError, message):
        condition(text)


@each_case(
    ("text", "expected"),
    [
        ("stalmated", OrGoal(())),
        ("(stalmated) repetition", Repetition()),
        ("(or (stones-in-a-row 5) repetition)", OrGoal((Repetition(),))),
        ("(or (stones-in-a-row 5))", OrGoal(())),
        ("(and (stones-in-a-row 5) (pieces-remaining 1))", OrGoal(())),
        ("(not (stones-in-a-row 5)) repetition", Repetition()),
    ],
)
def test_a_game_is_played_without_goals_that_are_unknown(
    text: str, expected: GoalCondition
) -> None:
    found = rules(extra=f"(win-condition (White) {text})")
    assert [goal.condition for goal in found.goals] == [expected]
    warnings = [str(warning) for warning in found.warnings if "unknown condition" in str(warning)]
    assert len(warnings) == 1
    assert warnings[0].startswith("game.zrf:")
    assert ("did you mean `stalemated`?" in warnings[0]) == ("stalmated" in text)


def test_a_pattern_without_places_never_holds() -> None:
    assert condition("(absolute-config King ())") == OrGoal(())


# --- move types ---------------------------------------------------------------------------


def test_move_types_are_numbered_as_they_become_known() -> None:
    extra = """(move-priorities high low)
    (piece (name Man) (moves (move-type high) (n (add-partial next)) (move-type own) (s add)))"""
    found = rules(turns="(White turn) Black", extra=extra)
    assert found.priorities == ("high", "low")
    assert found.move_types == ("low", "high", "turn", "own", "next")
