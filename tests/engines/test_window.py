"""Tests of the window, memory in which lists are written without a check for each store.

Owns events inside a move word that close the window (native/vm/window.c): later stores to the same
list must be exact.  In the tier without the JIT the window is never open.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from benchmarks.tiers import VARIABLE

GAME = """
{board 8 8 {grid} {variable} counter board}
{directions -1 0 {direction} n 0 1 {direction} e 1 0 {direction} s 0 -1 {direction} w directions}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
DEFER event
: nothing ;
' nothing IS event
DEFER early-event
' nothing IS early-event
: go early-event from here move event add-move ;
: slide BEGIN DUP EXECUTE empty? AND WHILE go REPEAT DROP ;
: slide-n ['] n slide ; : slide-e ['] e slide ; : slide-s ['] s slide ; : slide-w ['] w slide ;
{moves slides {move} slide-n {move} slide-e {move} slide-s {move} slide-w moves}
{pieces {piece} Rook {moves} slides pieces}
{board-setup {setup} A Rook d4 {setup} A Rook e5 {setup} B Rook b2 {setup} B Rook g7 board-setup}
"""


@pytest.fixture(params=["native", "eager", "interpreter"])
def vm(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> forthvm.VM:
    """Return the VM of a new game, after several lists, so that machine code runs."""
    monkeypatch.setenv(VARIABLE, request.param)
    path = tmp_path / "game.4th"
    path.write_text(GAME)
    position = forthvm.load(path).start()
    vm = position.game.vm
    with position.enter() as native:
        for _ in range(300):
            native.game_generate()
    return vm


def texts(vm: forthvm.VM) -> tuple[str, ...]:
    vm.native.game_generate()
    return vm.native.list_texts()


def lists(vm: forthvm.VM) -> bytes:
    """Return the memory of boards and lists."""
    start = vm.native.variable_address("$board")
    return bytes(vm.memory[start : start + 0x8000])


def set_event(vm: forthvm.VM, run: Callable[[], None]) -> None:
    """Let the move words call a Python function before each move."""
    vm.native.game_free_lists()  # new words would be above the lists
    vm.word("python-event", effect="( -- )")(run)
    vm.interpret("' python-event IS event")


def test_a_snapshot_taken_by_a_move_word_is_exact(vm: forthvm.VM) -> None:
    expected = texts(vm)
    assert len(expected) == 28
    taken = []
    set_event(vm, lambda: taken.append(vm.snapshot()) if len(taken) < 3 else None)
    assert texts(vm) == expected
    complete, memory = vm.snapshot(), lists(vm)
    for snapshot in taken:
        vm.restore(snapshot)
        assert lists(vm) != memory
        vm.restore(complete)
        assert lists(vm) == memory
        assert vm.native.list_texts() == expected


def test_text_interpreted_by_a_move_word_keeps_the_list(vm: forthvm.VM) -> None:
    expected = texts(vm)
    set_event(vm, lambda: vm.interpret("counter @ 1+ counter !"))
    assert texts(vm) == expected
    assert vm.native.list_texts() == expected


@pytest.mark.parametrize("event", ["event", "early-event"])
@pytest.mark.parametrize("here", [-4, -8, -16, -44, 2, 0x7FFFFFFC])
def test_a_move_word_that_damages_here_is_an_error(vm: forthvm.VM, event: str, here: int) -> None:
    """80 is the address of DP.  Addresses near the end of the address space must not wrap."""
    vm.native.game_free_lists()
    vm.interpret(f": damage {here} 80 ! ; ' damage IS {event}")
    with pytest.raises(forthvm.ForthVMError):
        texts(vm)
