"""Rithmomachia, sections 7 to 9: how the game ends.

The positions are those that the model was tried on before; what takes more than one move is
here.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import forthvm
from tests.rules.rithmomachia_endings import COMMON, GLORY, OTHERS, End
from tests.rules.rithmomachia_kit import SIDES, begin, fame, game, pick, play


def outcome(position: forthvm.Position) -> str:
    """W, B or `draw`, or `on`."""
    result = position.result
    if result is None:
        return "on"
    return result.winners[0][0] if result.winners else "draw"


@pytest.mark.parametrize("case", [*COMMON, *GLORY, *OTHERS], ids=str)
def test_endings(case: End) -> None:
    turn = next(item[0] for item in case.pieces.split(", ") if item.endswith(f" {case.pair[0]}"))
    position = begin(case.pieces, turn, case.options)
    assert outcome(position) == "on"
    position.push(pick(position, case.pair))
    assert outcome(position) == case.winner
    if case.winner in SIDES and case.fame != "stalemate":
        assert fame(position) == case.fame


# --- counts over the whole game ---------------------------------------------------------------

# White takes f8 by siege with his first move, j8 by eruption with his second.
TWICE = "WR4 e8, WR64 f9, WT9 f7, WT25 i8, WR8 d5, BS361 f8, BT64 j6, BS121 c16, BS225 d16"


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
    position = begin(TWICE, "W", options)
    play(position, "i8-g8")
    assert outcome(position) == first
    play(position, "c16-c13")
    play(position, "d5-c6")
    assert outcome(position) == second


# The defaults: 15 pieces, 1315 of Black's value, 984 of White's.  White takes 361 here, Black 6.
WHITE_TAKES = ("WR4 e8, WR64 f9, WT9 f7, WT25 i8, BS361 f8, BS121 c16", "i8-g8")
BLACK_TAKES = ("BR3 d9, WR6 e9, WR2 j1", "d9-e10")


@pytest.mark.parametrize(
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
    assert (outcome(position), fame(position)) == (winner, name)


@pytest.mark.parametrize(
    ("options", "digits", "pieces", "name"),
    [
        # The page proposes 34 digits and 13 pieces; 361 is one more piece with three digits.
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
    assert fame(position) == name


def test_black_is_limited_by_his_own_numbers() -> None:
    text, move = BLACK_TAKES
    options = {"n_digits": (0, 3), "n_max": (9, 0)}
    taken = {"value-taken[1]": 984, "digits-taken[1]": 2}
    position = begin(text, "B", options, taken)
    play(position, move)
    assert fame(position) == "De Lite"


# --- turns ------------------------------------------------------------------------------------


def test_first() -> None:
    assert game().start().turn == "White"
    black = game({"first": "black"}).start()
    assert (black.turn, len(black.legal_moves)) == ("Black", 69)
    play(black, "e11-d10")
    assert black.turn == "White"


def test_pass() -> None:
    text = "WS153 c14, WS169 e16, WS289 d14, WR64 f14, BT56 c16"
    position = begin(text, "W", {"stalemate": "pass"})
    play(position, "f14-e15")
    (move,) = position.legal_moves
    assert move.is_pass
    position.push(move)
    assert position.turn == "White"
    play(position, "e15-f16")
    assert [(one.from_square, one.to_square) for one in position.legal_moves] == [("c16", "e15")]


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
    play(position, "d6-e7")  # takes f8: counted anew
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
    assert (outcome(position), fame(position)) == ("W", "Victoria Magna")
