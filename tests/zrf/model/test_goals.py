"""Goals (section 8 of the contract and the undecided points about goals)."""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.models import zrf
from tests.models.zrf import Position, choices, goals
from tests.zrf.model.small_games import after, game, man

WALKER = man("(n add) (e add)")
KING = "(piece (name King) (moves (n add) (s add)))"
FOE = "(piece (name Foe) (moves (w add) (s add)))"
SETUP = "(White (Man a1 d1)) (Black (Man d4 b2))"

WIN = {"White": "win", "Black": "loss"}
LOSS = {"White": "loss", "Black": "win"}
DRAW = {"White": "draw", "Black": "draw"}
PASSING = '(option "pass turn" true)'


def outcome(goal: str, *moves: str, setup: str = SETUP, pieces: str = WALKER) -> object:
    """The result after moves."""
    return after(game(pieces, setup, goals=goal + PASSING), *moves).result


# --- pieces -------------------------------------------------------------------------------


@each_case(
    ("goal", "expected"),
    [
        ("(loss-condition (White Black) (pieces-remaining 1))", WIN),
        ("(win-condition (Black) (pieces-remaining 1))", LOSS),
        ("(win-condition (Black) (pieces-remaining 0 King) (pieces-remaining 1 Man))", LOSS),
        ("(draw-condition (White) (total-piece-count 3))", DRAW),
        ("(win-condition (total-piece-count 3))", WIN),
        ("(win-condition (White) (total-piece-count 4))", None),
        ("(count-condition (total-piece-count 3))", WIN),
        ("(draw-condition (White) (and (pieces-remaining 2) (total-piece-count 3)))", DRAW),
        ("(draw-condition (Black) (and (pieces-remaining 2) (total-piece-count 3)))", None),
        ("(draw-condition (Black) (or (pieces-remaining 2) (total-piece-count 3)))", DRAW),
        ("(draw-condition (Black) (not (pieces-remaining 2)))", DRAW),
        ("(loss-condition (Black) (captured Man))", WIN),
        ("(loss-condition (White) (captured Man))", None),
        ("(loss-condition (Black) (captured King Man))", WIN),
    ],
)
def test_counts_include_the_last_capture(goal: str, expected: object) -> None:
    # White takes one of Black's two men.
    setup = "(White (Man a2 d1)) (Black (Man d4 b2))"
    assert outcome(goal, "Man a2 x b2", setup=setup) == expected


def test_captured_looks_at_the_last_move_only() -> None:
    position = after(game(WALKER, SETUP, goals=PASSING), "Man a1 - a2", "Pass", "Man a2 x b2")
    assert position.left == ()


def test_equal_count_is_a_draw() -> None:
    goal = "(count-condition (White Black) (total-piece-count 2))"
    setup = "(White (Man a1)) (Black (Man b1 d4))"
    assert outcome(goal, "Man a1 x b1", setup=setup) == DRAW


def test_dummies_are_not_counted() -> None:
    pieces = WALKER + "(piece (name Stone) (dummy))"
    setup = "(White (Man a1)) (Black (Man b1) (Stone d4))"
    goal = "(loss-condition (Black) (pieces-remaining 0))"
    assert outcome(goal, "Man a1 x b1", setup=setup, pieces=pieces) == WIN


def test_include_off_pieces() -> None:
    goal = '(loss-condition (Black) (pieces-remaining 0)) (option "include off-pieces" {})'
    setup = "(White (Man a1)) (Black (Man b1 off 1))"
    assert outcome(goal.format("true"), "Man a1 x b1", setup=setup) is None
    assert outcome(goal.format("false"), "Man a1 x b1", setup=setup) == WIN


# --- patterns -----------------------------------------------------------------------------

ZONES = """(zone (name home) (players White) (positions c1 c2))
    (zone (name home) (players Black) (positions a1))"""


@each_case(
    ("condition", "expected"),
    [
        ("(absolute-config Man (a2))", True),
        ("(absolute-config Man a2)", True),
        ("(absolute-config Man (a2 d1))", True),
        ("(absolute-config Man (a2 d2))", False),
        ("(absolute-config Man (b2))", False),
        ("(absolute-config (opponent Man) (b2))", True),
        ("(absolute-config (opponent Man) (a2))", False),
        ("(absolute-config (any-owner Man) (a2 b2))", True),
        ("(absolute-config King Man (a2))", True),
        ("(absolute-config (not Man) (a1))", True),
        ("(absolute-config (not Man) (b2))", True),
        ("(absolute-config (not (any-owner Man)) (b2))", False),
        ("(absolute-config Man (home))", False),
        ("(absolute-config (not Man) (home))", True),
        ("(relative-config Man e (opponent Man))", True),
        ("(relative-config Man n Man)", False),
        ("(relative-config (opponent Man) n n e e (opponent Man))", True),
        ("(relative-config (opponent Man) s Man)", False),
        ("(relative-config Man e e)", True),
        ("(relative-config (opponent Man) n n e e e)", False),
    ],
)
def test_configurations_hold_on_their_squares_and_zones(condition: str, expected: bool) -> None:
    # White on a2 and d1, Black on b2 and d4.
    goal = f"(draw-condition (White) {condition})"
    start = game(WALKER, SETUP, goals=goal + PASSING, board=ZONES)
    assert (start.play("Man a1 - a2").result == DRAW) == expected


def test_a_configuration_uses_the_zone_and_symmetry_of_its_player() -> None:
    board = ZONES + "(symmetry Black (n s) (e w))"
    setup = "(White (Man d1)) (Black (Man b1 b3))"
    zone = game(
        WALKER, setup, board=board, goals="(win-condition (Black) (absolute-config Man home))"
    )
    assert after(zone, "Man d1 - d2", "Man b1 - a1").result == LOSS
    row = game(
        WALKER,
        setup,
        board=board,
        goals="(win-condition (Black) (relative-config Man n Man e (not Man)))",
    )
    assert after(row, "Man d1 - d2", "Man b3 - b2").result == LOSS


# --- moves --------------------------------------------------------------------------------


def test_a_player_without_moves_is_stalemated_unless_he_may_pass() -> None:
    goal = "(loss-condition (White Black) stalemated)"
    start = game(WALKER, "(White (Man a1)) (Black (Man d4))", goals=goal)
    assert start.play("Man a1 - a2").result == WIN
    passing = game(WALKER, "(White (Man a1)) (Black (Man d4))", goals=goal + PASSING)
    assert passing.play("Man a1 - a2").result is None


def test_an_attacked_king_without_moves_is_checkmated_not_stalemated() -> None:
    goal = "(loss-condition (White Black) (checkmated King)) (draw-condition (Black) stalemated)"
    pieces = KING + "(piece (name Rook) (moves (n add) (e (while empty? add e) add)))"
    # The king on d3 cannot leave the d file; rooks look along the rows 4 and 2.
    rooks = "(White (Rook a1 a4 a2 {})) (Black (King d3))"
    mate = game(pieces, rooks.format("b2"), goals=goal)
    # The rook from b2 goes to b3 and gives check.
    assert mate.play("Rook b2 - b3").result == WIN
    still = game(pieces, rooks.format("b1"), goals=goal)
    assert still.play("Rook b1 - c1").result == DRAW


def test_no_goals_between_partial_moves() -> None:
    pieces = man("(e (add-partial t)) (move-type t) (n add)")
    goal = "(win-condition (White) (absolute-config Man b1))"
    start = game(pieces, "(White (Man a1)) (Black (Man d1))", goals=goal + PASSING)
    part = start.play("partial 1 Man a1 - b1")
    assert part.result is None
    assert part.play("Man b1 - b2").result is None


def test_the_third_occurrence_meets_the_repetition_goal_or_draws() -> None:
    pieces = man("(n add) (s add)")
    setup = "(White (Man a1)) (Black (Man d1))"
    there_and_back = ["Man a1 - a2", "Man d1 - d2", "Man a2 - a1", "Man d2 - d1"]
    for goal, expected in [
        ("(loss-condition (White) repetition)", LOSS),
        ("", DRAW),  # 72
        ("(win-condition (White Black) repetition)", LOSS),  # the mover, Black
    ]:
        position = after(game(pieces, setup, goals=goal), *there_and_back)
        assert position.result is None
        assert after(position, *there_and_back).result == expected


def test_the_draw_by_repetition_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goals, "THIRD_OCCURRENCE_IS_A_DRAW", False)
    position = game(man("(n add)"), "(White (Man a1)) (Black (Man d1))", goals=PASSING)
    assert after(position, *["Pass"] * 8).result is None


def test_games_of_one_player_have_no_draw_by_repetition() -> None:
    position = game(man("(n add) (s add)"), "(White (Man a1))", players="White")
    assert after(position, *["Man a1 - a2", "Man a2 - a1"] * 4).result is None


# --- undecided ----------------------------------------------------------------------------


@each_case(
    ("stated", "expected"),
    [
        (["win White", "win Black"], WIN),
        (["loss White", "win White"], WIN),
        (["loss White", "win Black"], LOSS),
        (["loss White", "loss Black"], LOSS),
        (["win Black", "loss Black"], LOSS),
        (["draw White", "loss Black"], WIN),
        (["draw White"], DRAW),
    ],
)
def test_the_order_of_goals_in_the_file_does_not_matter(
    stated: list[str], expected: object
) -> None:
    lines = [
        f"({kind}-condition ({p}) (total-piece-count 4))" for kind, p in map(str.split, stated)
    ]
    for order in (lines, lines[::-1]):
        assert outcome(" ".join(order), "Man a1 - a2") == expected
    assert choices.GOAL_ORDER[0] == "win of the mover"


def three(goal: str) -> Position:
    """Three players whose men walk north and take each other by walking east."""
    return game(
        WALKER,
        "(White (Man a1)) (Black (Man b1)) (Red (Man c2 d4))",
        goals=goal,
        players="White Black Red",
    )


def test_a_losing_player_of_three_is_out_and_the_others_go_on() -> None:
    start = three("(loss-condition (White Black Red) (pieces-remaining 0))")
    position = start.play("Man a1 x b1")
    assert position.result is None
    assert (position.out, position.player) == (frozenset({"Black"}), "Red")
    position = after(position, "Man c2 - d2", "Man b1 - b2", "Man d2 - d3")
    assert position.player == "White"
    assert zrf.perft(position, 1) == 2


def test_the_last_player_left_wins() -> None:
    goal = "(loss-condition (White Black Red) (pieces-remaining 0 Man))"
    position = game(
        WALKER,
        "(White (Man a1)) (Black (Man b1)) (Red (Man c1))",
        goals=goal + PASSING,
        players="White Black Red",
    )
    end = after(position, "Man a1 x b1", "Pass", "Man b1 x c1")
    assert end.result == {"White": "win", "Black": "loss", "Red": "loss"}
    assert end.moves() == []


def test_a_win_ends_a_game_of_three() -> None:
    end = three("(win-condition (Red) (total-piece-count 3))").play("Man a1 x b1")
    assert end.result == {"White": "loss", "Black": "loss", "Red": "win"}
