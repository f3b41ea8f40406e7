"""ALLOT keeps to the memory of the image, and what allots by it ends, too."""

from __future__ import annotations

import pytest

from forthvm import VM, Budget
from forthvm.core.errors import AddressError, ForthVMError, MemoryLimitExceeded

LIMITS = Budget(memory=32 << 20, call_seconds=5)


def vm_of(**options: object) -> VM:
    return VM(output=lambda _: None, budget=LIMITS, **options)  # type: ignore[arg-type]


def test_allot_up_and_down() -> None:
    """Memory can be had and given back as far as there is some."""
    vm = vm_of()
    before = vm.call("HERE")
    vm.interpret("1000000 ALLOT -1000000 ALLOT 0 ALLOT")
    assert vm.call("HERE") == before


@pytest.mark.parametrize("bytes_", [33 << 20, 2**31 - 1])
def test_more_than_there_is(bytes_: int) -> None:
    """The end of the image is the limit; HERE stays where it was."""
    vm = vm_of()
    before = vm.call("HERE")
    with pytest.raises(MemoryLimitExceeded, match=r"limit: 32 MiB.*ALLOT"):
        vm.interpret(f"{bytes_} ALLOT")
    assert vm.call("HERE") == before


@pytest.mark.parametrize("bytes_", [-(2**31), -(8 << 20)])
def test_below_the_dictionary(bytes_: int) -> None:
    """Less than the dictionary's beginning is no address that HERE may have."""
    vm = vm_of()
    before = vm.call("HERE")
    with pytest.raises(AddressError):
        vm.interpret(f"{bytes_} ALLOT")
    assert vm.call("HERE") == before


FLOODS = {
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
    "unterminated text": f'{"HERE 30000000 65 FILL"} HERE PAD "MOVE',
}


@pytest.mark.parametrize("name", FLOODS)
def test_no_flood_is_endless(name: str) -> None:
    """Whatever takes memory ends by an error: of address, of memory or of time."""
    vm = vm_of()
    with pytest.raises(ForthVMError):
        vm.interpret(FLOODS[name])
    assert vm.native.memory_size() <= 32 << 20
