"""Tests what blocks can touch, whatever stands on the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.zrf.compiler.reach import Reach, ReachLimitError
from forthvm.zrf.rule_file import read_rule_file

GAMES = Path(__file__).parent / "games"
FILES, RANKS = "abcdefgh", "12345678"
CHESS = [file + rank for rank in RANKS for file in FILES]


def touched(piece: str, player: str, start: str) -> list[tuple[set[str], bool]]:
    """Return for each block the positions that it can touch, and whether it reads more."""
    rules = read_rule_file(GAMES / "chess.zrf").rules()
    reach = Reach(rules, CHESS)
    blocks = next(one for one in rules.pieces if one.name == piece).moves
    found = [reach.of(block, player) for block in blocks]
    return [
        ({at for n, at in enumerate(CHESS) if block.rows[CHESS.index(start)] >> n & 1}, more)
        for block, more in ((block, block.reads_more) for block in found)
    ]


def test_slides_touch_the_line_to_the_edge() -> None:
    north, east, south, west = touched("Rook", "White", "c3")
    assert north == ({"c3", "c4", "c5", "c6", "c7", "c8"}, False)
    assert east == ({"c3", "d3", "e3", "f3", "g3", "h3"}, False)
    assert south == ({"c3", "c2", "c1"}, False)
    assert west == ({"c3", "b3", "a3"}, False)


def test_symmetries_turn_the_reach_of_a_player() -> None:
    assert touched("Rook", "Black", "c3")[0] == ({"c3", "c2", "c1"}, False)


def test_a_leap_touches_the_squares_on_its_way() -> None:
    assert touched("Knight", "White", "b1")[0] == ({"b1", "b2", "c3"}, False)


def test_a_block_off_the_board_touches_its_start_only() -> None:
    assert touched("Knight", "White", "h8")[0] == ({"h8"}, False)


def test_conditions_on_the_last_move_read_more_than_pieces() -> None:
    pawn = touched("Pawn", "White", "e5")
    assert [more for _, more in pawn] == [False, False, False, False, True, True]
    assert {"e5", "f5", "f6", "f7"} == pawn[4][0]


def test_large_games_end_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.zrf.compiler.reach._MOST_STEPS", 100)
    rules = read_rule_file(GAMES / "chess.zrf").rules()
    reach = Reach(rules, CHESS)
    queen = next(one for one in rules.pieces if one.name == "Queen")
    with pytest.raises(ReachLimitError):
        reach.of(queen.moves[0], "White")
