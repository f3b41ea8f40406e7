"""Pyramids of Rhythmomachia 2: as attackers, as victims, and the swap of `r2-swap`.

The tests follow sections 5 and 10 of the rules page of Rithmomachia and the interpretations in
the game's README.  `WP=R4+T9 c8` is White's pyramid with the parts R4 and T9 on c8, `WP c8` one
with all parts.  White's parts are S36 S25 T16 T9 R4 R1, stored on l1 to l6 outside the playing
board, Black's S64 S49 T36 T25 R16 on a16 to a12.  The move texts show the total of a pyramid at the
pyramid's square.  A swap replaces a captured part by an identical piece, its twin.
"""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.rules.rhythmomachia2_kit import attacks, play, start, texts


def empty(position: forthvm.Position, *squares: str) -> bool:
    """Return whether all these squares are empty."""
    return all(position.board[square] is None for square in squares)


# --- attackers -----------------------------------------------------------------------------------


@each_case(
    ("text", "victim", "taken"),
    [
        ("WP e5, BS36 h8", "h8", True),  # part S36, three squares diagonally
        ("WP e5, BS25 h8", "h8", True),
        ("WP e5, BT16 g7", "g7", True),
        ("WP e5, BT16 e6", "e6", False),  # T16 does not move there; other parts do not match
        ("WP=R4+T9 c8, BT36 f11", "f11", True),  # 9 x 4
        ("WP=R4+T9 c8, BT16 f11", "f11", False),  # 4 x 4, but rounds do not attack diagonally
        ("WP=T9+R1 c8, BT30 e10", "e10", True),  # the total 10 x 3, in the triangle's direction
        ("WP=R4+R1 c8, BT20 f11", "f11", False),  # 5 x 4, but not in a direction of rounds
    ],
)
def test_attacks_of_a_pyramid(text: str, victim: str, *, taken: bool) -> None:
    square = text.split()[1].strip(",")
    found = [
        attack_text
        for attack_text in attacks(start(f"{text}, BR3 j16"))
        if attack_text.endswith(f" x {victim}")
    ]
    assert [attack_text.split()[1] for attack_text in found] == [square] * taken


def test_a_pyramid_attacks_as_one_piece() -> None:
    # After R4 has lowered S225 by 4 x 3, neither another part nor the total may attack it.
    position = start("WP=R4+R1+T9 e5, BS225 e7, BR3 j16")
    play(position, "P91 e5 = (213) on e7")
    assert attacks(position) == []


# --- victims -------------------------------------------------------------------------------------


def test_parts_and_total_are_victims() -> None:
    # The direct attack with 64 captures S64.  The attack at a distance with 64 / 4 = 16 captures
    # R16 and lowers S64, S49, T36, T25 and the total 190; 64 x 4 exceeds all ratings.
    assert attacks(start("WS64 c9, BP f9, BR3 j16")) == [
        "S64 c9 = (174) on f9",
        "S64 c9 = (20) on a14",
        "S64 c9 = (33) on a15",
        "S64 c9 = (48) on a16",
        "S64 c9 = (9) on a13",
        "S64 c9 x a12",
        "S64 c9 x a16",
    ]


def test_each_part_is_a_separate_victim() -> None:
    position = play(start("WS64 c9, BP f9, BR3 j16"), "S64 c9 x a16")
    assert empty(position, "a16")
    assert not empty(position, "f9")
    # The total is now 126; an attack with 16 lowers it to 110.
    assert "S64 c9 x a12" in attacks(position)
    assert "S64 c9 = (110) on f9" in attacks(position)


def test_attacks_on_the_total_capture_all_parts() -> None:
    # The direct attacks of S64, S49 and R16 add up to the total 64 + 49 + 16.
    text = "WS64 f6, WS49 c9, WR16 g9, BR3 j16, BP=S64+S49+R16 f9"
    position = start(text, r2_direct="also-joint")
    play(position, "S64 f6 = (65) on f9", "S49 c9 = (16) on f9", "R16 g9 x f9 x a16 x a15 x a12")
    assert empty(position, "f9", "a16", "a15", "a12")
    assert tuple(position.variables.array("pieces-taken", 2)) == (3, 0)
    assert tuple(position.variables.array("value-taken", 2)) == (129, 0)


def test_the_loss_of_a_part_changes_the_total() -> None:
    text = "WS64 f6, WS49 c9, BR3 j16, BP=S64+S49+R16 f9"
    position = start(text, r2_direct="also-joint")
    play(position, "S64 f6 = (65) on f9", "S49 c9 x a15")
    # S49 can lower the new total 64 + 16 = 80 by 49; S64 has attacked the total already.
    assert "S49 c9 = (31) on f9" in attacks(position)
    assert not [
        attack_text
        for attack_text in attacks(position)
        if attack_text.startswith("S64") and " f9" in attack_text
    ]


def test_pyramids_without_totals() -> None:
    found = attacks(start("WS64 c9, BP f9, BR3 j16", r2_pyramid="parts"))
    assert len(found) == 6
    assert not [attack_text for attack_text in found if attack_text.endswith(" f9")]
    # The total does not attack either: 10 x 3 would capture T30.
    position = start("WP=T9+R1 c8, BT30 e10, BR3 j16", r2_pyramid="parts")
    assert "P91 c8 x e10" not in attacks(position)


def test_total_of_an_intact_pyramid_only() -> None:
    intact = {"pyramid_total": "intact"}
    assert "S64 c9 = (174) on f9" in attacks(start("WS64 c9, BP f9, BR3 j16", **intact))
    incomplete = start("WS64 c9, BP=S64+S49+T36+T25 f9, BR3 j16", **intact)
    assert not [attack_text for attack_text in attacks(incomplete) if attack_text.endswith(" f9")]


def test_capturing_the_last_part_captures_the_pyramid() -> None:
    position = start("WR16 e9, BR3 j16, BP=R16 f9")
    assert attacks(position, "f9") == ["R16 e9 x f9 x a12"]  # one part alone has no total
    assert empty(play(position, "R16 e9 x f9 x a12"), "f9", "a12")


# --- r2-swap -------------------------------------------------------------------------------------

TWIN = "WS49 c9, BS49 j14, BR3 j16, BP f9"


def test_a_swap_is_offered_immediately() -> None:
    position = play(start(TWIN), "S49 c9 x a15")
    assert (position.turn, texts(position)) == ("Black", ["Pass", "S49 j14 - a15"])


def test_a_swap_restores_the_part() -> None:
    position = play(start(TWIN), "S49 c9 x a15", "S49 j14 - a15")
    assert position.turn == "White"
    assert empty(position, "j14")
    assert not empty(position, "a15")
    # White's turn continues; White may attack the part again, because it is another piece.
    assert "S49 c9 - c6" in texts(position)
    assert attacks(position, "a15") == ["S49 c9 x a15"]


def test_a_swap_may_be_declined() -> None:
    position = play(start(TWIN), "S49 c9 x a15", "Pass")
    assert position.turn == "White"
    assert empty(position, "a15", "k15")
    assert not empty(position, "j14", "f9")


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        (TWIN, {"r2_swap": "off"}),
        (TWIN.replace("BS49 j14", "BR49 j14"), {}),  # another class
        (TWIN.replace("BS49 j14", "WS49 j14"), {}),  # an enemy piece
    ],
)
def test_a_swap_needs_the_setting_and_an_identical_own_piece(
    text: str, settings: dict[str, str]
) -> None:
    position = play(start(text, **settings), "S49 c9 x a15")
    assert (position.turn, "S49 c9 - c6" in texts(position)) == ("White", True)


def test_several_pieces_may_replace_a_part() -> None:
    position = play(start(TWIN + ", BS49 c16"), "S49 c9 x a15")
    assert texts(position) == ["Pass", "S49 c16 - a15", "S49 j14 - a15"]


def test_a_swap_of_the_last_part() -> None:
    position = play(start("WR16 e9, BR16 j14, BR3 j16, BP=R16 f9"), "R16 e9 x a12")
    assert not empty(position, "f9")  # until Black has decided about the swap
    declined = play(position.copy(), "Pass")
    assert empty(declined, "f9")
    assert declined.turn == "White"
    play(position, "R16 j14 - a12")
    assert not empty(position, "f9")
    assert "R16 e9 x f9 x a12" in attacks(position)


def test_a_swap_keeps_reductions_and_attacks() -> None:
    # R2 lowers S49 on j14 by 2 x 3.
    text = "WS49 c9, WR2 j12, BS49 j14, BR3 d16, BP f9"
    position = play(start(text), "R2 j12 = (43) on j14", "S49 c9 x a15")
    assert texts(position) == ["(43) j14 - a15", "Pass"]
    play(position, "(43) j14 - a15")
    piece = position.board["a15"]
    assert piece.type == "(43)"
    assert attacks(position, "a15") == []  # 49 exceeds the remaining 43
    play(position, "Pass")
    piece = position.board["a15"]
    assert piece.type == "S49"
