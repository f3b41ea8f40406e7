"""Tests that machine code remains correct when scripts or hosts change its assumptions.

Owns changes of code, constants, tokens, memory and tracing.  Operands and control flow have other
files.
"""

from __future__ import annotations

import contextlib
import threading

import pytest

from forthvm import debug
from forthvm.core.bindings.trace import Trace
from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM
from tests.repeated_calls import called_repeatedly
from tests.vm.tiers import HAS_JIT, TIERS, Outcome, assert_tiers_agree, run

CHANGES = 40
"""More than the compilations that may follow when a new profile sample finds a hot word."""


def assert_no_failures(*texts: str, compiled: int = 2) -> Outcome:
    """Return the common outcome of all tiers; assert that it contains no failures."""
    outcome = assert_tiers_agree(*texts, compiled=compiled)
    assert outcome.failures == []
    return outcome


def test_deferred_words_change_while_hot() -> None:
    outcome = assert_no_failures(
        ": a 1 ; : b 2 ; : c 3 4 + ; DEFER d ' a IS d : sum 0 20 0 DO d + LOOP ;",
        ": go 9 0 DO sum . LOOP ['] b IS d sum . ['] c IS d sum . ; go go",
        ": flip 300 0 DO I 1 AND IF ['] a IS d ELSE ['] b IS d ENDIF d DROP LOOP ;",
        "flip ' a IS d sum . : loop2 30 0 DO d . I 14 = IF ['] c IS d ENDIF LOOP ; loop2",
    )
    # Sums of 20 results: 1 from a, 2 from b, 7 from c.
    assert outcome.printed.startswith("20 " * 9 + "40 140 140 140 ")


def test_constants_and_does_words_change() -> None:
    outcome = assert_no_failures(
        "5 CONSTANT k : maker <BUILDS , DOES> @ ; 6 maker m : both k 100 * m + ;",
        ": put ['] k CFA>PFA ! ; : set ['] m CFA>PFA ! ;",
        ": go 30 0 DO both DROP LOOP both . 7 put both . 8 set both . ; go",
        ": hot 0 40 0 DO I put I set both + LOOP . ; hot 1 put 2 set both .",
        "9 ' k CFA>PFA ! both . 10 ' m CFA>PFA ! both .",
    )
    assert outcome.printed.startswith("506 706 708 ")
    assert outcome.printed.endswith("102 902 910 ")


def test_stores_to_a_constant_or_deferred_word_discard_code_at_most_once() -> None:
    vm = VM(library="core", tier="eager", output=lambda _: None)
    vm.interpret(
        "5 CONSTANT k : put ['] k CFA>PFA ! ; : a 1 ; : b 2 ; DEFER d ' a IS d"
        " : set IF ['] a ELSE ['] b ENDIF IS d ; : sum 0 30 0 DO k d * + LOOP ;"
    )
    for k in range(3):
        for action in (1, 0):
            vm.interpret(f"{k} put {action} set")
            assert vm.call("sum") == (30 * k * (2 - action),)
    compiled = vm.native.compiled()
    for k in range(CHANGES):
        vm.call("put", k)
        vm.call("set", k % 2)
        assert vm.call("sum") == (30 * k * (2 - k % 2),)
    assert vm.native.compiled() - compiled < CHANGES


def test_constants_change_when_a_snapshot_is_restored() -> None:
    vm = VM(library="core", tier="eager", output=lambda _: None)
    vm.interpret("5 CONSTANT k : put ['] k CFA>PFA ! ; : sum 0 30 0 DO k + LOOP ;")
    state = vm.snapshot()
    assert vm.call("sum") == (150,)
    assert vm.call("sum") == (150,)
    vm.call("put", 7)
    assert vm.call("sum") == (210,)
    vm.restore(state)
    assert vm.call("sum") == (150,)


SEEK = ": seek ( cell addr -- addr' ) BEGIN 2DUP @ = 0= WHILE 4 + REPEAT SWAP DROP ; "
"""Defines a word that returns the address of the first cell with that value, from addr on."""
CODE = "VARIABLE at : lit 5 ; ' lit CFA>PFA 4 + at ! : use 30 0 DO lit DROP LOOP lit ; "
"""Defines `lit`, whose number is stored at the address in `at`, and `use`, which makes it hot."""


def test_definitions_overwrite_their_own_code_and_other_code() -> None:
    outcome = assert_no_failures(
        SEEK + CODE + "use . 6 at @ ! use . : other 7 at @ ! lit . 8 at @ ! lit ; other . use .",
        ": hot 60 0 DO I at @ ! lit . LOOP ; hot",
        ": bytes 60 0 DO I at @ C! lit . LOOP ; bytes : add 20 0 DO 1 at @ +! lit . LOOP ; add",
        "VARIABLE op : two 20 4 + ; ' + ' two CFA>PFA seek op !",
        ": try 30 0 DO two DROP LOOP two . ;",
        "try ' - op @ ! try ' * op @ ! try : swapped ['] - op @ ! two . ['] + op @ ! two . ;",
        "swapped swapped : all 40 0 DO ['] + op @ ! two . ['] * op @ ! two . LOOP ; all",
        "VARIABLE mine : own DUP mine @ ! 111 ; 111 ' own CFA>PFA seek mine !",
        ": loop1 40 0 DO I own . DROP LOOP ; loop1",
        "CREATE spare 4 ALLOT : copy ['] lit CFA>PFA spare 1 MOVE 3 at @ ! lit . ; copy",
    )
    assert outcome.printed.startswith("5 6 7 8 8 ")


@pytest.mark.parametrize("tier", TIERS)
def test_blocks_of_text_and_code_are_replaced(tier: str) -> None:
    """MOVE replaces each possible block of a definition whose code follows a text.

    Cells of the text have no marks, so a block may begin with many such cells.
    """
    vm = VM(library="core", tier=tier, output=lambda _: None)
    for name, number in (("sum", 1), ("ones", 1), ("twos", 2)):
        vm.interpret(f': {name} S" {48 * "-"}" DROP 0 {f"{number} + " * 4};')
    vm.interpret(
        ": code ( 'word first -- addr ) CELLS SWAP CFA>PFA + ;"
        " : replace ( first n -- ) >R DUP ['] twos SWAP code SWAP ['] sum SWAP code R> MOVE ;"
        " : restore ( -- ) ['] ones 0 code ['] sum 0 code 28 MOVE ;"
        " : differ? ( cell -- ? ) DUP ['] ones SWAP code @ SWAP ['] twos SWAP code @ = NOT ;"
    )
    numbers = [cell for cell in range(28) if vm.call("differ?", cell)[0]]
    assert len(numbers) == 4
    for first in range(28):
        for size in range(1, 29 - first):
            assert vm.call("sum") == (4,)
            vm.call("replace", first, size)
            replaced = sum(first <= cell < first + size for cell in numbers)
            assert vm.call("sum") == (4 + replaced,), (first, size)
            vm.call("restore")


def test_definition_that_changes_its_own_code_continues_correctly() -> None:
    outcome = assert_no_failures(
        SEEK + "VARIABLE t : turn 20 0 DO I 9 = IF ['] 1- t @ ! ENDIF I 1+ . LOOP ;",
        "' 1+ ' turn CFA>PFA seek t ! : back ['] 1+ t @ ! ; : go 9 0 DO back turn LOOP ; go",
    )
    assert outcome.printed.startswith("1 2 3 4 5 6 7 8 9 8 9 10 ")


def test_forgotten_words_are_redefined_at_the_same_address() -> None:
    texts = [": base 1 ; : warm 40 0 DO base DROP LOOP ; warm"]
    for n in range(12):
        texts.append(f": x {n} + ; : y base x x ; : z 30 0 DO I y DROP LOOP 5 y . ; z z FORGET x")
        texts.append(f": x DUP {n} * ; : z 30 0 DO I x 2DROP LOOP 5 x . . ; z FORGET x warm")
    outcome = assert_tiers_agree(*texts, compiled=20)
    assert outcome.failures == []


def test_comma_overwrites_code_that_has_just_run() -> None:
    assert_no_failures(
        "VARIABLE from HERE from ! ",
        ": make from @ DP ! ['] LIT , , ['] (;) , ; : start from @ 4 - ;",
        "VARIABLE save HERE save ! : run 0 , ; HERE 64 + from !",
        "CREATE code 256 ALLOT code 64 + from ! ' run @ code 60 + !",
        ": try HERE >R 9 make R> DP ! 30 0 DO start EXECUTE DROP LOOP start EXECUTE . ; try",
        ": again 40 0 DO HERE I make DP ! start EXECUTE . LOOP ; again",
        compiled=1,
    )


def test_inline_texts_and_compiling_words() -> None:
    outcome = assert_tiers_agree(
        ': say ." hello " S" some text" TYPE ; : none S" x" TYPE ;',
        ': check DUP 7 > ABORT" too much" ;',
        ": go 20 0 DO say none I 5 MOD check DROP LOOP ; go",
        ": bad 20 0 DO I check DROP LOOP ; bad bad",
        ": adder COMPILE + COMPILE 1+ ; IMMEDIATE : lit3 3 COMPILE-LITERAL ; IMMEDIATE",
        ": many 60 0 DO [ lit3 lit3 ] adder . LOOP ;",
        ": w 5 lit3 adder ; 40 0 : z DO w . LOOP ; z",
        ": gen HERE 20 0 DO COMPILE DUP 5 COMPILE-LITERAL LOOP HERE SWAP - . ; gen gen",
        compiled=3,
    )
    assert sum("too much" in failed for failed in outcome.failures) == 1
    assert "hello some text" in outcome.printed


def test_stack_cells_are_written_by_their_addresses() -> None:
    assert_tiers_agree(
        ": sp 1 2 3 99 SP@ 4 - ! ROT . . . ; : rp 5 >R 77 RP@ ! R> . ;",
        ": deep 1 2 3 SP@ 8 - @ . 4 SP@ @ . 2DROP 2DROP ; : ret RP@ @ . ;",
        ": call 20 0 DO sp rp deep ret I . LOOP ; call call",
        ": loops 10 0 DO I . I 4 = IF 8 RP@ ! ENDIF LOOP ; : go 9 0 DO loops LOOP ; go",
        ": limit 10 0 DO I . I 4 = IF 6 RP@ 4 - ! ENDIF LOOP ; : g2 9 0 DO limit LOOP ; g2",
        "VARIABLE to : away 1 . to @ RP@ ! 2 . ; : land 3 . ; ' land CFA>PFA to !",
        ": jump 12 0 DO ret LOOP away 4 . ; jump jump : j2 30 0 DO away LOOP ; j2",
        ": byte 257 0 SP@ 4 - C! . ; : g3 20 0 DO byte LOOP ; g3",
        steps=50_000,
        compiled=5,
    )


@pytest.mark.slow
def test_snapshots_are_restored_between_and_during_runs() -> None:
    def host(vm: VM) -> None:
        saved = [vm.snapshot()]
        vm.word("restore")(lambda: vm.restore(saved[0]))
        vm.word("keep")(lambda: saved.__setitem__(0, vm.snapshot()))

    def far(vm: VM) -> None:
        low = vm.snapshot()
        vm.interpret(
            f"HERE {24 << 20} ALLOT 5 HERE 4 - ! : f HERE 4 - @ ; : g 30 0 DO f DROP LOOP ; g f ."
        )
        vm.restore(low)
        with contextlib.suppress(ForthVMError):
            vm.interpret(f": f HERE {20 << 20} + @ ; : g 30 0 DO f DROP LOOP ; g f .")
        vm.interpret("sum .")

    def back_and_forth(vm: VM) -> None:
        before = vm.snapshot()
        vm.interpret(
            "' b IS d 9 n ! sum . : late n @ 1+ ; : many 20 0 DO late DROP LOOP late . ; many"
        )
        after = vm.snapshot()
        for state in (before, after, before, after):
            vm.restore(state)
            vm.interpret("sum . sum .")
        vm.interpret("many")
        vm.restore(before)
        vm.interpret(": other n @ 2 + ; : many 20 0 DO other DROP LOOP other . ; many sum .")

    outcome = assert_tiers_agree(
        "VARIABLE n : a 1 ; : b 2 n @ + ; DEFER d ' a IS d : sum 0 30 0 DO d + LOOP ; sum .",
        back_and_forth,
        host,
        ": inside 40 0 DO I n ! I 20 = IF keep ENDIF n @ . LOOP n @ . ;",
        "keep inside",
        "sum .",
        ": undo 30 0 DO I n +! LOOP n @ . restore n @ . sum . ; undo undo",
        far,
        compiled=6,
    )
    assert outcome.printed.startswith("30 330 10 ")  # 30 times 1, 30 times 2 + 9, 9 + 1


def test_host_words_are_called_by_hot_code() -> None:
    notes: list[int] = []

    def host(vm: VM) -> None:
        notes.clear()

        @vm.word("note", effect="( n -- )")
        def note(n: int) -> None:
            notes.append(n)

        @vm.word("again", effect="( n -- m )")
        def again(n: int) -> int:
            return vm.call("leaf", n)[0]

        @vm.word("change", effect="( n -- )")
        def change(n: int) -> None:
            vm.memory[vm.call("at")[0] : vm.call("at")[0] + 4] = n.to_bytes(4, "little")

        @vm.word("define", effect="( n -- )")
        def define(n: int) -> None:
            vm.interpret(f": new {n} ; ' new IS d")

        @vm.word("fail", effect="( n -- )")
        def fail(n: int) -> None:
            if n == 17:
                raise ForthVMError("not 17")

    outcome = assert_tiers_agree(
        "DEFER d : lit 5 ; : at ['] lit CFA>PFA 4 + ; : leaf 2 * 1+ ; ' lit IS d",
        host,
        ": go 30 0 DO I note I again . I change lit . d . LOOP ; go",
        ": bad 30 0 DO I fail I . LOOP ; : outer bad 1 ; outer",
        "outer",
        ": def 20 0 DO d . I 9 = IF 1234 define ENDIF LOOP ; def d .",
        compiled=3,
    )
    assert len(outcome.failures) == 2
    assert notes == list(range(30))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tier", TIERS)
def test_interrupt_and_time_limit_end_an_endless_loop(tier: str) -> None:
    vm = VM(library="core", tier=tier, output=lambda _: None)
    vm.interpret(
        "VARIABLE n : leaf 1 n +! ; : spin BEGIN leaf FALSE UNTIL ; : empty BEGIN FALSE UNTIL ;"
    )
    for word in ("spin", "empty", "spin"):
        interrupts = called_repeatedly(vm.interrupt)
        with pytest.raises(ForthVMError, match="interrupt"), interrupts:
            vm.call(word)
        assert vm.stack == ()
    vm.native.run_limits = (0, 0.02)
    for word in ("spin", "empty"):
        with pytest.raises(ForthVMError, match="time"):
            vm.call(word)
    if tier != "interpreter" and HAS_JIT:
        assert vm.native.compiled() >= 2


def test_tracing_switches_to_the_interpreter_and_back() -> None:
    text = ": sq DUP * ; VARIABLE t : sums 300 0 DO I sq t +! LOOP t @ . ; sums"
    outcomes = []
    for tier in TIERS:
        printed: list[str] = []
        vm = VM(library="core", tier=tier, output=printed.append)
        vm.interpret(text, name="sums.4th")
        trace = Trace(vm.native, lambda _: None)
        trace.count(on=True)
        vm.call("sums")
        counts = dict(trace.counts())
        before = vm.native.compiled()
        trace.close()
        vm.call("sums")
        outcomes.append((counts, "".join(printed), vm.native.steps()))
        assert vm.native.compiled() >= before
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert max(outcomes[0][0].values()) >= 300


@pytest.mark.parametrize("tier", TIERS)
def test_debugger_stops_at_every_token(tier: str) -> None:
    vm = VM(library="core", tier=tier, output=lambda _: None)
    vm.interpret(": sq DUP * ;\n: sums 40 0 DO I sq DROP LOOP ;\n sums sums", name="sums.4th")
    assert tier != "eager" or not HAS_JIT or vm.native.compiled() > 0
    with debug.Session(debug.word_target(vm, "sums")) as session:
        tokens = [session.step().token for _ in range(12)]
    assert tokens == ["40", "0", "DO", "I", "sq", "DUP", "*", ";", "DROP", "LOOP", "I", "sq"]


def test_vms_in_threads_are_independent() -> None:
    text = [
        ": leaf DUP 3 MOD + ; : hot 0 3000 0 DO I leaf + LOOP ; : go 20 0 DO hot . LOOP ; go go"
    ]
    expected = run(text, "interpreter").observable()
    outcomes: list[object] = []

    def work(tier: str) -> None:
        outcomes.extend(run(text, tier).observable() for _ in range(2))

    threads = [threading.Thread(target=work, args=(TIERS[1 + n % 2],)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [expected] * 24  # two runs in each thread
