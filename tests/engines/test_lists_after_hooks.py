"""Searches that generate lists again after hooks find the same as with complete lists.

Owns scripts in which a hook leaves something that move words or forced passes could observe: the
type of the last scanned move, and a number below the items of the stack.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.records import ListMode, Option
from tests.engines.list_modes import list_mode
from tests.fuzz.test_games import searched
from tests.kit.boards import grid
from tests.kit.games import load_text

GAME = grid(4, 3, "right down", players="White Black Red")
GAME += """\
$passTurnForced ON
: step ( -- ) %s ;
: fall ( -- ) %s ;
: stay ( -- ) add-move ;
{moves steps %s {move} fall {move-type} second moves}
{moves others %s {move-type} second {move} step {move-type} first {move-type} third moves}
{pieces {piece} man {moves} steps {piece} lady {moves} others pieces}
{board-setup {setup} White lady a4 {setup} White lady a2 {setup} Black lady c2
  {setup} Black man b4 {setup} Red lady a1 {setup} Red man b2 board-setup}
: OnIsGameOver ( -- n )
  1 6 > IF ELSE TRUE 0 $GenerateMoves move-count $DeallocateMoves 255 ENDIF ;
"""  # $GenerateMoves takes an item too many, so move-count is left below the other items
SCRIPTS = {
    "the type of a forced pass": GAME
    % (
        "right $lastMoveType @ 3 MOD verify from here move partial add-move",
        "down verify from here move add-move",
        "{move} step",
        "{move} stay",
    ),
    "a number below the stack": GAME % ("add-move", "verify add-move", "", ""),
}
PLAIN = "negamax:depth=4,tt=0,pvs=off,killers=off,history=off"


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_hooks_leave_does_not_change_lists(tmp_path: Path, script: str) -> None:
    position = load_text(tmp_path, SCRIPTS[script], axiom=150).start()
    with list_mode(position, ListMode.COMPLETE):
        expected = searched(position, PLAIN)
    with list_mode(position, ListMode.PROMISED) as native:
        native.set_option(Option.PROMISES, 3)
        assert searched(position, PLAIN) == expected
