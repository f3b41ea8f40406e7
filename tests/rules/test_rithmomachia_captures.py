"""Moves and captures of Rithmomachia, sections 3 to 6 of its rules page.

`WR4 f8` is White's round 4 on f8: see rithmomachia_positions.py.  The
positions of that file also test the model (tests/models/test_rithmomachia_model.py).
"""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.rules.rithmomachia_kit import (
    begin,
    expected_view,
    find_move,
    game,
    starts_and_goals,
    view,
)
from tests.rules.rithmomachia_positions import BY_OPTION, CAPTURES, PUBLISHED, Case

# --- moves (section 3) -------------------------------------------------------------------------


def goals(position: forthvm.Position, square: str) -> str:
    """Return the goals of the piece on a square, sorted and separated by blanks."""
    return " ".join(sorted(goal for start, goal in starts_and_goals(position) if start == square))


@each_case(
    ("text", "square", "leaps", "straight"),
    [
        ("WR4 f8, BR3 c16", "f8", "e7 e9 g7 g9", "e7 e8 e9 f7 f9 g7 g8 g9"),
        (
            "WT9 f8, BR3 c16",
            "f8",
            "d7 d8 d9 e10 e6 f10 f6 g10 g6 h7 h8 h9",
            "d10 d6 d8 f10 f6 h10 h6 h8",
        ),
        (
            "WS25 f8, BR3 c16",
            "f8",
            "c7 c8 c9 e11 e5 f11 f5 g11 g5 i7 i8 i9",
            "c11 c5 c8 f11 f5 i11 i5 i8",
        ),
        # Corners and edges; the margins beside columns c and j are off the board.
        ("WR4 c1, BR3 c16", "c1", "d2", "c2 d1 d2"),
        ("WT9 j16, BR3 c16", "j16", "h15 h16 i14 j14", "h14 h16 j14"),
        ("WS25 c8, BR3 c16", "c8", "c11 c5 d11 d5 f7 f8 f9", "c11 c5 f11 f5 f8"),
        ("WS25 j1, BR3 c16", "j1", "g1 g2 i4 j4", "g1 g4 j4"),
        # Own and enemy pieces in the way, and on the goal.
        ("WR4 f8, WT9 g9, BT56 e9, BR3 c16", "f8", "e7 g7", "e7 e8 f7 f9 g7 g8"),
        (
            "WT9 f8, WR4 f9, BT56 e8, BT64 h7, BR3 c16",
            "f8",
            "d7 d9 e10 e6 f6 g10 g6 h8 h9",
            "d10 d6 f6 h10 h6 h8",
        ),
        (
            "WS25 f8, WR4 f10, BT56 d8, BT64 i9, BR3 c16",
            "f8",
            "c7 c9 e11 e5 f5 g11 g5 i7 i8",
            "c11 c5 f5 i11 i5 i8",
        ),
        # A pyramid moves like each of its remaining parts; each goal is listed once.
        ("WP=R4+R1 f8, BR3 c16", "f8", "e7 e9 g7 g9", "e7 e8 e9 f7 f9 g7 g8 g9"),
        (
            "WP=S36+R1 c1, BR3 c16",
            "c1",
            "c4 d2 d4 f1 f2",
            "c2 c4 d1 d2 f1 f4",
        ),
        ("WP=T16+T9 c1, BR3 c16", "c1", "c3 d3 e1 e2", "c3 e1 e3"),
        ("WP c1, BR3 c16", "c1", "c3 c4 d2 d3 d4 e1 e2 f1 f2", "c2 c3 c4 d1 d2 e1 e3 f1 f4"),
    ],
)
def test_moves(text: str, square: str, leaps: str, straight: str) -> None:
    assert goals(begin(text, "W"), square) == leaps
    assert goals(begin(text, "W", {"moves": "straight"}), square) == straight


@each_case(
    ("text", "off", "on"),
    [
        ("WP f8, BR3 c16", "", "c11 c5 i11 i5"),
        ("WP f8, BR3 c16, WR8 g9, BT56 d6", "", "c11 i5"),
        ("WP f8, BR3 c16, WR8 i11", "", "c11 c5 i5"),
        ("WP=S36+S25+T16+T9+R4 f8, BR3 c16", "", ""),
        ("BP f8, WR2 c1", "", "c11 c5 i11 i5"),
        ("BP=S64+S49+T36+T25 f8, WR2 c1", "", ""),
    ],
)
def test_pyramid_diagonal(text: str, off: str, on: str) -> None:
    diagonal_goals = {"c5", "c11", "i5", "i11"}
    turn = text[0]
    for value, expected in (("off", off), ("on", on)):
        position = begin(text, turn, {"pyramid_diagonal": value})
        assert set(goals(position, "f8").split()) & diagonal_goals == set(expected.split()), value


def test_first_moves() -> None:
    position = game().start()
    assert len(position.legal_moves) == 71
    # The squares by the number of first moves of the pieces on them.
    expected = {
        10: "i4",
        5: "d4 e4 h4",
        4: "d5 f4 g4 i5",
        3: "c4 d3 i3 j4",
        2: "c3 c5 e6 f6 g6 h6 j3 j5",
        1: "e5 h5",
        0: "f5 g5",
    }
    for count, squares in expected.items():
        for square in squares.split():
            assert len(goals(position, square).split()) == count, square


def test_black_has_69_first_moves() -> None:
    assert len(game().start(turn="Black").legal_moves) == 69


@each_case(
    ("legal", "illegal"),
    [
        ("e6-d7", "e6-e7"),  # a round moves diagonally, not straight
        ("c5-c7", "c5-c6"),  # a triangle moves two squares, not one
        ("c5-d7", "c5-d6"),  # a triangle leaps like a knight
        ("d3-g3", "d3-d6"),  # a square runs over empty squares only
        ("d3-c6", "d3-f5"),  # a square leaps three squares and one
        ("i4-j7", "i4-j5"),  # a pyramid does not move to an own piece's square
    ],
)
def test_moves_by_name(legal: str, illegal: str) -> None:
    found = starts_and_goals(game().start())
    assert [tuple(move.split("-")) in found for move in (legal, illegal)] == [True, False]


def test_moves_by_text() -> None:
    position = game().start()
    position.push("S25 c3 - d6 x d14")
    assert "d14" not in view(position)
    with pytest.raises(forthvm.IllegalMoveError):
        position.push("R9 e11 - e10")
    position.push("e11 - d10")
    assert view(position)["d10"] == "BR9"


def test_first_moves_that_capture() -> None:
    position = game().start()
    assert len(view(position)) == 48 + 2  # 48 pieces, and one entry for the parts of each side
    expected = {
        "c3-d6": "d14",
        "c4-d7": "d12",
        "e4-d6": "d14",
        "i4-j7": "j13",
        "d4-e7": "e11",
        "d4-g3": "g11",
        "i5-i7": "i12",
    }
    found = {}
    for move in list(position.legal_moves):
        before = set(view(position))
        position.push(move)
        captured = before - set(view(position)) - {str(move.from_square)}
        position.pop()
        if captured:
            found[f"{move.from_square}-{move.to_square}"] = " ".join(captured)
    assert found == expected


# --- captures (sections 4 to 6 and 9) ------------------------------------------------------------


@pytest.mark.slow
@each_case("case", [*PUBLISHED, *CAPTURES, *BY_OPTION], ids=str)
def test_captures(case: Case) -> None:
    turn = next(item[0] for item in case.pieces.split(", ") if item.endswith(f" {case.pair[0]}"))
    position = begin(case.pieces, turn, case.options)
    move = find_move(position, case.pair)
    position.push(move)
    assert view(position) == expected_view(case.pieces, case.pair, case.takes)


def test_move_texts_name_the_captures() -> None:
    case = next(case for case in CAPTURES if case.name == "three kinds at once")
    move = find_move(begin(case.pieces, "W"), case.pair)
    assert set(move.captures) == set(case.takes.split())
    for square in case.takes.split():
        assert square in str(move)
