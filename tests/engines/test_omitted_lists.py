"""Tests of searches in which no hook reads the list of a position, so that leaves have no list.

Owns what could show that the list is missing: HERE, and memory above it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.records import ListMode, Option
from tests.kit.boards import grid
from tests.kit.games import load_text

GAME = grid(5, 5, "n e s w", players="A B")
GAME += """\
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: step-n ['] n step ; : step-e ['] e step ; : step-s ['] s step ; : step-w ['] w step ;
{moves steps {move} step-n {move} step-e {move} step-s {move} step-w moves}
{pieces {piece} Man {moves} steps pieces}
{board-setup {setup} A Man b2 {setup} A Man c4 {setup} B Man d3 {setup} B Man e5 board-setup}
: OnIsGameOver ( -- result ) #UnknownScore ;
: enemies ( -- n ) 0 25 0 DO I enemy-at? IF I 37 * - ENDIF LOOP ;
: places ( -- n ) enemies 25 0 DO I friend-at? IF I I 11 + * + ENDIF LOOP ;
"""


def position(folder: Path, script: str, lists: ListMode) -> forthvm.Position:
    start = load_text(folder, GAME + script).start()
    start.game._loaded.vm.native.set_option(Option.LISTS, lists)
    return start


@pytest.mark.parametrize("engine", ["axiom:depth=2", "axiom:depth=3", "script:depth=2"])
def test_here_is_set_back_before_a_move_is_retracted(tmp_path: Path, engine: str) -> None:
    script = """
        VARIABLE seen
        : OnEvaluate ( -- score ) seen @ places + 8 ALLOT ;
        : OnRetractMove HERE 1023 AND seen ! $DeallocateBoard ;
    """
    results = []
    for lists in (ListMode.COMPLETE, ListMode.USUAL, ListMode.PROVEN):
        found = forthvm.engines.get(engine).play(position(tmp_path, script, lists))
        results.append((found.nodes, found.score, str(found.move)))
    assert results[1:] == results[:1] * 2


@pytest.mark.parametrize("lists", [ListMode.COMPLETE, ListMode.PROVEN])
def test_what_hooks_append_is_wiped(tmp_path: Path, lists: ListMode) -> None:
    start = position(tmp_path, ": OnEvaluate ( -- score ) places 64 0 DO 5 , LOOP ;", lists)
    with start._in_memory() as native:
        native.game_generate()
        forthvm.engines.get("script:depth=2").play(start)
        vm = start.game._loaded.vm
        (here,) = vm.call("HERE")
        above = bytes(vm.memory[here : here + 0x8000])
    assert above == bytes(len(above))
