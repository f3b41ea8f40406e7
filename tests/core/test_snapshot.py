"""Snapshots: restoring the complete state, comparing, patching."""

from __future__ import annotations

import pytest

from forthvm.core.bindings import page_size
from forthvm.core.errors import ContextError, UndefinedWord
from forthvm.core.vm import VM
from tests.kit.messages import raises


def test_memory_stack_and_dictionary_are_restored(vm: VM) -> None:
    vm.interpret("VARIABLE v 5 v ! 1 2")
    state = vm.snapshot()
    here = vm.native.here()
    vm.interpret("6 v ! DROP 9 : later 1 ; HEX")
    vm.restore(state)
    assert vm.stack == (1, 2)
    assert vm.native.here() == here
    assert vm.call("@", *vm.call("v")) == (5,)
    with pytest.raises(UndefinedWord):
        vm.call("later")
    vm.interpret("10")
    assert vm.stack == (1, 2, 10)


def test_random_streams_are_restored(vm: VM) -> None:
    vm.call("SEED!", 7)
    vm.call("RAND-WITHIN", 0, 1000)
    state = vm.snapshot()
    first = [vm.call("RAND-WITHIN", 0, 1000) for _ in range(200)]
    vm.restore(state)
    assert [vm.call("RAND-WITHIN", 0, 1000) for _ in range(200)] == first


def test_states_can_be_restored_in_any_order(vm: VM) -> None:
    vm.interpret("VARIABLE v")
    (address,) = vm.call("v")
    states = []
    for value in range(10):
        vm.memory.set_cell(address, value)
        states.append(vm.snapshot())
    for value in (3, 9, 0, 3, 5):
        vm.restore(states[value])
        assert vm.memory.cell(address) == value


def test_code_changed_after_it_ran_is_restored(vm: VM) -> None:
    vm.interpret(": f 1 ;")
    (body,) = vm.call("CFA>PFA", vm.token("f"))
    assert vm.call("f") == (1,)
    state = vm.snapshot()
    vm.memory.set_cell(body + 4, 2)
    assert vm.call("f") == (2,)
    vm.restore(state)
    assert vm.call("f") == (1,)


def test_snapshots_can_be_compared(vm: VM) -> None:
    vm.interpret("VARIABLE v")
    (address,) = vm.call("v")
    first = vm.snapshot()
    unchanged = vm.snapshot()
    assert first.equal(unchanged)
    page = address // page_size()
    vm.memory.set_cell(address, 1)
    changed = vm.snapshot()
    assert not first.equal(changed)
    assert not first.has_same_page(changed, page)
    other_page = page + 4
    assert first.has_same_page(changed, other_page)
    vm.memory.set_cell(address, 0)
    assert first.equal(vm.snapshot())
    vm.push(1)
    assert not first.equal(vm.snapshot())


def test_snapshots_can_be_read_and_patched(vm: VM) -> None:
    vm.interpret("VARIABLE v 5 v ! 1 2")
    (address,) = vm.call("v")
    state = vm.snapshot()
    assert state.read(address, 4) == b"\5\0\0\0"
    assert state.stack() == (1, 2)
    assert address < state.size
    beyond_the_end = state.read(state.size - 2, 10)
    assert beyond_the_end == state.read(state.size - 2, 2)
    other = state.patch({address: -1}, [7, 8, 9])
    vm.restore(other)
    assert vm.stack == (7, 8, 9)
    assert vm.memory.cell(address) == -1
    vm.restore(state)
    assert vm.memory.cell(address) == 5


def test_a_snapshot_belongs_to_its_vm(vm: VM) -> None:
    with raises(ValueError, "snapshot.a-snapshot-belongs-to-its-vm"):
        VM(library="core").restore(vm.snapshot())


def test_restoring_inside_a_run_raises(vm: VM) -> None:
    state = vm.snapshot()
    vm.word("restore-state")(lambda: vm.restore(state))
    with raises(ContextError, "snapshot.only-between-runs"):
        vm.call("restore-state")


def test_a_snapshot_survives_many_changes(vm: VM) -> None:
    vm.interpret("VARIABLE v : fill-all 100000 ALLOT HERE 100000 - 100000 165 FILL ;")
    state = vm.snapshot()
    for _ in range(5):
        vm.call("fill-all")
        vm.snapshot()
    vm.restore(state)
    assert vm.snapshot().equal(state)
