"""Tests of machine code for constant divisors, constant addresses and deferred fuel accounting.

Expected results come from the interpreter and from arithmetic in Python.
"""

from __future__ import annotations

import random

import pytest

from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.vm.tiers import HAS_JIT, assert_tiers_agree

EDGES = (0, 1, -1, 2, -2, 2**31 - 1, -(2**31), -(2**31) + 1)
DIVISORS = (
    *(1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 25, 60, 64, 100, 125, 127, 255, 256, 625, 641, 1000),
    *(65535, 65536, 65537, 2**30, 2**30 + 1, 2**31 - 1, -2, -3, -7, -8, -641, -(2**30)),
    *(-(2**31) + 1, -(2**31)),
)


def quotient_and_remainder(a: int, b: int) -> tuple[int, int]:
    """Return the 32-bit quotient, truncated towards 0, and the remainder."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return (quotient + 2**31) % 2**32 - 2**31, a - quotient * b


def near_multiples(divisor: int, generator: random.Random) -> list[int]:
    """Return dividends next to multiples of a divisor, where quotients change."""
    size = abs(divisor)
    dividends: list[int] = []
    for _ in range(25):
        multiple = size * generator.randint(0, 2**31 // size)
        dividends += [sign * (multiple + offset) for sign in (1, -1) for offset in (-1, 0, 1)]
    return [dividend for dividend in dividends if -(2**31) <= dividend < 2**31]


@each_case("divisor", DIVISORS)
def test_division_by_a_constant(divisor: int) -> None:
    generator = random.Random(divisor)
    vm = VM(library="core", tier="eager")
    vm.interpret("VARIABLE r VARIABLE q VARIABLE q2 VARIABLE r2 : results r @ q @ q2 @ r2 @ ;")
    vm.interpret(
        ": all ( a -- r q q r ) 4 0 DO DUP N /MOD q ! r ! DUP N / q2 ! DUP N MOD r2 ! LOOP"
        " DROP results ; : warm 50 1 DO I all 2DROP 2DROP LOOP ; warm".replace("N", str(divisor))
    )
    assert not HAS_JIT or vm.native.compiled() >= 2
    for a in (*EDGES, *near_multiples(divisor, generator)):
        quotient, remainder = quotient_and_remainder(a, divisor)
        assert vm.call("all", a) == (remainder, quotient, quotient, remainder)


def test_store_to_a_cell_that_becomes_code_discards_code() -> None:
    """Machine code stores to the cell without a write barrier until code is compiled from it."""
    outcome = assert_tiers_agree(
        ": one 1 . ; : two 2 . ; : target one ; VARIABLE spot ' target CFA>PFA spot !",
        ": make spot @ COMPILE-LITERAL ; IMMEDIATE : put1 ['] one make ! ; : put2 ['] two make ! ;",
        ": hot 60 0 DO put1 put2 LOOP ; : last 60 0 DO put2 put1 LOOP ; hot last hot last hot",
        "target last target hot target put1 target hot target",
        ": both 60 0 DO put1 target put2 target LOOP ; both last target",
        compiled=3,
    )
    assert outcome.failures == []
    assert outcome.printed == "2 1 2 1 2 " + "1 2 " * 60 + "1 "


def test_memory_value_cache_is_invalidated_by_stores() -> None:
    outcome = assert_tiers_agree(
        "VARIABLE a VARIABLE b CREATE c 16 ALLOT VARIABLE p",
        ": fixed ( -- n ) 1 a ! a @ 2 a ! a @ + 3 a +! a @ + 7 a C! a @ + ;",
        ": by ( addr -- n ) 1 a ! a @ SWAP 9 OVER ! a @ ROT + SWAP DROP ;",
        ": round ( -- n ) 5 a ! 0 BEGIN a @ WHILE a @ + -1 p @ +! REPEAT ;",
        ": other ( -- n ) 5 a ! 0 BEGIN a @ 10 < WHILE a @ + 1 a +! a @ b ! REPEAT b @ + ;",
        "a p ! : many 50 0 DO fixed a by b by round other + + + + DROP LOOP ; many many",
        "fixed . a by . b by . round . other . c p ! fixed . a p ! round .",
        compiled=4,
    )
    assert outcome.failures == []
    # fixed: 1 + 2 + 5 + 7; by: 1 + 9 and 1 + 1; round: 5 + 4 + 3 + 2 + 1; other: 5 + … + 9 + 10.
    assert outcome.printed == "15 10 2 15 45 15 15 "


STEPS_OF_ALL_KINDS = (
    ": leaf 1+ ; : short leaf leaf leaf leaf leaf leaf ; : long short short short short short ;"
    " : longer long long short ; : turns 0 BEGIN DUP 200 < WHILE leaf leaf REPEAT ;"
    " : ways 0 30 0 DO I 3 AND IF short ELSE leaf I 1 AND IF leaf THEN THEN LOOP ;"
    " : deep DUP IF 1- DEPTH DROP RECURSE leaf THEN ; : all longer turns ways 9 deep ; "
)


@pytest.mark.sampled(21)
@pytest.mark.parametrize("first", range(0, 420, 20))
def test_step_limits_hold_at_every_step(first: int) -> None:
    for steps in range(first, first + 20):
        assert_tiers_agree(
            STEPS_OF_ALL_KINDS, "0 all DROP DROP DROP 0 all", steps=max(steps, 1), compiled=0
        )


RESTORES = 20
"""Number of restored snapshots.  The tests compile a loop before them and run it after each.

If a restore discarded machine code, there would be one compilation after each restore.  A few
compilations are allowed: profile samples decide when a word is compiled, and the times of samples
depend on all earlier steps of the VM.
"""


def test_machine_code_survives_restores_but_not_growing_memory() -> None:
    vm = VM(library="core", tier="eager", output=lambda _: None)
    vm.interpret(
        "CREATE table 400 ALLOT VARIABLE sum : fetch ( i -- n ) CELLS table + @ ;"
        " : go 0 sum ! 100 0 DO I fetch sum +! LOOP sum @ ; go go DROP DROP"
    )
    state = vm.snapshot()
    compiled = vm.native.compiled()
    for _ in range(RESTORES):
        vm.restore(state)
        assert vm.call("go") == (0,)
    assert vm.native.compiled() - compiled < RESTORES
    vm.interpret("VARIABLE far HERE far ! 30000000 ALLOT 5 far @ 29000000 + !")
    vm.interpret(": reach 0 100 0 DO far @ 29000000 + @ + LOOP ; reach reach")
    assert vm.call("reach") == (500,)
    vm.restore(state)
    assert vm.call("go") == (0,)


def test_code_that_reads_above_used_memory_survives_restores() -> None:
    vm = VM(library="core", tier="eager", output=lambda _: None)
    vm.interpret(": far 30 0 DO 600000 @ DROP LOOP ; far far")
    state = vm.snapshot()
    compiled = vm.native.compiled()
    for _ in range(RESTORES):
        vm.restore(state)
        vm.call("far")
    assert vm.native.compiled() - compiled < RESTORES
