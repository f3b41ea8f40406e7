"""`$skipWords`: a move word that fails may exclude the words after it in the list of its piece."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.kit.boards import grid
from tests.kit.games import load_text

# Each word moves to its own square, if it does not end before.
GAME = grid(1, 6, "right", players="White")
GAME += """\
: go ( pos -- ) from SWAP move add-move ;
: first ( -- ) %s $skipWords ! %s verify 0 $skipWords ! b1 go ;
: second ( -- ) c1 go ;
: third ( -- ) d1 go ;
: fourth ( -- ) e1 go ;
{moves words {move} first {move} second {move} third {move} fourth moves}
{pieces {piece} pawn {moves} words pieces}
{board-setup {setup} White pawn a1 board-setup}
"""


@pytest.mark.parametrize(
    ("skip", "flag", "goals"),
    [
        (0, "FALSE", "c1 d1 e1"),
        (1, "FALSE", "d1 e1"),
        (2, "FALSE", "e1"),
        (3, "FALSE", ""),
        (1000000, "FALSE", ""),  # not beyond the end of the list
        (-1, "FALSE", "c1 d1 e1"),
        (2, "TRUE", "b1 c1 d1 e1"),  # the word has cleared the variable
    ],
)
def test_words_after_a_failed_word(tmp_path: Path, skip: int, flag: str, goals: str) -> None:
    position = load_text(tmp_path, GAME % (skip, flag), name="skip.4th").start()
    assert [str(move).split()[-1] for move in position.legal_moves] == goals.split()
    assert forthvm.perft(position, 1) == len(goals.split())
