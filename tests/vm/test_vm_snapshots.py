"""Tests that snapshots restore the complete state, and that later actions repeat exactly."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.core.bindings import Snapshot
from forthvm.core.errors import UndefinedWord
from forthvm.core.vm import VM
from tests.vm.vm_model import INT_MAX, INT_MIN

LOW = 0x40  # lowest readable address
PRELUDE = "VARIABLE v CREATE buffer 20000 ALLOT : draw 0 1000000 RAND-WITHIN ;"
cells = st.integers(INT_MIN, INT_MAX)
# The actions change memory, stack, dictionary, both random streams and the ring buffer.
ACTIONS = st.one_of(
    cells.map(lambda n: f"{n} v !"),
    st.tuples(cells, st.integers(0, 4999)).map(lambda p: f"{p[0]} buffer {4 * p[1]} + !"),
    cells.map(str),
    st.just("draw"),
    cells.map(lambda n: f"{n} SEED!"),
    st.just("0 9 RAND-WITHIN2"),
    st.integers(0, 500).map(lambda n: f": made{n} {n} ;"),
    st.integers(1, 9000).map(lambda n: f"{n} ALLOT"),
    cells.map(lambda n: f"{n} ringbuffer-add-item"),
    st.sampled_from(["HEX", "DECIMAL", "DEPTH"]),
)
actions = st.lists(ACTIONS, min_size=1, max_size=8)


@dataclass
class Saved:
    """A snapshot and copies of the state that it must restore."""

    snapshot: Snapshot
    stack: tuple[int, ...]
    here: int
    memory: bytes
    words: tuple[str, ...] = field(default=())


def run(vm: VM, program: list[str]) -> None:
    """Interpret each action; numbers are decimal."""
    for action in program:
        vm.interpret(f"DECIMAL {action}")


def save(vm: VM) -> Saved:
    """Take a snapshot and copy the state."""
    here = vm.native.here()
    return Saved(vm.snapshot(), vm.stack, here, vm.native.read(LOW, here - LOW), vm.words())


def assert_state(vm: VM, saved: Saved) -> None:
    """Assert that the VM has the saved state."""
    here = vm.native.here()
    assert (vm.stack, here, vm.words()) == (saved.stack, saved.here, saved.words)
    assert vm.native.read(LOW, here - LOW) == saved.memory
    assert vm.snapshot().equal(saved.snapshot)


def vm_with_prelude() -> VM:
    """Return a new VM that has interpreted PRELUDE."""
    vm = VM(library="core", output=lambda text: None)
    vm.interpret(PRELUDE)
    return vm


_VM = vm_with_prelude()
_START = _VM.snapshot()


@pytest.mark.slow
@given(before=actions, between=actions, after=actions)
def test_restored_state_equals_the_saved_state(
    before: list[str], between: list[str], after: list[str]
) -> None:
    vm = _VM
    vm.restore(_START)
    run(vm, before)
    first = save(vm)
    run(vm, between)
    second = save(vm)
    run(vm, after)
    third = save(vm)
    vm.restore(first.snapshot)
    assert_state(vm, first)
    run(vm, between)
    assert_state(vm, second)
    run(vm, after)
    assert_state(vm, third)
    vm.restore(second.snapshot)
    assert_state(vm, second)
    vm.restore(_START)


@given(program=actions, number=cells)
def test_snapshots_differ_where_the_state_differs(program: list[str], number: int) -> None:
    vm = _VM
    vm.restore(_START)
    run(vm, program)
    first = vm.snapshot()
    assert vm.snapshot().equal(first)
    run(vm, [f"{number} buffer 12000 + ! 1 buffer 12000 + +!"])
    changed = vm.snapshot()
    run(vm, ["draw DROP"])
    drawn = vm.snapshot()
    vm.push(number)
    pushed = vm.snapshot()
    assert not drawn.equal(changed)
    assert not pushed.equal(drawn)
    vm.restore(_START)


def test_restore_undoes_a_failed_run() -> None:
    vm = _VM
    vm.restore(_START)
    before = save(vm)
    with pytest.raises(UndefinedWord):
        vm.interpret("5 v ! 77 : half DUP nosuchword")
    vm.restore(before.snapshot)
    assert_state(vm, before)
