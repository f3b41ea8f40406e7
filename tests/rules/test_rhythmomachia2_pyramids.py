"""Pyramids of Rhythmomachia 2: as attackers, as victims, and the swap of `r2-swap`.

By sections 5 and 10 of the rules page of Rithmomachia, and the readings of the game's README.
White's parts are S36 S25 T16 T9 R4 R1 (l1 to l6), Black's S64 S49 T36 T25 R16 (a16 to a12).
"""

from __future__ import annotations

import pytest

import forthvm
from tests.rules.rhythmomachia2_kit import attacks, play, start, texts


def empty(position: forthvm.Position, *squares: str) -> bool:
    return all(position.board[square] is None for square in squares)


# --- attackers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "victim", "taken"),
    [
        ("WP e5, BS36 h8", "h8", True),  # part S36, three squares diagonally
        ("WP e5, BS25 h8", "h8", True),
        ("WP e5, BT16 g7", "g7", True),
        ("WP e5, BT16 e6", "e6", False),  # T16 does not go there; 4 and 25 and 36 do not fit
        ("WP=R4+T9 c8, BT36 f11", "f11", True),  # 9 x 4
        ("WP=R4+T9 c8, BT16 f11", "f11", False),  # 4 x 4, but circles do not go diagonally
        ("WP=T9+R1 c8, BT30 e10", "e10", True),  # the sum 10 x 3, in the triangle's direction
        ("WP=R4+R1 c8, BT20 f11", "f11", False),  # 5 x 4, but not in that of circles
    ],
)
def test_attacks_of_a_pyramid(text: str, victim: str, *, taken: bool) -> None:
    square = text.split()[1].strip(",")
    found = [one for one in attacks(start(f"{text}, BR3 j16")) if one.endswith(f" x {victim}")]
    assert [one.split()[1] for one in found] == [square] * taken


def test_a_pyramid_attacks_as_one_piece() -> None:
    # R4 x 3 off S225, then no other part may, nor the sum.
    position = start("WP=R4+R1+T9 e5, BS225 e7, BR3 j16")
    play(position, "P91 e5 = (213) on e7")
    assert attacks(position) == []


# --- victims -------------------------------------------------------------------------------------


def test_parts_and_sum_are_victims() -> None:
    # S64 by its own 64 in reach; by 64 / 4 = 16: takes R16, lowers 64 49 36 25 and the sum 190.
    # The sum by 64 too; 64 x 4 is too much for all.
    assert attacks(start("WS64 c9, BP f9, BR3 j16")) == [
        "S64 c9 = (174) on f9",
        "S64 c9 = (20) on a14",
        "S64 c9 = (33) on a15",
        "S64 c9 = (48) on a16",
        "S64 c9 = (9) on a13",
        "S64 c9 x a12",
        "S64 c9 x a16",
    ]


def test_one_victim_each() -> None:
    position = play(start("WS64 c9, BP f9, BR3 j16"), "S64 c9 x a16")
    assert empty(position, "a16")
    assert not empty(position, "f9")
    # Other parts are other victims; of the sum 126 is left, less 16.
    assert "S64 c9 x a12" in attacks(position)
    assert "S64 c9 = (110) on f9" in attacks(position)


def test_the_sum_takes_all() -> None:
    # 64 + 49 + 16: S64 and S49 are in reach of it, R16 beside it.
    text = "WS64 f6, WS49 c9, WR16 g9, BR3 j16, BP=S64+S49+R16 f9"
    position = start(text, r2_direct="also-joint")
    play(position, "S64 f6 = (65) on f9", "S49 c9 = (16) on f9", "R16 g9 x f9 x a16 x a15 x a12")
    assert empty(position, "f9", "a16", "a15", "a12")
    assert tuple(position.variables.array("pieces-taken", 2)) == (3, 0)
    assert tuple(position.variables.array("value-taken", 2)) == (129, 0)


def test_a_lost_part_makes_another_sum() -> None:
    text = "WS64 f6, WS49 c9, BR3 j16, BP=S64+S49+R16 f9"
    position = start(text, r2_direct="also-joint")
    play(position, "S64 f6 = (65) on f9", "S49 c9 x a15")
    # 64 + 16 = 80, less 49; and S64 has attacked the sum already.
    assert "S49 c9 = (31) on f9" in attacks(position)
    assert not [one for one in attacks(position) if one.startswith("S64") and " f9" in one]


def test_parts_only() -> None:
    found = attacks(start("WS64 c9, BP f9, BR3 j16", r2_pyramid="parts"))
    assert len(found) == 6
    assert not [one for one in found if one.endswith(" f9")]
    # Nor does the sum attack: 10 x 3.
    position = start("WP=T9+R1 c8, BT30 e10, BR3 j16", r2_pyramid="parts")
    assert "P91 c8 x e10" not in attacks(position)


def test_the_sum_of_a_complete_pyramid_only() -> None:
    intact = {"pyramid_total": "intact"}
    assert "S64 c9 = (174) on f9" in attacks(start("WS64 c9, BP f9, BR3 j16", **intact))
    less = start("WS64 c9, BP=S64+S49+T36+T25 f9, BR3 j16", **intact)
    assert not [one for one in attacks(less) if one.endswith(" f9")]


def test_the_last_part_takes_the_pyramid_with_it() -> None:
    position = start("WR16 e9, BR3 j16, BP=R16 f9")
    assert attacks(position, "f9") == ["R16 e9 x f9 x a12"]  # one alone is no sum
    assert empty(play(position, "R16 e9 x f9 x a12"), "f9", "a12")


# --- r2-swap -------------------------------------------------------------------------------------

TWIN = "WS49 c9, BS49 j14, BR3 j16, BP f9"


def test_a_swap_is_offered_at_once() -> None:
    position = play(start(TWIN), "S49 c9 x a15")
    assert (position.turn, texts(position)) == ("Black", ["Pass", "S49 j14 - a15"])


def test_a_swap_fills_the_place() -> None:
    position = play(start(TWIN), "S49 c9 x a15", "S49 j14 - a15")
    assert position.turn == "White"
    assert empty(position, "j14")
    assert not empty(position, "a15")
    # White's turn goes on: he may move, and attack the part again, which is another figure.
    assert "S49 c9 - c6" in texts(position)
    assert attacks(position, "a15") == ["S49 c9 x a15"]


def test_a_swap_is_declined() -> None:
    position = play(start(TWIN), "S49 c9 x a15", "Pass")
    assert position.turn == "White"
    assert empty(position, "a15", "k15")
    assert not empty(position, "j14", "f9")


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        (TWIN, {"r2_swap": "off"}),
        (TWIN.replace("BS49 j14", "BR49 j14"), {}),  # another class
        (TWIN.replace("BS49 j14", "WS49 j14"), {}),  # the enemy's
    ],
)
def test_no_swap(text: str, settings: dict[str, str]) -> None:
    position = play(start(text, **settings), "S49 c9 x a15")
    assert (position.turn, "S49 c9 - c6" in texts(position)) == ("White", True)


def test_a_swap_among_several() -> None:
    position = play(start(TWIN + ", BS49 c16"), "S49 c9 x a15")
    assert texts(position) == ["Pass", "S49 c16 - a15", "S49 j14 - a15"]


def test_a_swap_of_the_last_part() -> None:
    position = play(start("WR16 e9, BR16 j14, BR3 j16, BP=R16 f9"), "R16 e9 x a12")
    assert not empty(position, "f9")  # it waits for the answer
    declined = play(position.copy(), "Pass")
    assert empty(declined, "f9")
    assert declined.turn == "White"
    play(position, "R16 j14 - a12")
    assert not empty(position, "f9")
    assert "R16 e9 x f9 x a12" in attacks(position)


def test_a_swap_takes_along_what_was_done() -> None:
    # R2 by 3 fields takes 6 off S49 on j14.
    text = "WS49 c9, WR2 j12, BS49 j14, BR3 d16, BP f9"
    position = play(start(text), "R2 j12 = (43) on j14", "S49 c9 x a15")
    assert texts(position) == ["(43) j14 - a15", "Pass"]
    play(position, "(43) j14 - a15")
    piece = position.board["a15"]
    assert piece is not None
    assert piece.type == "(43)"
    assert attacks(position, "a15") == []  # 49 is too much now
    play(position, "Pass")
    piece = position.board["a15"]
    assert piece is not None
    assert piece.type == "S49"
