"""Tests that ALLOT and all words that allocate memory respect the limits of the image."""

from __future__ import annotations

import pytest

from forthvm import VM, Budget
from forthvm.core.errors import ContextError, ForthVMError, MemoryLimitExceeded
from tests.kit.messages import raises

LIMITS = Budget(memory=32 << 20, call_seconds=5)


def limited_vm(**options: object) -> VM:
    """Return a VM with LIMITS that discards output."""
    return VM(output=lambda _: None, budget=LIMITS, **options)  # type: ignore[arg-type]


def test_allot_allocates_and_releases_memory() -> None:
    vm = limited_vm()
    before = vm.call("HERE")
    vm.interpret("1000000 ALLOT -1000000 ALLOT 0 ALLOT")
    assert vm.call("HERE") == before


@pytest.mark.parametrize("bytes_", [33 << 20, 2**31 - 1])
def test_allot_beyond_the_image_fails_and_keeps_here(bytes_: int) -> None:
    vm = limited_vm()
    before = vm.call("HERE")
    with raises(MemoryLimitExceeded, "allot.limit-mib-allot"):
        vm.interpret(f"{bytes_} ALLOT")
    assert vm.call("HERE") == before


@pytest.mark.parametrize("bytes_", [-(2**31), -(8 << 20)])
def test_allot_below_the_dictionary_fails_and_keeps_here(bytes_: int) -> None:
    vm = limited_vm()
    before = vm.call("HERE")
    with pytest.raises(ContextError):
        vm.interpret(f"{bytes_} ALLOT")
    assert vm.call("HERE") == before


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("std", ["axiom", "forth2012"])
def test_allot_releases_only_the_memory_of_the_script(std: str, checked: bool) -> None:
    vm = limited_vm(library=std, checked=checked)
    vm.interpret("100 ALLOT -100 ALLOT")
    with raises(ForthVMError, "allot.at-most-0-bytes"):
        vm.interpret("-1 ALLOT")
    vm.interpret("4 ALLOT")
    with raises(ForthVMError, "allot.at-most-4-bytes"):
        vm.interpret("-5 ALLOT")
    vm.interpret("-4 ALLOT : two 2 ;")
    assert vm.call("two") == (2,)


@pytest.mark.parametrize("word", ["axiomFence", "{board", "CONSTANT"])
def test_forget_keeps_the_library(word: str) -> None:
    vm = limited_vm()
    vm.interpret(": mine 1 ;")
    before = vm.native.here()
    with raises(ForthVMError, "allot.forget-keeps-the-library"):
        vm.interpret(f"FORGET {word}")
    assert (vm.call("mine"), vm.native.here()) == ((1,), before)
    vm.interpret("FORGET mine")
    assert vm.find("mine") is None
    assert vm.find(word) is not None


EXCESSIVE_ALLOCATIONS = {
    "up": ": f BEGIN 1000000 ALLOT FALSE UNTIL ; f",
    "down": ": f BEGIN -1000 ALLOT FALSE UNTIL ; f",
    "cells": ": f BEGIN 0 , FALSE UNTIL ; f",
    "bytes": ": f BEGIN 0 C, FALSE UNTIL ; f",
    "DP": "2000000000 DP ! 0 ,",
    "DP below": "0 DP ! 0 ,",
    "fill": "HERE 2000000000 0 FILL",
    "move": "HERE DUP 4 + 500000000 MOVE",
    "array": "500000000 [] a",
    "grid": "{board 30000 30000 {grid} board}",
    "variables": "{board 2 2 {grid} 2000000000 {array} a board}",
    # "MOVE copies a text up to and with its closing zero; here the zero is missing.
    "text without a closing zero": 'HERE 30000000 65 FILL HERE PAD "MOVE',
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EXCESSIVE_ALLOCATIONS)
def test_excessive_allocation_ends_with_an_error(name: str) -> None:
    vm = limited_vm()
    with pytest.raises(ForthVMError):
        vm.interpret(EXCESSIVE_ALLOCATIONS[name])
    assert vm.native.memory_size() <= 32 << 20
