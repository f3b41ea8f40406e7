"""The end of a game of Rhythmomachia 2: harmonies, annihilation, draws.

The tests follow section 10 of the rules page of Rithmomachia and the interpretations in the game's
README.  A harmony is three pieces whose numbers are in progression, in line or at the corners of a
right-angled triangle; White's harmonies must be in rows 9 to 16.  `WR2 c10` is White's round 2 on
c10; T is a triangle, S a square, P a pyramid.  Black's distant pieces R3 and R5 prevent a victory
by annihilation (no enemy pieces left).
"""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.rules.rhythmomachia2_kit import play, start, texts, winner

LINE = "WR2 c10, WR4 e10, WR6 g9, BR3 j16, BR5 j1"
CORNER = "WR2 c10, WR4 e10, WR6 e12, BR3 j16, BR5 j1"
STEP = "R6 g9 - g10"

WINS = [
    # in line
    (LINE, STEP, {}),
    (LINE, STEP, {"r2_shape": "line"}),
    (LINE, STEP, {"r2_harmony": "arithmetic"}),
    (LINE.replace("WR6", "WR8"), "R8 g9 - g10", {"r2_harmony": "geometric"}),
    ("WR4 c10, WR6 e10, WT12 i12, BR3 j16, BR5 j1", "T12 i12 - g10", {"r2_harmony": "harmonic"}),
    ("WR2 c10, WR4 e12, WR6 g13, BR3 j16, BR5 j1", "R6 g13 - g14", {}),  # a diagonal
    ("WR2 c10, WR4 c12, WR6 d14, BR3 j16, BR5 j1", "R6 d14 - c14", {}),  # a column
    ("WR2 c9, WR4 d9, WR6 e10, BR3 j16, BR5 j1", "R6 e10 - e9", {}),  # row 9, neighbours
    ("WR6 c10, WR2 e10, WR4 g9, BR3 j16, BR5 j1", "R4 g9 - g10", {}),  # the ratings in any order
    # triangles with legs of 2 and 1, and of 4 and 3
    (CORNER, "R6 e12 - e11", {}),
    (CORNER, "R6 e12 - e11", {"r2_shape": "triangle"}),
    ("WR2 c10, WR4 g10, WR6 g14, BR3 j16, BR5 j1", "R6 g14 - g13", {}),
    ("WR2 c13, WR4 c10, WR6 f10, BR3 j16, BR5 j1", "R6 f10 - e10", {}),  # another rotation
    # one enemy piece
    (LINE.replace("WR4", "BR4"), STEP, {}),
    # a pyramid by its total 9 + 1 (2 6 10), and by a part (2 4 6)
    ("WR2 c10, WR6 e10, WP=T9+R1 g9, BR3 j16, BR5 j1", "P91 g9 - g10", {}),
    ("WR2 c10, WP=R4+T16 e10, WR6 g9, BR3 j16, BR5 j1", STEP, {}),
]

NO_WINS = [
    (LINE.replace("e10", "d10"), STEP, {}),  # unequal distances
    (LINE.replace("WR4", "WR8"), STEP, {}),  # 2 8 6
    (LINE + ", BR7 d10", STEP, {}),  # a piece between
    (LINE, STEP, {"r2_shape": "triangle"}),
    (LINE, STEP, {"r2_harmony": "geometric"}),
    (LINE, STEP, {"r2_harmony": "harmonic"}),
    (LINE.replace("WR4", "BR4"), STEP, {"r2_enemy": 0}),
    ("WR2 c10, BR4 e10, BR6 g10, WR6 c3, BR3 j16", "R6 c3 - c4", {}),  # two enemies
    (CORNER, "R6 e12 - e11", {"r2_shape": "line"}),
    (CORNER.replace("e10", "d10"), "R6 e12 - e11", {}),  # no corner
    ("WR2 c10, WR4 g10, WR6 g14, BR7 g11, BR5 j1", "R6 g14 - g13", {}),  # on a leg
    # wholly or partly in White's own half
    ("WR2 c8, WR4 e8, WR6 g7, BR3 j16, BR5 j1", "R6 g7 - g8", {}),
    ("WR2 c8, WR4 d9, WR6 e11, BR3 j16, BR5 j1", "R6 e11 - e10", {}),
    # equal steps along no row, column or diagonal
    ("WR2 c10, WR4 e11, WR6 g13, BR3 j16, BR5 j1", "R6 g13 - g12", {}),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("text", "move", "settings"), WINS)
def test_harmony(text: str, move: str, settings: dict[str, object]) -> None:
    before = start(text, **settings)
    assert not winner(before)
    assert winner(play(before, move)) == "White: Harmony"


@each_case(("text", "move", "settings"), NO_WINS)
def test_no_harmony(text: str, move: str, settings: dict[str, object]) -> None:
    assert not winner(play(start(text, **settings), move))


def test_black_wins_in_whites_half() -> None:
    text = "BR3 c8, BR5 e8, BR7 g7, WR2 c1"
    assert winner(play(start(text, "B"), "R7 g7 - g8")) == "Black: Harmony"


def test_harmony_by_a_capture() -> None:
    # The captured R9 stood between.
    position = start("WR2 c10, WR4 e10, WR6 g10, BR9 f10, WR9 f9, BR3 j16")
    assert winner(play(position, "R9 f9 x f10")) == "White: Harmony"


def test_harmony_at_the_end_of_the_turn() -> None:
    # White's pieces form a harmony before White's turn; White wins by ending the turn.
    position = play(start(LINE.replace("g9", "g10"), "B"), "R5 j1 - i1", "Pass")
    assert not winner(position)
    assert winner(play(position, "Pass")) == "White: Harmony"


def test_lowered_ratings_count_in_full() -> None:
    # T12 is lowered by 2 x 4 but counts as 12: 4 6 12 is harmonic.  T16 is lowered to 8 but counts
    # as 16: 4 6 16 is no progression.
    text = "WR4 d11, WR6 f12, WR2 h15, {} h12, BR3 c1"
    position = play(start(text.format("BT12")), "R2 h15 = (4) on h12")
    assert winner(play(position, "R4 d11 - d12")) == "White: Harmony"
    position = play(start(text.format("BT16")), "R2 h15 = (8) on h12")
    assert not winner(play(position, "R4 d11 - d12"))


def test_a_victory_ends_the_turn() -> None:
    position = play(start(LINE), STEP)
    assert texts(position) == []


# --- annihilation, draws, common victories -------------------------------------------------------


def test_annihilation() -> None:
    assert winner(play(start("WR4 e5, BT12 e7"), "R4 e5 x e7")) == "White: Annihilation"


def test_annihilation_off() -> None:
    text = "WR4 e5, BT12 e7"
    position = play(start(text, r2_annihilation="off"), "R4 e5 x e7")
    assert not winner(position)
    assert winner(play(position, "Pass")) == "draw"  # Black has nothing to move
    position = play(start(text, r2_annihilation="off", stalemate="loss"), "R4 e5 x e7", "Pass")
    assert position.result.winners == ("White",)
    position = start(text, r2_annihilation="off", stalemate="pass")
    play(position, "R4 e5 x e7", "Pass", "Pass")
    assert not winner(position)
    assert position.turn == "White"


def test_draw_after() -> None:
    text = "WR4 c1, BR3 j16"
    position = play(start(text, draw_after=2), "R4 c1 - c2", "Pass")
    assert not winner(position)
    assert winner(play(position, "Pass")) == "draw"
    # The default is 40 turns; 0 switches the rule off.
    position = play(start(text), *["Pass"] * 39)
    assert not winner(position)
    assert winner(play(position, "Pass")) == "draw"
    assert not winner(play(start(text, draw_after=0), *["Pass"] * 50))


def test_a_capture_resets_the_draw_count() -> None:
    position = start("WR4 e5, BT12 e7, BR3 j16", "B", draw_after=2)
    play(position, "Pass", "R4 e5 x e7", "Pass")
    assert not winner(position)
    assert not winner(play(position, "Pass"))
    assert winner(play(position, "Pass")) == "draw"


@pytest.mark.slow
def test_common_victories_are_off_by_default() -> None:
    text = "WR4 e5, BT12 e7, BR3 j16"
    assert not winner(play(start(text), "R4 e5 x e7"))
    assert winner(play(start(text, n_pieces=1), "R4 e5 x e7")) == "White: De Corpore"
    assert winner(play(start(text, value_white=12), "R4 e5 x e7")) == "White: De Bonis"
