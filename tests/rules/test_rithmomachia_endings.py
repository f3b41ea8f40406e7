"""The end of a game of Rithmomachia, sections 7 to 9 of the project's rules page.

`WR4 e8` is White's round 4 on e8: see rithmomachia_positions.py.  The positions of
rithmomachia_endings.py, which need one move, also test the model
(tests/models/test_rithmomachia_model.py).  This file adds endings that need several moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.rules.rithmomachia_endings import COMMON, GLORIOUS, STALEMATES, End
from tests.rules.rithmomachia_kit import SIDES, begin, find_move, game, play, victory_name


def outcome(position: forthvm.Position) -> str:
    """Return W, B, `draw`, or `on` while the game continues."""
    result = position.result
    if result is None:
        return "on"
    return result.winners[0][0] if result.winners else "draw"


@pytest.mark.slow
@each_case("case", [*COMMON, *GLORIOUS, *STALEMATES], ids=str)
def test_endings(case: End) -> None:
    turn = next(item[0] for item in case.pieces.split(", ") if item.endswith(f" {case.pair[0]}"))
    position = begin(case.pieces, turn, case.options)
    assert outcome(position) == "on"
    position.push(find_move(position, case.pair))
    assert outcome(position) == case.winner
    if case.winner in SIDES and case.victory_name != "stalemate":
        assert victory_name(position) == case.victory_name


# --- counts over the whole game ---------------------------------------------------------------

# White captures f8 by siege with the first move and j6 by eruption with the second.
TWO_CAPTURES = "WR4 e8, WR64 f9, WT9 f7, WT25 i8, WR8 d5, BS361 f8, BT64 j6, BS121 c16, BS225 d16"


@pytest.mark.parametrize(
    ("options", "first", "second"),
    [
        ({"n_pieces": 2}, "on", "W"),
        ({"n_pieces": 3}, "on", "on"),
        ({"n_pieces": 0, "value": (425, 1)}, "on", "W"),
        ({"n_pieces": 0, "value": (426, 1)}, "on", "on"),
    ],
)
def test_counts_add_up(options: Mapping[str, object], first: str, second: str) -> None:
    position = begin(TWO_CAPTURES, "W", options)
    play(position, "i8-g8")
    assert outcome(position) == first
    play(position, "c16-c13")
    play(position, "d5-c6")
    assert outcome(position) == second


# By default White needs 15 pieces or a value of 1315, Black 15 pieces or 984.  In these positions
# White captures 361 and Black 6.
WHITE_TAKES = ("WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8, BS121 c16", "i8-g8")
BLACK_TAKES = ("BR3 d9, WR6 e9, WR2 j1", "d9-e10")


@each_case(
    ("case", "variables", "winner", "name"),
    [
        (WHITE_TAKES, {"pieces-taken[0]": 14}, "W", "De Corpore"),
        (WHITE_TAKES, {"pieces-taken[0]": 13}, "on", ""),
        (WHITE_TAKES, {"pieces-taken[1]": 14}, "on", ""),
        (WHITE_TAKES, {"value-taken[0]": 1315 - 361}, "W", "De Bonis"),
        (WHITE_TAKES, {"value-taken[0]": 1314 - 361}, "on", ""),
        (WHITE_TAKES, {"value-taken[1]": 984}, "on", ""),
        (BLACK_TAKES, {"pieces-taken[1]": 14}, "B", "De Corpore"),
        (BLACK_TAKES, {"pieces-taken[1]": 13}, "on", ""),
        (BLACK_TAKES, {"value-taken[1]": 984 - 6}, "B", "De Bonis"),
        (BLACK_TAKES, {"value-taken[1]": 983 - 6}, "on", ""),
        (BLACK_TAKES, {"value-taken[0]": 1315}, "on", ""),
    ],
)
def test_defaults(case: tuple[str, str], variables: dict[str, int], winner: str, name: str) -> None:
    text, move = case
    position = begin(text, text[0], variables=variables)
    play(position, move)
    assert (outcome(position), victory_name(position)) == (winner, name)


@pytest.mark.parametrize(
    ("options", "digits", "pieces", "name"),
    [
        # The rules page proposes 34 digits and 13 pieces; the captured 361 has three digits.
        ({"de_lite": "on"}, 31, 0, "De Lite"),
        ({"de_lite": "on"}, 32, 0, "De Bonis"),
        ({"de_honore": "on"}, 0, 12, "De Honore"),
        ({"de_honore": "on"}, 0, 13, "De Bonis"),
    ],
)
def test_proposed_limits(options: dict[str, object], digits: int, pieces: int, name: str) -> None:
    taken = {"value-taken[0]": 1000, "digits-taken[0]": digits, "pieces-taken[0]": pieces}
    text, move = WHITE_TAKES
    position = begin(text, "W", options, taken)
    play(position, move)
    assert victory_name(position) == name


def test_limits_of_black_apply_to_black() -> None:
    text, move = BLACK_TAKES
    options = {"n_digits": (0, 3), "n_max": (9, 0)}
    taken = {"value-taken[1]": 984, "digits-taken[1]": 2}
    position = begin(text, "B", options, taken)
    play(position, move)
    assert victory_name(position) == "De Lite"


# --- turns ------------------------------------------------------------------------------------


def test_setting_first() -> None:
    assert game().start().turn == "White"
    black = game({"first": "black"}).start()
    assert (black.turn, len(black.legal_moves)) == ("Black", 69)
    play(black, "e11-d10")
    assert black.turn == "White"


def test_forced_pass() -> None:
    text = "WS153 c14, WS169 e16, WS289 d14, WR64 f14, BT56 c16"
    position = begin(text, "W", {"stalemate": "pass"})
    play(position, "f14-e15")
    (move,) = position.legal_moves
    assert move.is_pass
    position.push(move)
    assert position.turn == "White"
    play(position, "e15-f16")
    assert [(legal.from_square, legal.to_square) for legal in position.legal_moves] == [
        ("c16", "e15")
    ]


def test_a_player_without_pieces_passes() -> None:
    text = "WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8"
    position = begin(text, "W", {"stalemate": "pass"})
    play(position, "i8-g8")
    assert position.legal_moves[0].is_pass
    position.push(position.legal_moves[0])
    assert outcome(position) == "on"


QUIET = "WR2 c1, WR9 d6, BR3 j16, BR9 f8"


@pytest.mark.parametrize(("limit", "expected"), [(0, "on"), (1, "draw"), (2, "on")])
def test_draw_after_one_move(limit: int, expected: str) -> None:
    position = begin(QUIET, "W", {"draw_after": limit})
    play(position, "c1-d2")
    assert outcome(position) == expected


def test_draw_after() -> None:
    position = begin(QUIET, "W", {"draw_after": 3})
    play(position, "c1-d2")
    play(position, "j16-i15")
    play(position, "d6-e7")  # captures f8, which resets the count
    for move in ("i15-j16", "d2-c1", "j16-i15"):
        assert outcome(position) == "on"
        play(position, move)
    assert outcome(position) == "draw"


def test_draw_after_does_not_count_passes() -> None:
    text = "WS153 c14, WS169 e16, WS289 d14, WR64 f14, BT56 c16"
    position = begin(text, "W", {"stalemate": "pass", "draw_after": 2})
    play(position, "f14-e15")
    position.push(position.legal_moves[0])
    assert outcome(position) == "on"
    play(position, "e15-f16")
    assert outcome(position) == "draw"


def test_a_victory_comes_before_draw_after() -> None:
    options = {"glory": "magna", "draw_after": 1}
    position = begin("WR16 d12, WR36 e11, BT56 h12, BT100 c2", "W", options)
    play(position, "e11-f12")
    assert (outcome(position), victory_name(position)) == ("W", "Victoria Magna")
