"""All playouts begin with equal memory, even if the script's evaluation words write memory.

Owns scripts whose OnIsGameOver counts its calls.  test_sampling.py tests changes made by moves.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.engines import Limits
from forthvm.engines.position_arrays import random_playouts
from forthvm.engines.search.mcts import MctsEngine, SearchTree
from forthvm.game import Position
from tests.engines.test_sampling import expected_reward
from tests.kit.boards import grid
from tests.kit.games import load_text

# In the fourth call of OnIsGameOver, the player to move has won; in later calls it has lost.
# `calls` returns the number of calls, which each of the scripts below stores in another way.
COUNTS = grid(4, 4, "right down")
COUNTS += """\
%(words)s
: step ( -- ) right verify empty? verify %(move)s from here move add-move ;
: sink ( -- ) down verify empty? verify from here move add-move ;
{moves steps {move} step {move} sink moves}
{pieces {piece} pawn {moves} steps pieces}
{board-setup {setup} White pawn a4 {setup} Black pawn b3 board-setup}
: OnIsGameOver ( -- score )
	%(count_call)s
	calls DUP 4 = IF DROP #WinScore ELSE 4 > IF #LossScore ELSE #UnknownScore ENDIF ENDIF
;
"""
# The script counts in a cell.
CELL = {
    "words": "VARIABLE count : calls ( -- n ) count @ ;",
    "move": "",
    "count_call": "count @ 1+ count !",
}
# Moves read the counter too, so a random move can only be drawn from the complete list.
LISTED = CELL | {"move": "count @ 0 > verify"}
# The script counts in an array with more cells than the search stack stores individually.
MANY = {
    "words": "3000 [] counts[] : calls ( -- n ) 2999 counts[] @ ;",
    "move": "",
    "count_call": "calls 1+ 3000 0 DO DUP I counts[] ! LOOP DROP",
}
# The script adds an item to the queue of the library in each call.
QUEUE = {
    "words": ": calls ( -- n ) 0 BEGIN ringbuffer-empty? NOT WHILE 1+ ringbuffer-remove-item DROP"
    " REPEAT DUP 0 DO 7 ringbuffer-add-item LOOP ;",
    "move": "",
    "count_call": "7 ringbuffer-add-item",
}
# A move reads the current position (`here`), which the last evaluation changes.
CURRENT_POSITION = {
    "words": "VARIABLE count VARIABLE evaluated"
    " : calls ( -- n ) evaluated @ 99 = IF 9 ELSE count @ ENDIF ;"
    " : check-position ( -- ) here 1 = IF 99 evaluated ! ENDIF ;",
    "move": "COMPILE check-position",
    "count_call": "count @ 1+ count ! count @ 4 = IF 1 to ENDIF",
}
SCRIPTS = {
    "cell": CELL,
    "listed": LISTED,
    "many": MANY,
    "queue": QUEUE,
    "current position": CURRENT_POSITION,
}


@pytest.fixture(params=list(SCRIPTS))
def position(request: pytest.FixtureRequest, tmp_path: Path) -> Position:
    return load_text(tmp_path, COUNTS % SCRIPTS[request.param], name="counts.4th").start()


def test_every_playout_equals_the_first(position: Position) -> None:
    exact = {player: expected_reward(position.copy(), player) for player in ("White", "Black")}
    assert sorted(exact.values()) == [0.0, 1.0]
    before = position.copy()
    assert random_playouts(position, 1, seed=2) == exact
    assert random_playouts(position, 200, seed=2) == exact
    assert position == before


def test_every_descent_of_a_tree_equals_the_first(position: Position) -> None:
    winner = max(("White", "Black"), key=lambda player: expected_reward(position.copy(), player))
    before = position.copy()
    tree = SearchTree(position)
    MctsEngine(seed=1).grow(tree, Limits(nodes=400))
    assert tree.root.proof == winner
    assert position == before
