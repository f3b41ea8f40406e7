"""Limits end hostile scripts that run for long in few steps, or loop without a call.

The tests allow so much time that only a hang fails.  Scripts that crashed under a sanitizer are in
tests/native/crashes.
"""

from __future__ import annotations

import time

import pytest

from forthvm.core.bindings import NativeVM
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError, HostWordError, TimeLimitExceeded
from forthvm.core.vm import VM
from tests.kit.messages import raises

MAX_SECONDS = 5.0  # of processor time; without the checks, each script takes longer
LIMIT = 0.005  # seconds

# A board of 2^31 - 1 positions, of which those in 60 MB of allotted memory can be read.
HUGE_BOARD = "64 $board ! 2147483647 $positions ! 60000000 DP +! "
DEPENDENT_WORDS = ": a $board @ ; : b a DROP ; "  # the translation of b depends on the code of a

# For each script: the definitions, and the text that runs without end.
ENDLESS = {
    # `hang` pushes the address of its own code, which it then returns to.
    "return to itself": (
        ": hang 0 >R ; ' hang CFA>PFA DUP 4 + !",
        "hang",
    ),
    "material": (HUGE_BOARD, ": t BEGIN 1 material-balance DROP 0 UNTIL ; t"),
    "repetition": (
        HUGE_BOARD,
        ": t BEGIN repetition-push-position DROP repetition-pop-position 0 UNTIL ; t",
    ),
    "printing": (
        "60000000 DP +! HERE 59000000 - 58000000 65 FILL",
        ": t BEGIN HERE 59000000 - TYPE 0 UNTIL ; t",
    ),
    "stores that discard all translations": (
        "30000000 DP +! " + DEPENDENT_WORDS,
        ": t BEGIN ['] @ ['] a CFA>PFA 4 + ! b 0 UNTIL ; t",
    ),
    # A definition of 15 MB: `TRUE DROP` in each pair of cells, and a jump back at the end.
    "code without calls": (
        "VARIABLE s 60000000 DP +! HERE 60000000 - s ! ' DROP s @ 4 + ! ' TRUE s @ ! "
        "s @ DUP 8 + 14900000 MOVE ' BRANCH HERE 16 - ! s @ HERE 12 - ! : go s @ >R ;",
        "go",
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_time_limits_end_work_that_uses_few_steps(name: str) -> None:
    setup, work = ENDLESS[name]
    vm = VM(output=lambda text: None)
    vm.interpret(setup)
    vm.native.run_limits = (0, LIMIT)
    start = time.process_time()
    with pytest.raises(TimeLimitExceeded):
        vm.interpret(work)
    assert time.process_time() - start < MAX_SECONDS
    vm.native.run_limits = (0, 0.0)
    vm.interpret(": three 1 2 + ;")
    assert vm.call("three") == (3,)


def test_a_loop_made_of_returns_uses_steps() -> None:
    vm = VM(output=lambda text: None, budget=Budget(steps=1000))
    vm.interpret(": hang 0 >R ; ' hang CFA>PFA DUP 4 + !")
    with pytest.raises(ForthVMError) as caught:
        vm.call("hang")
    assert caught.value.steps == 1000


def test_code_runs_at_the_end_of_memory_of_unusual_size() -> None:
    # The memory ends inside a block for which slots are allocated together.
    vm = NativeVM(0x90400, 0x90400)
    text = b"589840 DP ! : x 1 2 + ; x"
    vm.interpret(text, vm.source_add(len(text)), main=True)
    assert vm.pop() == 3
    assert [vm.source_at(addr) for addr in range(0x40, 0x30000, 4096)] == [0] * 48


def test_a_changed_code_field_of_a_primitive_takes_effect() -> None:
    # `+` and the superinstruction of a number and `+` are translated before the store.
    vm = VM(library="core", output=lambda text: None)
    vm.interpret(": plus + ; : five 3 + ;")
    assert (vm.call("plus", 7, 2), vm.call("five", 2)) == ((9,), (5,))
    vm.interpret("' - @ ' + !")
    assert (vm.call("plus", 7, 2), vm.call("five", 2)) == ((5,), (-1,))


def test_array_sizes_follow_the_restored_dictionary() -> None:
    vm = VM(library="core", output=lambda text: None, checked=True)
    before = vm.native.snapshot_take()
    vm.interpret("7 [] arr CREATE x 0 CONSTANT last")
    vm.interpret("6 arr DROP")
    vm.native.snapshot_restore(before)
    # The same number of headers, and the newest header at the same address.
    vm.interpret("4 [] arr CREATE x 0 , 0 , 0 , 0 CONSTANT last")
    with pytest.raises(ForthVMError) as caught:
        vm.interpret("6 arr DROP")
    assert caught.value.value == 6


@pytest.mark.parametrize("number", [1, 99, -1])
def test_an_unknown_host_word_number_raises(number: int) -> None:
    vm = VM(library="core", output=lambda text: None)
    ran: list[int] = []
    vm.word("note", effect="( -- )")(lambda: ran.append(1))
    vm.interpret(f"VARIABLE x {number} x ! ' note @ ' x !")
    with raises(HostWordError, "hostile.unknown-host-word", number=number):
        vm.interpret("x")
    assert (ran, vm.stack) == ([], ())
