"""Moves and attacks of Rhythmomachia 2, in positions built for each rule.

The tests follow section 10 of the rules page of Rithmomachia and the interpretations in the game's
README.  `WR4 e5` is White's round 4 on e5; T is a triangle, S a square, P a pyramid.  The number is
the rating: an attack `= (8) on e7` lowers it to 8, an attack `x e7` captures the piece.  A distant
enemy piece, `BR3 j16`, prevents a victory by annihilation (no enemy pieces left).
"""

from __future__ import annotations

from tests.kit.cases import each_case
from tests.rules.rhythmomachia2_kit import attacks, moves_of, play, start, texts

# --- r2-moves ------------------------------------------------------------------------------------


@each_case(
    ("text", "square", "goals"),
    [
        ("WR4 e5, BR3 j16", "e5", "d5 e4 e6 f5"),
        ("WT9 c1, BR3 j16", "c1", "e3"),
        ("WT9 f8, BR3 j16", "f8", "d10 d6 h10 h6"),
        # R2 f7 and R2 g6 block two of the eight directions.
        ("WS15 f5, WR2 f7, WR2 g6, BR3 j16", "f5", "c2 c5 c8 f2 i2 i5"),
        ("WP=R4+T9 f8, BR3 j16", "f8", "d10 d6 e8 f7 f9 g8 h10 h6"),
        ("WT9 f8, WR2 g9, BR3 e7", "f8", "d10 h6"),
        # Goals must be empty.
        ("WR4 c1, BT12 c2, BR3 d1", "c1", ""),
    ],
)
def test_moves(text: str, square: str, goals: str) -> None:
    assert moves_of(start(text), square) == goals


# --- r2-attack-time ------------------------------------------------------------------------------


def test_a_pass_ends_the_turn() -> None:
    position = start("WR4 c1, BR3 j16")
    assert "Pass" in texts(position)
    assert play(position, "Pass").turn == "Black"


def test_one_move_each_turn() -> None:
    position = play(start("WR4 e5, BR3 j16"), "R4 e5 - e6")
    assert (position.turn, texts(position)) == ("White", ["Pass"])
    assert play(position, "Pass").turn == "Black"
    assert moves_of(position, "j16") == "i16 j15"


def test_attacks_before_and_after_the_move() -> None:
    # 4 x 3 = 12 captures T12.  From f7, T9 attacks h9 over 3 squares: 9 x 3 = 27 and 9 / 3 = 3.
    position = start("WR4 e5, BT12 e7, WT9 d5, BS28 h9, BR3 j16")
    play(position, "R4 e5 x e7", "T9 d5 - f7")
    assert attacks(position, "h9") == ["T9 f7 = (1) on h9", "T9 f7 = (25) on h9"]
    play(position, "T9 f7 = (25) on h9", "Pass")
    assert position.turn == "Black"


# --- r2-attack: at a distance --------------------------------------------------------------------


@each_case(
    ("text", "found"),
    [
        ("WR4 e5, BT12 e7", ["R4 e5 x e7"]),  # 4 x 3
        ("WR2 e6, BT12 e7", ["R2 e6 = (11) on e7", "R2 e6 = (8) on e7"]),  # 2 / 2, 2 x 2
        ("WS45 d4, BR9 d8", ["S45 d4 x d8"]),  # 45 / 5
        ("WR4 d4, BS28 d10, WT9 d7", ["R4 d4 x d10"]),  # 4 x 7, over T9
        ("WT9 c8, BT36 f11", ["T9 c8 x f11"]),  # 9 x 4, diagonally
        ("WT9 c8, BT36 f8", []),  # triangles do not attack along rows
        ("WR9 c8, BT36 f11", []),  # rounds do not attack diagonally
        ("WS25 c8, BT100 f11", ["S25 c8 x f11"]),  # 25 x 4; squares attack along all lines
        ("WS25 c8, BT100 f8", ["S25 c8 x f8"]),
        ("WR4 e5, BR7 e7", []),  # 12 exceeds 7, and 3 does not divide 4
        ("WR4 e5, BT12 f8", []),  # not in line
    ],
)
def test_attacks_at_a_distance(text: str, found: list[str]) -> None:
    victim = text.split(", ")[1].split()[1]
    assert attacks(start(f"{text}, BR3 j16"), victim) == found


def test_ratings_are_restored_at_the_end_of_the_turn() -> None:
    position = start("WR4 e5, WR2 e6, BT12 e7, BR3 j16")
    cell = position.cells[position.game._loaded.position_index["e7"]]
    play(position, "R2 e6 = (8) on e7")
    assert position.turn == "White"
    # R4's 4 x 3 = 12 exceeds the remaining 8; R2 may not attack again, even after a move.
    assert attacks(position) == []
    play(position, "R2 e6 - f6", "Pass")
    assert position.cells[position.game._loaded.position_index["e7"]] == cell


def test_formation_captures_with_two_attacks() -> None:
    position = start("WR2 e6, WR2 c8, BT12 e8, BR3 j16")
    assert attacks(position) == ["R2 c8 = (6) on e8", "R2 e6 = (6) on e8"]
    play(position, "R2 e6 = (6) on e8", "R2 e6 - d6")
    assert attacks(position) == ["R2 c8 x e8"]


def test_without_formation_an_attack_at_a_distance_captures_alone() -> None:
    assert attacks(start("WR2 e6, WR2 c8, BT12 e8, BR3 j16", r2_formation="off")) == []
    alone = start("WR4 e6, BT12 e8, BR3 j16", r2_formation="off")
    assert attacks(alone) == ["R4 e6 x e8"]


# --- r2-once -------------------------------------------------------------------------------------


def test_a_piece_attacks_each_victim_once() -> None:
    # R2 lowers T12 by 2 x 3 and S28 by 2 x 3; then it has no other victim.
    position = start("WR2 e6, BT12 e8, BS28 g6, BR3 j16")
    play(position, "R2 e6 = (6) on e8")
    assert attacks(position) == ["R2 e6 = (22) on g6"]
    assert attacks(play(position, "R2 e6 = (22) on g6")) == []


def test_attacks_are_counted_by_piece() -> None:
    position = play(start("WR2 e6, BT12 e8, BR3 j16"), "R2 e6 = (6) on e8", "R2 e6 - e7")
    assert attacks(position) == []
    # After R2 e6 has attacked and moved away, the other R2 may attack.
    position = start("WR2 e6, WR2 e5, BS28 e8, BR3 j16")
    play(position, "R2 e6 = (22) on e8", "R2 e6 - d6")
    assert attacks(position) == ["R2 e5 = (14) on e8"]


def test_a_piece_attacks_again_in_the_next_turn() -> None:
    position = play(start("WR2 e6, BT12 e8, BR3 j16"), "R2 e6 = (6) on e8", "Pass", "Pass")
    assert attacks(position) == ["R2 e6 = (6) on e8"]


# --- r2-direct -----------------------------------------------------------------------------------


@each_case(
    ("text", "found"),
    [
        ("WR9 e5, BR9 e6", ["R9 e5 x e6"]),
        ("WR9 e5, BR9 f6", []),
        ("WT16 e5, BT16 g7", ["T16 e5 x g7"]),
        ("WT16 e5, BT16 e7", []),
        ("WS49 c5, BS49 f8", ["S49 c5 x f8"]),
        ("WS49 c5, BS49 f8, WR2 d6", []),
    ],
)
def test_direct_attacks_need_an_equal_rating_and_a_possible_move(
    text: str, found: list[str]
) -> None:
    assert attacks(start(f"{text}, BR3 j16", r2_formation="off")) == found


def test_direct_attack_on_a_remaining_rating() -> None:
    # R2 lowers T12 by 2 x 4; R4 equals the remaining rating.
    position = play(start("WR4 e7, WR2 e5, BT12 e8, BR3 j16"), "R2 e5 = (4) on e8")
    assert "R4 e7 x e8" in attacks(position)


def test_joint_direct_attacks() -> None:
    text = "WR4 e7, WR8 d8, BT12 e8, BR3 j16"
    assert attacks(start(text, r2_formation="off")) == []
    position = start(text, r2_formation="off", r2_direct="also-joint")
    assert attacks(position) == ["R4 e7 = (8) on e8", "R8 d8 = (4) on e8"]
    assert attacks(play(position, "R4 e7 = (8) on e8")) == ["R8 d8 x e8"]
    play(position, "R8 d8 x e8")
    assert position.board["e8"] is None


def test_direct_attacks_joint_with_attacks_at_a_distance() -> None:
    text = "WR4 e7, WR2 e5, BT12 e8, BR3 j16"
    without_formation = start(text, r2_formation="off", r2_direct="also-joint")
    assert attacks(play(without_formation, "R4 e7 = (8) on e8")) == []
    with_formation = start(text, r2_direct="also-joint")
    assert attacks(play(with_formation, "R4 e7 = (8) on e8")) == ["R2 e5 x e8"]


# --- r2-siege ------------------------------------------------------------------------------------

BESIEGED = "WR4 f10, WR2 f8, WR6 e9, WR8 g9, BS361 f9, BR3 j16"


def test_siege_captures_only_with_the_setting() -> None:
    assert "x f9" not in texts(start(BESIEGED))
    position = play(start(BESIEGED, r2_siege="on"), "x f9")
    assert (position.turn, position.board["f9"]) == ("White", None)


@each_case(
    ("text", "taken"),
    [
        ("WR4 d15, BS361 c16", True),  # a corner has one diagonal neighbour
        ("WR4 c15, WR6 d16, BS361 c16", True),
        ("WR4 c15, BR5 d16, BS361 c16", False),  # a piece of the victim's side does not besiege
        ("WR4 c15, BS361 c16", False),
    ],
)
def test_siege_at_the_edge(text: str, *, taken: bool) -> None:
    assert ("x c16" in texts(start(f"{text}, BR3 j1", r2_siege="on"))) == taken


def test_siege_captures_all_parts_of_a_pyramid() -> None:
    text = "WR4 f10, WR2 f8, WR6 e9, WR8 g9, BP=S49+R16 f9, BS49 j14"
    position = start(text, r2_siege="on")
    assert [text for text in texts(position) if text.startswith("x")] == ["x f9 x a15 x a12"]
    assert play(position, "x f9 x a15 x a12").turn == "White"  # no swap is offered


def test_black_attacks_by_the_same_rules() -> None:
    assert attacks(start("WR4 e5, BR2 e4", "B")) == ["R2 e4 = (3) on e5", "R2 e4 x e5"]
