"""Budgets, interrupts, threads and Ctrl-C.  Time limits are tested with a wide tolerance."""

from __future__ import annotations

import _thread
import math
import re
import threading
import time
from typing import Any

import pytest

from forthvm.core.budget import Budget
from forthvm.core.errors import (
    BudgetExceeded,
    ForthVMError,
    Interrupted,
    LimitExceeded,
    MemoryLimitExceeded,
    ReturnStackOverflow,
    StepLimitExceeded,
    TimeLimitExceeded,
)
from forthvm.core.text.visible import shown
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.kit.messages import raises

SPIN = ": spin BEGIN 0 UNTIL ; : count 0 BEGIN 1+ 0 UNTIL ; "
# Long primitives: megabytes at a time.
FILLS = ": fills BEGIN HERE 4000000 7 FILL 0 UNTIL ; "
MOVES = ": moves BEGIN HERE DUP 4 + 900000 MOVE 0 UNTIL ; "
MAX_SECONDS = 10.0  # far more than any machine needs, so that only a hang fails


def silent_vm(**options: Budget | None) -> VM:
    return VM(library="core", output=lambda text: None, **options)


# --- steps ---------------------------------------------------------------------------


@each_case("steps", [1, 2, 100, 5000, 123_456])
def test_steps_are_counted_exactly(steps: int) -> None:
    vm = silent_vm(budget=Budget(steps=steps))
    vm.native.run_limits = None  # defining the words must not use the budget
    vm.interpret(SPIN)
    vm.native.run_limits = (steps, 0.0)
    with pytest.raises(StepLimitExceeded) as caught:
        vm.call("spin")
    assert caught.value.steps == steps
    assert isinstance(caught.value, BudgetExceeded)


def test_equal_runs_use_equal_steps() -> None:
    used = []
    for _ in range(2):
        vm = silent_vm(budget=Budget(steps=10_000_000))
        vm.interpret(": work 1000 0 DO I DUP * DROP LOOP ; work")
        used.append(vm.native.steps())
    assert used[0] == used[1] > 1000


def test_each_run_has_the_full_budget() -> None:
    vm = silent_vm(budget=Budget(steps=3000))
    vm.interpret(": work 2000 0 DO LOOP ;")
    for _ in range(5):
        vm.call("work")


@pytest.mark.parametrize("word", ["fills", "moves"])
def test_long_primitives_use_steps(word: str) -> None:
    """64 bytes are a step: a FILL of 4,000,000 bytes is 62,500 steps."""
    vm = silent_vm(budget=Budget(steps=200_000))
    vm.interpret(FILLS + MOVES)
    with pytest.raises(StepLimitExceeded):
        vm.call(word)


def test_the_step_limit_applies_while_loading() -> None:
    vm = silent_vm(budget=Budget(steps=1000))
    with pytest.raises(StepLimitExceeded):
        vm.interpret("1 DROP " * 2000)


def test_the_vm_works_after_a_limit() -> None:
    vm = silent_vm(budget=Budget(steps=1000))
    vm.interpret(SPIN)
    for _ in range(3):
        with pytest.raises(StepLimitExceeded):
            vm.call("count")
        assert vm.stack == ()
        assert vm.call("1+", 41) == (42,)


# --- the other limits ----------------------------------------------------------------


def test_the_time_limit_ends_a_run() -> None:
    vm = silent_vm(budget=Budget(seconds=0.05))
    vm.interpret(SPIN)
    start = time.monotonic()
    with pytest.raises(TimeLimitExceeded):
        vm.call("spin")
    assert time.monotonic() - start < MAX_SECONDS


def test_the_depth_limit_ends_a_run() -> None:
    vm = silent_vm(budget=Budget(depth=100))
    vm.interpret(": down ( n -- ) DUP IF 1- RECURSE ELSE DROP ENDIF ;")
    vm.call("down", 80)
    with pytest.raises(ReturnStackOverflow):
        vm.call("down", 200)
    deep = silent_vm()
    deep.interpret(": down ( n -- ) DUP IF 1- RECURSE ELSE DROP ENDIF ;")
    deep.call("down", 4000)


def test_the_memory_limit_ends_a_run() -> None:
    limit = 2 * 1024 * 1024
    vm = silent_vm(budget=Budget(memory=limit))
    vm.interpret(": fill-up BEGIN 1000 0 DO 0 , LOOP 0 UNTIL ;")
    with pytest.raises(MemoryLimitExceeded):
        vm.call("fill-up")
    assert len(vm.memory) <= limit


@each_case("name", ["memory", "steps", "depth", "output", "seconds", "call_seconds"])
@each_case("value", [0, -1, "1", True, math.nan, math.inf, 2**70])
def test_limits_must_be_positive_numbers(name: str, value: Any) -> None:  # noqa: ANN401
    with pytest.raises(
        ValueError, match=f"^Budget: `{name}`: expected .*, not {re.escape(shown(value))}$"
    ):
        Budget(**{name: value})


@each_case("name", ["memory", "steps", "depth", "output"])
def test_counts_are_integers(name: str) -> None:
    with pytest.raises(TypeError, match=f"^Budget: `{name}`: expected an integer .*, not 1.5$"):
        Budget(**{name: 1.5})  # type: ignore[arg-type]


# --- interrupts ----------------------------------------------------------------------


def interrupt_when_running(vm: VM) -> threading.Thread:
    def wait_and_interrupt() -> None:
        while not vm.interrupt():
            time.sleep(0.001)

    thread = threading.Thread(target=wait_and_interrupt)
    thread.start()
    return thread


@pytest.mark.parametrize("word", ["spin", "fills", "moves"])
def test_another_thread_can_interrupt_a_run(word: str) -> None:
    vm = silent_vm()
    vm.interpret(SPIN + FILLS + MOVES)
    thread = interrupt_when_running(vm)
    with pytest.raises(Interrupted):
        vm.call(word)
    thread.join()
    assert vm.call("1+", 1) == (2,)  # the interrupt does not end the next run


def test_a_run_and_python_threads_do_not_block_each_other() -> None:
    """C calls release the GIL: other threads run Python code, and an interrupt arrives."""
    vm = silent_vm()
    vm.interpret(SPIN)
    stop = threading.Event()
    rounds = [0, 0]

    def busy(index: int) -> None:
        while not stop.is_set():
            rounds[index] += 1

    workers = [threading.Thread(target=busy, args=(i,)) for i in range(2)]
    for worker in workers:
        worker.start()
    before = list(rounds)
    errors: list[ForthVMError] = []

    def run() -> None:
        try:
            vm.call("spin")
        except ForthVMError as error:
            errors.append(error)

    runner = threading.Thread(target=run)
    runner.start()
    while not vm.native.running:
        time.sleep(0.001)
    time.sleep(0.05)
    after = list(rounds)
    start = time.monotonic()
    while not vm.interrupt():
        time.sleep(0.001)
    runner.join(MAX_SECONDS)
    duration = time.monotonic() - start
    stop.set()
    for worker in workers:
        worker.join()
    assert [type(error) for error in errors] == [Interrupted]
    assert all(b > a for a, b in zip(before, after, strict=True))
    assert duration < MAX_SECONDS


def test_an_interrupt_without_a_run_is_ignored() -> None:
    vm = silent_vm()
    assert vm.interrupt() is False
    assert vm.call("1+", 1) == (2,)


def test_an_interrupt_before_a_call_of_an_operation_ends_the_call() -> None:
    vm = silent_vm()
    vm.interpret(SPIN)
    with vm.native.operation():
        assert vm.interrupt()
        with pytest.raises(Interrupted):
            vm.call("spin")


def test_ctrl_c_keeps_dictionary_and_stack() -> None:
    vm = silent_vm()
    vm.interpret(SPIN)
    vm.push(1, 2)
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        vm.call("count")
    timer.join()
    assert vm.stack == (1, 2)
    vm.interpret(": still-here 3 ;")
    assert vm.call("still-here") == (3,)


# --- threads -------------------------------------------------------------------------


@pytest.mark.slow
def test_vms_run_in_parallel_threads() -> None:
    source = ": fib DUP 2 < IF DROP 1 ELSE DUP 1- RECURSE SWAP 2- RECURSE + ENDIF ;"
    results: dict[int, tuple[int, ...]] = {}

    def work(n: int) -> None:
        vm = silent_vm()
        vm.interpret(source)
        results[n] = vm.call("fib", n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(10, 22)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fib = [1, 1]
    while len(fib) < 22:
        fib.append(fib[-1] + fib[-2])
    assert results == {n: (fib[n],) for n in range(10, 22)}


def test_many_threads_can_use_one_vm() -> None:
    """Calls wait for each other, and no call can access the stack of another call."""
    vm = silent_vm()
    vm.interpret(": slow ( n -- n ) 300 0 DO 1+ LOOP ;")
    wrong: list[tuple[int, tuple[int, ...]]] = []

    def work(n: int) -> None:
        for _ in range(50):
            result = vm.call("slow", n)
            if result != (n + 300,):
                wrong.append((n, result))

    threads = [threading.Thread(target=work, args=(1000 * n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert vm.stack == ()


def test_other_threads_can_delete_snapshots() -> None:
    """Any thread may delete a snapshot, also while the VM runs in another thread."""
    vm = silent_vm()
    vm.interpret(": work 200000 0 DO LOOP ;")
    snapshots = [vm.snapshot() for _ in range(50)]

    def drop() -> None:
        while snapshots:
            snapshots.pop()

    thread = threading.Thread(target=drop)
    thread.start()
    vm.call("work")
    thread.join()
    state = vm.snapshot()
    vm.push(5)
    vm.restore(state)
    assert vm.stack == ()


def test_source_positions_do_not_wrap() -> None:
    """Source positions have 32 bits; texts whose positions would repeat are refused."""
    vm = silent_vm()
    vm.native.source_add(2**31)
    with raises(LimitExceeded, "core-limits.source-positions-do-not-wrap"):
        vm.native.source_add(2**31)
    vm.interpret("1")
    assert vm.stack == (1,)
