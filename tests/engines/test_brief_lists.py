"""Shortened move lists at the horizon of a search, if evaluation does not read the list.

Owns examples of words that evaluation and move words may both use.  Here the words that replace
%(judge)s in OnIsGameOver are the evaluation.  See native/game/purity.c.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import engines

# Each move word that is run prints the letter X, whose code is 88.
ROWS = r"""
{board 6 6 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
%(words)s
: step ( -- ) 88 EMIT right verify empty? verify from here move add-move ;
{moves steps {move} step moves}
{pieces {piece} pawn {moves} steps pieces}
{board-setup
	{setup} White pawn a1 {setup} White pawn a2 {setup} White pawn a3
	{setup} Black pawn a4 {setup} Black pawn a5 {setup} Black pawn a6
board-setup}
: OnIsGameOver ( -- score ) %(judge)s #UnknownScore ;
"""


def move_words_run(folder: Path, words: str, judge: str) -> int:
    """Return the number of move words that a search runs."""
    script = folder / "rows.4th"
    script.write_text(ROWS % {"words": words, "judge": judge}, encoding="utf-8")
    printed: list[str] = []
    game = forthvm.load(script, output=printed.append)
    position = game.start()
    printed.clear()
    engines.get("negamax:depth=2").play(position)
    return "".join(printed).count("X")


@pytest.mark.parametrize(
    ("words", "judge", "brief"),
    [
        ("", "0 to left DROP", True),
        ("", "0 to right DROP", True),  # move words also read the direction, which never changes
        ("{symmetries White {symmetry} right right symmetries}", "0 to right DROP", True),
        ("VARIABLE flag", "flag @ DROP", True),
        ("VARIABLE flag : empty? ( -- ? ) flag ON empty? ;", "flag @ DROP", False),
        ("", "move-count DROP", False),
    ],
)
def test_lists_are_shortened_unless_evaluation_may_read_them(
    tmp_path: Path, words: str, judge: str, *, brief: bool
) -> None:
    with_complete_lists = move_words_run(tmp_path, words, "move-count DROP")
    assert with_complete_lists > 0
    assert (move_words_run(tmp_path, words, judge) < with_complete_lists) is brief
