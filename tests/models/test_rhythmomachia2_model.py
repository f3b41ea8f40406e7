"""Tests of the model of Rhythmomachia 2 alone, on positions worked out by hand.

The rules are in section 10 of the rules page; where it has no rule, the tests follow the
interpretations in the docstring of rhythmomachia2.py.  Pieces are written as side, class (round,
triangle, square, pyramid) and number: `WT9`.  A piece attacks directly a victim of its own number.
It attacks at a distance with its number multiplied or divided by the count of squares from piece to
victim, both included.  With the option `formation`, several attacks of a turn lower the victim's
rating (its number) step by step; the victim is captured at 0.
"""

from __future__ import annotations

import random

import pytest

from tests.kit.cases import each_case
from tests.models.rhythmomachia2 import Action, Options2, State2, position2, start2
from tests.rules.rithmomachia_positions import read


def state(text: str, turn: str = "W", **options: object) -> State2:
    pieces, parts = read(text)
    return position2(pieces, Options2(**options), turn=turn, parts=parts)  # type: ignore[arg-type]


def attacks(state: State2) -> list[str]:
    found = [
        f"{action.start} x {action.goal}{action.part and ' ' + action.part} {action.amount}"
        for action in state.actions
        if action.kind == "attack"
    ]
    return sorted(found)


def moves(state: State2, square: str) -> str:
    """Return the goals of the moves of the piece on a square."""
    actions = (action for action in state.actions if action[:2] == ("move", square))
    return " ".join(sorted(action.goal for action in actions))


def play(state: State2, *texts: str) -> State2:
    """Return the position after actions: `a1 x b2 4`, `a1-b2`, `swap c5 T9`, `end`."""
    for text in texts:
        if text == "end":
            action = Action("end")
        elif " x " in text:
            start, _, goal, *part, amount = text.split()
            action = Action("attack", start, goal, "".join(part), int(amount))
        elif text.startswith("swap"):
            action = Action("swap", text.split()[1], "", text.split()[2])
        else:
            action = Action("move", *text.split("-"))
        assert action in state.actions, text
        state = state.play(action)
    return state


def test_first_moves_equal_those_counted_by_hand() -> None:
    # Counted by hand: rounds have 6 moves, triangles 8, squares 3, the pyramid 2.
    first = start2()
    assert first.turn == "W"
    assert sum(action.kind == "move" for action in first.actions) == 19
    assert moves(first, "i4") == "f1 g2"
    assert moves(first, "e6") == "d6 e7"


@each_case(
    ("piece", "goals"),
    [
        ("WR4", "e8 f7 f9 g8"),
        ("WT9", "d10 d6 h10 h6"),
        ("WS25", "c11 c5 c8 f11 f5 i11 i5 i8"),
        ("WP=R4+T9", "d10 d6 e8 f7 f9 g8 h10 h6"),
    ],
)
def test_goals_of_each_class(piece: str, goals: str) -> None:
    assert moves(state(f"{piece} f8, BR3 c16"), "f8") == goals


def test_pieces_between_block_moves() -> None:
    assert moves(state("WT9 f8, BR3 g9, BS361 e7"), "f8") == "d10 h6"


def test_direct_confrontation_needs_an_equal_number() -> None:
    assert attacks(state("WR9 f8, BR9 f9, BS361 c16", formation="off")) == ["f8 x f9 9"]
    # A round does not move diagonally, and a triangle does not move one square.
    assert attacks(state("WR9 f8, BR9 g9, BS361 c16", formation="off")) == []
    assert attacks(state("WT9 f8, BR9 h10, BS361 c16", formation="off")) == ["f8 x h10 9"]
    assert attacks(state("WT9 f8, BR9 h10, BT56 g9", formation="off")) == []


def test_attacks_at_a_distance_multiply_or_divide() -> None:
    # 4 times 7 squares; 45 divided by 5; only in directions in which the attacker's class moves.
    assert attacks(state("WR4 d4, BS28 d10, BR3 c16", formation="off")) == ["d4 x d10 28"]
    assert attacks(state("WS45 d4, BR9 d8, BR3 c16", formation="off")) == ["d4 x d8 9"]
    assert attacks(state("WT9 c8, BT36 f11, BR3 c16", formation="off")) == ["c8 x f11 36"]
    assert attacks(state("WT9 c8, BT36 f8, BR3 c16", formation="off")) == []
    assert attacks(state("WR4 d4, BS28 d10, BT56 d7", formation="off")) == ["d4 x d10 28"]


def test_formation_adds_attacks() -> None:
    before = state("WR4 d4, WR2 j10, BT30 d10, BR3 c16")
    # d4 lowers by 28 (7 squares); then 14 of j10 (7 squares) exceeds the remaining 2.
    assert attacks(before) == ["d4 x d10 28", "j10 x d10 14"]
    after = play(before, "d4 x d10 28")
    assert attacks(after) == []
    assert "d10" in after.board
    adjacent = state("WR4 d4, WR2 d9, WR2 j1, BS28 d10, BT64 c16")
    assert "d9 x d10 4" in attacks(adjacent)
    before = state("WR4 f10, WR2 d8, BR25 d10, BS28 c16")
    # 4 * 3 = 12 and 2 * 3 = 6 leave 7 of 25.
    lowered = play(before, "f10 x d10 12", "d8 x d10 6")
    assert "d10" in lowered.board
    exact = play(state("WR4 f10, WR2 d8, BS18 d10, BS28 c16"), "f10 x d10 12", "d8 x d10 6")
    assert "d10" not in exact.board


def test_without_formation_one_attack_removes_the_full_rating() -> None:
    assert attacks(state("WR4 f10, WR2 d8, BS18 d10, BS28 c16", formation="off")) == []


def test_a_piece_attacks_a_victim_once_each_turn() -> None:
    after = play(state("WR4 f10, BS361 d10, BS28 c16"), "f10 x d10 12")
    assert attacks(after) == []
    moved = play(after, "f10-g10")
    # The distance differs now, but the attacker is the same piece.
    assert attacks(moved) == []
    next_turn = play(moved, "end")
    assert next_turn.lowered == {}
    assert next_turn.turn == "B"


def test_direct_attack_on_a_remaining_rating() -> None:
    # The attack from g9 removes 4 times 4 of 20; the piece on d10 equals the remaining 4.
    before = state("WR4 g9, WR4 d10, BT20 d9, BS28 c16")
    after = play(before, "g9 x d9 16", "d10 x d9 4")
    assert "d9" not in after.board


def test_joint_direct_attacks_are_an_option() -> None:
    text = "WR16 f9, WR4 e8, BT20 e9, BS28 c16"
    assert attacks(state(text, formation="off")) == []
    joint = state(text, formation="off", direct="also-joint")
    assert attacks(joint) == ["e8 x e9 4", "f9 x e9 16"]
    assert "e9" not in play(joint, "e8 x e9 4", "f9 x e9 16").board


def test_a_turn_has_attacks_and_at_most_one_move() -> None:
    before = state("WR9 f8, BR9 f9, BS361 c16", formation="off")
    assert Action("end") in before.actions  # a move is optional
    after = play(before, "f8 x f9 9", "f8-f9")
    assert after.actions == [Action("end")]
    first = play(before, "f8-e8")
    assert attacks(first) == []
    assert play(first, "end").turn == "B"


def test_a_player_without_moves_can_end_the_turn() -> None:
    blocked = state("WT6 c1, BS361 d2, BR3 j16")
    assert [action.kind for action in blocked.actions if action.kind != "attack"] == ["end"]


def test_a_part_or_the_total_can_be_captured() -> None:
    # An equal number captures S64; 20 times 4 squares captures the total 80.
    parts = state("WS64 f6, BP=S64+R16 f9, BR3 c16", formation="off")
    after = play(parts, "f6 x f9 S64 64")
    assert after.board["f9"].kind == "P"
    assert [part.value for part in after.parts["B"]] == [16]
    total = state("WS20 f6, BP=S64+R16 f9, BR3 c16", formation="off")
    assert attacks(total) == ["f6 x f9 total 80"]
    assert "f9" not in play(total, "f6 x f9 total 80").board


def test_totals_are_optional() -> None:
    text = "WS20 f6, BP=S64+R16 f9, BR3 c16"
    assert attacks(state(text, formation="off", pyramid="parts")) == []
    assert attacks(state(text, formation="off", pyramid_total="intact")) == []
    # One part alone has no total.
    alone = state("WR4 f6, BP=R16 f9, BR3 c16", formation="off")
    assert attacks(alone) == ["f6 x f9 R16 16"]


def test_the_loss_of_a_part_voids_reductions_of_the_total() -> None:
    # R4 lowers the total 116 by 4 times 3; after the loss of R16 the new total is 100.
    before = state("WR4 f7, WR16 e9, BP=S64+R16+T36 f9, BR3 c16", swap="off")
    lowered = play(before, "f7 x f9 total 12")
    assert dict(lowered.lowered) == {("f9", "total"): 12}
    lost = play(lowered, "e9 x f9 R16 16")
    assert not lost.lowered
    # R4 has attacked the total already; R16 has not.
    on_total = [attack for attack in attacks(lost) if "total" in attack]
    assert on_total == ["e9 x f9 total 32", "e9 x f9 total 8"]


def test_pyramid_attacks_in_its_parts_directions() -> None:
    diagonal = state("WP=R4+T9 c8, BT36 f11, BR3 c16", formation="off")
    assert attacks(diagonal) == ["c8 x f11 36"]
    # R4 does not attack diagonally; the total 13 does, because T9 does: 13 * 4.
    assert attacks(state("WP=R4+T9 c8, BT16 f11, BR3 c16", formation="off")) == []
    assert attacks(state("WP=R4+T9 c8, BT52 f11, BR3 c16", formation="off")) == ["c8 x f11 52"]


def test_a_siege_is_an_optional_capture() -> None:
    text = "WR4 e9, WR6 g9, WR8 f10, WS153 c8, BS361 f9, BS225 c16"
    siege = Action("siege", "", "f9")
    assert siege not in play(state(text), "c8-f8").actions
    assert siege not in state(text, siege="on").actions
    surrounded = play(state(text, siege="on"), "c8-f8")
    assert "f9" in surrounded.board  # the player chooses whether to capture
    assert siege in surrounded.actions
    assert "f9" not in surrounded.play(siege).board


def test_siege_captures_all_parts_of_a_pyramid() -> None:
    text = "WR4 e9, WR6 g9, WR8 f10, WR2 f8, BP=S49+R16 f9, BS49 j14"
    after = state(text, siege="on").play(Action("siege", "", "f9"))
    assert (after.lost_part, after.parts["B"], "f9" in after.board) == (None, (), False)
    assert after.lost["B"][:2] == (2, 65)


def part_names(state: State2, side: str) -> str:
    """Return the names of the remaining parts of a side's pyramid."""
    return " ".join(str(part)[1:] for part in state.parts[side])


def test_the_owner_may_replace_a_lost_part() -> None:
    text = "BR9 h4, BR3 c16, WP i4, WT9 c5, WR2 j16"
    before_swap = play(state(text, turn="B", formation="off"), "h4 x i4 T9 9")
    assert part_names(before_swap, "W") == "S36 S25 T16 R4 R1"
    assert (before_swap.turn, before_swap.to_act) == ("B", "W")
    assert before_swap.actions == [Action("end"), Action("swap", "c5", "", "T9")]
    swapped = play(before_swap, "swap c5 T9")
    assert "c5" not in swapped.board
    assert part_names(swapped, "W") == "S36 S25 T16 T9 R4 R1"
    assert swapped.to_act == "B"
    # The replacement is another piece, so the same attacker may attack it.
    assert "h4 x i4 T9 9" in attacks(swapped)
    declined = play(before_swap, "end")
    assert (declined.to_act, part_names(declined, "W")) == ("B", "S36 S25 T16 R4 R1")
    assert "c5" in declined.board
    without_swap = play(state(text, turn="B", formation="off", swap="off"), "h4 x i4 T9 9")
    assert without_swap.lost_part is None


def test_a_pyramid_without_parts_remains_until_the_swap_is_decided() -> None:
    before = state("BR9 h4, BR3 c16, WP=T9 i4, WT9 c5, WR2 j16", turn="B", formation="off")
    before_swap = play(before, "h4 x i4 T9 9")
    assert "i4" in before_swap.board  # until the owner has decided about the swap
    assert "i4" not in play(before_swap, "end").board
    assert part_names(play(before_swap, "swap c5 T9"), "W") == "T9"


def test_swap_keeps_reductions_and_attacks() -> None:
    # R3 lowers the later replacement by 1: 3 / 3 squares.
    before = state("BR9 h4, BR3 c7, WP i4, WT9 c5, WR2 j16", turn="B")
    after = play(before, "c7 x c5 1", "h4 x i4 T9 9", "swap c5 T9")
    assert dict(after.lowered) == {("i4", "T9"): 1}
    assert after.attacks_made == {("c7", ("i4", "T9"))}
    assert not play(after, "end").lowered


LINE = "WR4 d12, WR8 e12, BT12 h12, BS361 c1"


@each_case(
    ("text", "move", "options", "winner"),
    [
        (LINE, "e12-f12", {}, "W"),
        (LINE, "e12-e11", {}, None),
        (LINE, "e12-f12", {"enemy": 0}, None),
        (LINE, "e12-f12", {"harmony": "geometric"}, None),
        (LINE, "e12-f12", {"shape": "triangle"}, None),
        # 4 6 12; then 4 8 12 with a piece between.
        ("WR4 d12, WR6 e12, BT12 h12, BS361 c1", "e12-f12", {}, "W"),
        (LINE + ", BS225 g12", "e12-f12", {}, None),
        ("WR4 d12, WR8 e12, WT12 d8, BS361 c1", "e12-f12", {}, None),
        ("WR4 d13, WR8 e13, WT12 d9, BS361 c1", "e13-f13", {}, "W"),
        ("WR4 d13, WR8 e13, WT12 d9, BS361 c1", "e13-f13", {"shape": "line"}, None),
        ("WR4 d13, WR8 e13, WT12 d9, BS361 d11", "e13-f13", {}, None),
        ("WR4 d13, WR8 e12, WT12 f9, BS361 c1", "e12-e13", {}, None),
        ("WR4 d13, WR8 e13, WT12 f9, BS361 c1", "e13-f13", {}, "W"),
        # At most one of the three pieces may be an enemy.
        ("BR4 d12, WR8 e12, BT12 h12, BS361 c1", "e12-f12", {}, None),
        # Diagonals are lines.
        ("WR4 d10, WR8 e12, BT12 h14, BS361 c1", "e12-f12", {}, "W"),
    ],
)
def test_harmonies_win_if_distances_and_shape_agree(
    text: str, move: str, options: dict[str, object], winner: str | None
) -> None:
    assert state(text, **options).ending is None  # a position before any action has no winner
    moved = play(state(text, **options), move)
    assert moved.ending == (winner and (winner, "Harmony"))
    assert play(moved, "end").ending == moved.ending


def test_a_capture_can_complete_a_harmony() -> None:
    # R9 stands between 8 and 12 until it is captured.
    before = state("WR4 d12, WR8 f12, BT12 h12, BR9 g12, WR9 g11, BS361 c1")
    assert play(before, "g11 x g12 9").ending == ("W", "Harmony")


def test_a_harmony_counts_full_ratings() -> None:
    # T12 is lowered by 8 to 4, but counts as 12: 4 6 12 is a harmonic progression.
    before = state("WR4 e11, WR6 f12, WR2 h15, BT12 h12, BS361 c1")
    after = play(before, "h15 x h12 8", "e11-e10")
    assert after.ending is None
    assert (
        play(state("WR4 d11, WR6 f12, WR2 h15, BT12 h12, BS361 c1"), "h15 x h12 8").ending is None
    )
    moved = play(state("WR4 d11, WR6 f12, WR2 h15, BT12 h12, BS361 c1"), "h15 x h12 8", "d11-d12")
    assert moved.ending == ("W", "Harmony")


def test_capturing_all_pieces_wins_by_option() -> None:
    before = state("WR9 f8, BR9 f9")
    assert play(before, "f8 x f9 9").ending == ("W", "Annihilation")
    alone = play(state("WR9 f8, BR9 f9", annihilation="off"), "f8 x f9 9")
    assert alone.ending is None
    assert play(alone, "end").ending == (None, "stalemate")
    loss = play(state("WR9 f8, BR9 f9", annihilation="off", stalemate="loss"), "f8 x f9 9", "end")
    assert loss.ending == ("W", "stalemate")


def test_draw_after_counts_turns_without_captures() -> None:
    before = state("WR9 c1, BR9 j16", draw_after=2)
    assert play(before, "end").ending is None
    assert play(before, "c1-c2", "end", "end").ending == (None, "draw-after")


@pytest.mark.slow
def test_random_games_end() -> None:
    chooser = random.Random(1)
    for _ in range(4):
        current = start2(Options2(draw_after=6, formation=chooser.choice(("on", "off"))))
        while current.ending is None:
            kind = chooser.choice(sorted({action.kind for action in current.actions}))
            actions = [action for action in current.actions if action.kind == kind]
            current = current.play(chooser.choice(actions))
