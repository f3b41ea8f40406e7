"""Budgets, interrupts, threads and Ctrl-C.  Steps are counted; only ends are timed, loosely."""

from __future__ import annotations

import _thread
import threading
import time

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
from forthvm.core.vm import VM

SPIN = ": spin BEGIN 0 UNTIL ; : count 0 BEGIN 1+ 0 UNTIL ; "
# Long primitives: megabytes at a time.
FILLS = ": fills BEGIN HERE 4000000 7 FILL 0 UNTIL ; "
MOVES = ": moves BEGIN HERE DUP 4 + 900000 MOVE 0 UNTIL ; "
PATIENCE = 10.0  # far above what any machine needs, so that only a hang fails


def quiet(**options: Budget | None) -> VM:
    return VM(library="core", output=lambda text: None, **options)


# --- steps ---------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 2, 100, 5000, 123_456])
def test_steps_are_counted_exactly(steps: int) -> None:
    vm = quiet(budget=Budget(steps=steps))
    vm.native.run_limits = None
    vm.interpret(SPIN)
    vm.native.run_limits = (steps, 0.0)
    with pytest.raises(StepLimitExceeded) as caught:
        vm.call("spin")
    assert caught.value.steps == steps
    assert isinstance(caught.value, BudgetExceeded)


def test_steps_repeat() -> None:
    used = []
    for _ in range(2):
        vm = quiet(budget=Budget(steps=10_000_000))
        vm.interpret(": work 1000 0 DO I DUP * DROP LOOP ; work")
        used.append(vm.native.steps())
    assert used[0] == used[1] > 1000


def test_every_run_gets_the_whole_budget() -> None:
    vm = quiet(budget=Budget(steps=3000))
    vm.interpret(": work 2000 0 DO LOOP ;")
    for _ in range(5):
        vm.call("work")


@pytest.mark.parametrize("word", ["fills", "moves"])
def test_long_primitives_count(word: str) -> None:
    """64 bytes are a step: a FILL of 4,000,000 bytes is 62,500 steps."""
    vm = quiet(budget=Budget(steps=200_000))
    vm.interpret(FILLS + MOVES)
    with pytest.raises(StepLimitExceeded):
        vm.call(word)


def test_a_budget_of_steps_counts_while_loading() -> None:
    vm = quiet(budget=Budget(steps=1000))
    with pytest.raises(StepLimitExceeded):
        vm.interpret("1 DROP " * 2000)


def test_the_vm_goes_on_after_a_limit() -> None:
    vm = quiet(budget=Budget(steps=1000))
    vm.interpret(SPIN)
    for _ in range(3):
        with pytest.raises(StepLimitExceeded):
            vm.call("count")
        assert vm.stack == ()
        assert vm.call("1+", 41) == (42,)


# --- the other limits ----------------------------------------------------------------


def test_time() -> None:
    vm = quiet(budget=Budget(seconds=0.05))
    vm.interpret(SPIN)
    start = time.monotonic()
    with pytest.raises(TimeLimitExceeded):
        vm.call("spin")
    assert time.monotonic() - start < PATIENCE


def test_depth() -> None:
    vm = quiet(budget=Budget(depth=100))
    vm.interpret(": down ( n -- ) DUP IF 1- RECURSE ELSE DROP ENDIF ;")
    vm.call("down", 80)
    with pytest.raises(ReturnStackOverflow):
        vm.call("down", 200)
    deep = quiet()
    deep.interpret(": down ( n -- ) DUP IF 1- RECURSE ELSE DROP ENDIF ;")
    deep.call("down", 4000)


def test_memory() -> None:
    limit = 2 * 1024 * 1024
    vm = quiet(budget=Budget(memory=limit))
    vm.interpret(": fill-up BEGIN 1000 0 DO 0 , LOOP 0 UNTIL ;")
    with pytest.raises(MemoryLimitExceeded):
        vm.call("fill-up")
    assert len(vm.memory) <= limit


@pytest.mark.parametrize("name", ["memory", "steps", "depth", "seconds"])
@pytest.mark.parametrize("value", [0, -1])
def test_a_budget_is_positive(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"Budget.{name}"):
        Budget(**{name: value})  # type: ignore[arg-type]


# --- interrupts ----------------------------------------------------------------------


def interrupt_when_running(vm: VM) -> threading.Thread:
    def wait_and_interrupt() -> None:
        while not vm.interrupt():
            time.sleep(0.001)

    thread = threading.Thread(target=wait_and_interrupt)
    thread.start()
    return thread


@pytest.mark.parametrize("word", ["spin", "fills", "moves"])
def test_interrupt_from_another_thread(word: str) -> None:
    vm = quiet()
    vm.interpret(SPIN + FILLS + MOVES)
    thread = interrupt_when_running(vm)
    with pytest.raises(Interrupted):
        vm.call(word)
    thread.join()
    assert vm.call("1+", 1) == (2,)  # the interrupt is used up


def test_interrupt_while_other_threads_run_python() -> None:
    """C calls release the GIL: the run does not starve Python, nor Python the interrupt."""
    vm = quiet()
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
    ended: list[ForthVMError] = []

    def run() -> None:
        try:
            vm.call("spin")
        except ForthVMError as error:
            ended.append(error)

    runner = threading.Thread(target=run)
    runner.start()
    while not vm.native.running:
        time.sleep(0.001)
    time.sleep(0.05)
    after = list(rounds)
    start = time.monotonic()
    while not vm.interrupt():
        time.sleep(0.001)
    runner.join(PATIENCE)
    took = time.monotonic() - start
    stop.set()
    for worker in workers:
        worker.join()
    assert [type(error) for error in ended] == [Interrupted]
    assert all(b > a for a, b in zip(before, after, strict=True))
    assert took < PATIENCE


def test_an_interrupt_without_a_run_is_ignored() -> None:
    vm = quiet()
    assert vm.interrupt() is False
    assert vm.call("1+", 1) == (2,)


def test_an_interrupt_between_two_calls_of_one_operation() -> None:
    vm = quiet()
    vm.interpret(SPIN)
    with vm.native.operation():
        assert vm.interrupt()
        with pytest.raises(Interrupted):
            vm.call("spin")


def test_ctrl_c_keeps_dictionary_and_stack() -> None:
    vm = quiet()
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


def test_several_vms_in_threads() -> None:
    source = ": fib DUP 2 < IF DROP 1 ELSE DUP 1- RECURSE SWAP 2- RECURSE + ENDIF ;"
    answers: dict[int, tuple[int, ...]] = {}

    def work(n: int) -> None:
        vm = quiet()
        vm.interpret(source)
        answers[n] = vm.call("fib", n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(10, 22)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fib = [1, 1]
    while len(fib) < 22:
        fib.append(fib[-1] + fib[-2])
    assert answers == {n: (fib[n],) for n in range(10, 22)}


def test_one_vm_used_by_many_threads() -> None:
    """Calls wait for each other: none sees another's stack."""
    vm = quiet()
    vm.interpret(": slow ( n -- n ) 300 0 DO 1+ LOOP ;")
    wrong: list[tuple[int, tuple[int, ...]]] = []

    def work(n: int) -> None:
        for _ in range(50):
            answer = vm.call("slow", n)
            if answer != (n + 300,):
                wrong.append((n, answer))

    threads = [threading.Thread(target=work, args=(1000 * n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert vm.stack == ()


def test_snapshots_dropped_by_other_threads() -> None:
    """A snapshot may die in any thread, also while the VM runs in another one."""
    vm = quiet()
    vm.interpret(": work 200000 0 DO LOOP ;")
    kept = [vm.snapshot() for _ in range(50)]

    def drop() -> None:
        while kept:
            kept.pop()

    thread = threading.Thread(target=drop)
    thread.start()
    vm.call("work")
    thread.join()
    state = vm.snapshot()
    vm.push(5)
    vm.restore(state)
    assert vm.stack == ()


def test_source_positions_do_not_wrap() -> None:
    """Positions are 32 bits wide; texts that would take the same ones are refused."""
    vm = quiet()
    vm.native.source_add(2**31)
    with pytest.raises(LimitExceeded, match="4 GiB"):
        vm.native.source_add(2**31)
    vm.interpret("1")
    assert vm.stack == (1,)
