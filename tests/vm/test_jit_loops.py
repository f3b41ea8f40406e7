"""Tests of optimizations in loops: index in a register, checks made once, flags without values.

Owns cases in which an assumption of these optimizations is false.  Operands and other control flow
have other files.
"""

from __future__ import annotations

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.vm.tiers import assert_tiers_agree, failure_report

HOT = ": RUN 0 4000 0 DO T + LOOP ;\nRUN ."
INDEX_WORDS = """
: peek ( -- index of the caller's loop ) R> R@ SWAP >R ;
: poke ( n -- ) R> R> ROT + >R >R ;
: doubled ( -- ) R> R> 2 * >R >R ;
: poke-j ( -- ) R> R> R> R> R> 1+ >R >R >R >R >R ;
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(": T 0 9 0 DO I + peek + I - LOOP ;", id="a callee reads the index"),
        pytest.param(": T 0 40 0 DO I + 2 poke I + LOOP ;", id="a callee changes the index"),
        pytest.param(
            ": T 0 60 1 DO I + I 7 AND 0= IF doubled ENDIF I + LOOP ;",
            id="a callee sometimes changes the index",
        ),
        pytest.param(
            ": T 0 9 0 DO I 3 = IF 3 poke ENDIF I + 3 0 DO J + I + LOOP peek + LOOP ;",
            id="the index is changed before and read after an inner loop",
        ),
        pytest.param(": T 0 20 0 DO R> 1+ >R I + LOOP ;", id="the index is popped and pushed"),
        pytest.param(
            ": T 0 9 0 DO I >R R@ I + R> + + I + LOOP ;", id="another cell above the index"
        ),
        pytest.param(
            ": T 0 9 0 DO I R> 2 + DUP >R + + I + LOOP ;", id="the index is changed after a copy"
        ),
        pytest.param(": T 0 9 0 DO I RP@ @ + + LOOP ;", id="the index is read by its address"),
        pytest.param(
            ": T 0 30 0 DO I + I 3 + RP@ ! I + LOOP ;", id="the index is stored by its address"
        ),
        pytest.param(": T 0 30 0 DO 12 RP@ 4 - ! I + LOOP ;", id="the limit is stored"),
        pytest.param(": T 0 9 0 DO I + I 4 = IF LEAVE ENDIF I + LOOP ;", id="LEAVE"),
        pytest.param(": T 0 9 0 DO I + I 4 = IF R> R> R> DROP 2DROP EXIT ENDIF LOOP ;", id="EXIT"),
        pytest.param(
            ": T 0 9 0 DO I 2 MOD IF I ELSE I I + ENDIF + peek 3 = IF 1 poke ENDIF LOOP ;",
            id="joins with and without the index in a register",
        ),
        pytest.param(
            ": T 0 5 0 DO I I I I I I I I I I + + + + + + + + + + LOOP ;",
            id="many copies of the index",
        ),
        pytest.param(
            ": T 0 5 0 DO I DUP 1+ 2DUP 2DUP 2DUP * + * - XOR + - I * I + + LOOP ;",
            id="more values than registers",
        ),
        pytest.param(
            ": T 0 3 0 DO 3 0 DO 3 0 DO I J + K + + LOOP J + I - LOOP I + LOOP ;", id="three loops"
        ),
        pytest.param(
            ": T 0 3 0 DO 4 0 DO J I = IF LEAVE ENDIF J I 3 * + + LOOP I 5 * + LOOP ;",
            id="two loops",
        ),
        pytest.param(
            ": T 0 7 3 DO 2 0 DO poke-j J + I + LOOP I + LOOP ;",
            id="a callee changes the outer index",
        ),
        pytest.param(
            ": T 0 5 0 DO BEGIN DUP 7 AND WHILE I - REPEAT I + 1+ LOOP ;", id="WHILE inside"
        ),
        pytest.param(": T 0 5 0 DO I BEGIN 1+ DUP 6 > UNTIL + LOOP ;", id="UNTIL inside"),
    ],
)
def test_loop_index_is_read_and_changed(text: str) -> None:
    outcome = assert_tiers_agree(INDEX_WORDS, *f"{text}\n{HOT}\nT . DEPTH .".splitlines())
    assert outcome.failures == []


@each_case("increment", ["1", "-1", "3", "-7", "2147483647", "-2147483648", "0"])
@each_case("constant", [True, False])
def test_loop_increments_of_all_sizes_near_the_limits(increment: str, *, constant: bool) -> None:
    step = increment if constant else "OVER"
    loop = f": t ( by start limit -- by n ) SWAP 0 ROT ROT DO I XOR 1+ {step} +LOOP ;"
    bounds = ["0 9", "9 0", "2147483640 2147483647", "-2147483640 -2147483648", "5 5",
              "2147483646 -2147483646", "-2147483646 2147483646"]  # fmt: skip
    calls = [f"{increment} {start_and_limit} t . ." for start_and_limit in bounds]
    assert_tiers_agree(loop, ": heat 99 0 DO 3 0 9 t 2DROP LOOP ; heat", *calls, steps=40_000)


LIMITED = """
VARIABLE v
: inner 3 0 DO I v +! LOOP ;
: far 4 0 DO I DUP * v +! 2 +LOOP ;
: back 0 4 DO I v @ + v ! -1 +LOOP ;
: deep 2 0 DO 2 0 DO I J + v +! LOOP I >R R@ v +! R> DROP LOOP ;
: work 0 BEGIN inner far 1+ DUP 2 = UNTIL DROP back deep
  4 0 DO I 2 AND IF v @ I + v ! ELSE I inner DROP ENDIF LOOP ;
"""


def call_with_limit(vm: VM, word: str, steps: int) -> tuple[object, ...]:
    """Call a word with a step limit; return the error report, steps, stack and memory."""
    vm.native.run_limits = (steps, 0.0)
    try:
        vm.call(word)
        report = "done"
    except ForthVMError as error:
        report = failure_report(error)
    used = vm.native.steps()
    vm.native.run_limits = (0, 0.0)
    return report, used, vm.stack, vm.snapshot().read(0, 1 << 26)


def test_step_budget_ends_in_any_iteration() -> None:
    vms = [VM(library="core", tier=tier) for tier in ("interpreter", "eager")]
    for vm in vms:
        vm.interpret(LIMITED, name="limited.4th")
        vm.interpret(": warm 20 0 DO work LOOP ; warm")
    states = [vm.snapshot() for vm in vms]
    reports = []
    for steps in range(1, 100):
        for vm, state in zip(vms, states, strict=True):
            vm.restore(state)
            vm.call("work")  # compiled again if restoring has discarded the code
            vm.native.clear_stack()
        interpreted, compiled = (call_with_limit(vm, "work", steps) for vm in vms)
        assert interpreted == compiled, steps
        reports.append(interpreted[0])
    assert "done" in reports
    assert len(set(reports)) > 10


@each_case(
    "text",
    [
        ": t 0 DO DROP LOOP ;",
        ": t 0 DO I 3 > IF DROP ENDIF LOOP ;",
        ": t 0 DO + DROP LOOP ;",
        ": t 0 DO I 1000 * 7 + 4 * @ DROP LOOP ;",
        ": t 0 DO 5 I 3 = IF 1 ELSE v ENDIF ! LOOP ;",
        ": t 0 DO 5 I 5 = IF 0 ELSE v ENDIF C! LOOP ;",
        ": t 0 DO 8 4 I - / DROP LOOP ;",
        ": t 0 DO I I DUP 6 = IF EXIT ENDIF 2DROP LOOP ;",
        ": t 0 DO I 4 = IF R> R> 2DROP ENDIF LOOP ;",
        ": t 0 DO I 2 * >R LOOP ;",
        ": t 0 DO I RP@ 8 - I + ! LOOP ;",
    ],
)
def test_failures_in_a_later_iteration(text: str) -> None:
    outcome = assert_tiers_agree(
        "VARIABLE v\n" + text,
        ": warm 30 0 DO 1 2 3 4 2 t LOOP ;\nwarm",
        "1 2 3 9 t",
        ": call 1 9 t 2 ;\ncall",
        "1 2 3 4 5 6 7 8 9 4000 t",
        steps=200_000,
    )
    assert outcome.failures != []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("iteration", [0, 1, 2, 5])
def test_store_into_the_running_loop(iteration: int) -> None:
    text = (
        f": T 0 7 0 DO I + I {iteration} = IF ['] T 4 + DUP @ SWAP ! ENDIF I + LOOP ;\n"
        ": change 99 ['] T 8 + ! ;\n: U 0 7 0 DO I + I 3 = IF change ENDIF I + LOOP ;\n"
        ": go 400 0 DO T DROP U DROP LOOP T U . . ;\ngo\ngo"
    )
    assert_tiers_agree(*text.splitlines())


ADDRESSES = """
: cells-at DUP @ OVER 4 + @ + OVER @ + SWAP 4 + @ - ;
: byte-first DUP C@ OVER @ + SWAP C@ + ;
: cell-first DUP @ OVER C@ + SWAP @ + ;
: offset DUP 64 + @ OVER 64 + @ XOR OVER @ + SWAP 64 + C@ + ;
: moved DUP @ SWAP 4 + DUP @ SWAP 8 - DUP @ SWAP @ + + + ;
: stored DUP 5 SWAP ! DUP @ SWAP DUP 1 SWAP +! @ + ;
: byte-stored 1 OVER C! DUP C@ SWAP @ + ;
: in-turns 0 SWAP 3 0 DO DUP @ ROT + SWAP DUP 1 SWAP +! 4 + LOOP DROP ;
"""
WORDS = [
    "cells-at",
    "byte-first",
    "cell-first",
    "offset",
    "moved",
    "stored",
    "byte-stored",
    "in-turns",
]


def addresses(vm: VM) -> list[int]:
    """Return addresses near the bounds of the image, of used memory and of words."""
    size, here = vm.native.memory_size(), vm.native.here()
    offsets = (-12, -9, -8, -7, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8)
    stacks = (0x70000000, 0x70004000)  # addresses of the return stack and the parameter stack
    bounds = [0, 64, size, here, here + 5000, -64, 2**31 - 1, -(2**31), *stacks]
    return [bound + offset for bound in bounds for offset in offsets]


@pytest.mark.sampled(13)
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("unaligned", [0, 1, 2])
def test_reads_and_stores_at_every_bound(word: str, unaligned: int) -> None:
    vm = VM(library="core", tier="interpreter")
    vm.interpret(ADDRESSES)
    signed = [((address + 2**31) % 2**32) - 2**31 for address in addresses(vm)]
    calls = [f"{address} {word} . DEPTH ." for address in signed]
    assert_tiers_agree(
        ADDRESSES + f"CREATE data 400 ALLOT {unaligned} ALLOT\n",
        f": heat 200 0 DO data 80 + {word} DROP LOOP ; heat heat",
        *calls,
        f"data {word} .",
        f"' {word} 8 + {word} .",
    )


def test_branches_use_flags_of_logical_operations() -> None:
    text = """
: ands AND IF 1 ELSE 2 ENDIF ;
: ors OR 0= IF 1 ELSE 2 ENDIF ;
: xors XOR 0< IF 1 ELSE 2 ENDIF ;
: above AND 0> IF 1 ELSE 2 ENDIF ;
: unchanged 2DUP AND DUP IF + ELSE DROP ENDIF + ;
: joined 2DUP AND BEGIN WHILE SWAP 1- SWAP OVER 3 AND REPEAT + ;
: chosen DUP IF OVER 4 AND ELSE 5 ENDIF BEGIN IF 1 ELSE 2 ENDIF DUP 1 = UNTIL + + ;
: between 2DUP OR SWAP 1+ SWAP IF 7 ELSE 8 ENDIF + + ;
: range DUP 0 < OVER 63 > OR IF DROP -1 ENDIF + ;
"""
    words = ["ands", "ors", "xors", "above", "unchanged", "between", "range"]
    numbers = (0, 1, -1, 4, 63, 64, 2**31 - 1, -(2**31))
    calls = [f"{a} {b} {word} ." for word in words for a in numbers for b in numbers]
    calls += [f"{a} {b} joined ." for a in range(5) for b in (0, 1, 5, -1)]
    heat = " ".join(f"1 2 {word} DROP" for word in [*words, "joined"])
    outcome = assert_tiers_agree(
        text, f": heat 300 0 DO {heat} LOOP ; heat", *calls, ": x 1 0 range ; x ."
    )
    assert outcome.failures == []


@pytest.mark.slow
def test_jump_threading_of_flags() -> None:
    text = """
VARIABLE v
: a? DUP 3 > IF DROP TRUE ELSE 1 = IF FALSE ELSE 5 ENDIF ENDIF ;
: b? DUP 7 AND IF 2 > ELSE DROP 0 ENDIF ;
: c? DUP a? IF b? ELSE DROP v @ ENDIF ;
: d? DUP 0< IF DROP 0 ELSE 8 < ENDIF ;
: e? c? IF TRUE ELSE FALSE ENDIF ;
: f? DUP IF 1 v +! 4 AND ELSE 1- ENDIF ;
: ifs ( n -- m ) DUP a? IF 1 ELSE 2 ENDIF OVER b? IF 10 ELSE 20 ENDIF + OVER c? IF 100 + ENDIF
  OVER e? IF 1000 + ENDIF OVER f? IF 7 + ENDIF SWAP d? IF 3 ELSE 4 ENDIF + ;
: whiles ( n -- m ) 0 SWAP BEGIN DUP d? WHILE DUP a? IF 1+ ENDIF 1+ SWAP 1+ SWAP REPEAT + ;
: untils ( n -- m ) BEGIN 1+ DUP a? IF DUP b? ELSE FALSE ENDIF UNTIL ;
: both ( n -- m ) DUP a? OVER d? AND IF DUP b? ELSE TRUE ENDIF IF 2 * ELSE 3 + ENDIF ;
: many ( n -- m ) 0 SWAP DUP 1 AND IF TRUE ELSE DUP 2 AND ENDIF
  IF SWAP 1+ SWAP TRUE ELSE FALSE ENDIF
  IF DUP 4 < IF TRUE ELSE FALSE ENDIF ELSE DUP 9 > ENDIF IF + ELSE - ENDIF ;
: less ( n -- ) DUP a? IF DROP TRUE ELSE DROP DROP FALSE ENDIF IF 1 ENDIF ;
: all ( n -- m ) DUP ifs OVER whiles + OVER untils + OVER both + SWAP many + ;
"""
    numbers = (-9, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 100)
    words = ("ifs", "whiles", "untils", "both", "many", "less", "all")
    calls = [f"{n} {word} . DEPTH ." for word in words for n in numbers]
    assert_tiers_agree(text, ": heat 300 0 DO I 15 AND all DROP LOOP ; heat", *calls, "v @ .")
    for steps in range(2000, 2060):
        assert_tiers_agree(text, ": heat 90 0 DO I 15 AND all DROP LOOP ; heat", steps=steps)


# A cell at 62 begins below 64, the lowest valid address.
@each_case("bad", [-4, 0, 62, 2**31 - 4, 1 << 29])
def test_invalid_address_after_valid_ones(bad: int) -> None:
    outcome = assert_tiers_agree(
        "VARIABLE p VARIABLE q p q !\n"
        ": chain @ @ ;\n: bytes @ C@ ;\n: far DUP @ SWAP 4 + @ 4 - 4 + @ + ;\n",
        ": heat p p ! 99 0 DO q chain DROP q bytes DROP LOOP ; heat heat",
        f"{bad} p !",
        "p chain .",
        "p bytes .",
        "p 4 - far .",
    )
    assert len(outcome.failures) >= 2
