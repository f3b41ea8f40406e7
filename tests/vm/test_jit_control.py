"""Tests that all execution tiers agree on jumps, loops, calls, limits and their errors.

Owns control flow.  Operands and changes of code have other files.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.vm.tiers import HAS_JIT, HOT_ITERATIONS, assert_tiers_agree, failure_report, run

BRANCHES = """
: sign DUP 0< IF DROP -1 ELSE 0> IF 1 ELSE 0 ENDIF ENDIF ;
: nest DUP 3 > IF DUP 7 < IF DUP 5 = IF 50 ELSE 40 ENDIF ELSE 70 ENDIF ELSE 0 ENDIF + ;
: exits DUP 2 < IF DROP 1 EXIT ENDIF DUP 5 < IF 2 EXIT ENDIF DUP 8 < IF 3 4 EXIT ENDIF DROP 9 ;
: always TRUE IF 1 ELSE 2 ENDIF FALSE IF 3 ELSE 4 ENDIF ;
: until 0 BEGIN 1+ DUP 5 > UNTIL ;
: while 0 BEGIN DUP 7 < WHILE 2 + REPEAT ;
: gcd BEGIN DUP WHILE SWAP OVER MOD REPEAT DROP ;
: show 12 -3 DO I sign . I nest . LOOP 10 0 DO I exits . LOOP always . . until . while . ;
: hot 0 60 1 DO I 36 gcd + LOOP . ;
"""
LOOPS = """
: up 5 0 DO I . LOOP ; : by 20 0 DO I . 6 +LOOP ; : down 0 10 DO I . -3 +LOOP ;
: once 0 5 DO I . LOOP ; : bydata 30 0 DO I . DUP +LOOP DROP ;
: top 2147483647 2147483640 DO I . 3 +LOOP ; : low -2147483648 -2147483640 DO I . -3 +LOOP ;
: wrap -2147483646 2147483645 DO I . LOOP ;
: quit 10 0 DO I . I 4 = IF LEAVE ENDIF I 100 + . LOOP ;
: three 3 0 DO 2 0 DO 2 0 DO I J K 100 * SWAP 10 * + + . LOOP LOOP LOOP ;
: index 4 0 DO I >R R@ R> + . LOOP ; : both 3 0 DO 3 0 DO J I > IF LEAVE ENDIF I . LOOP LOOP ;
: show up by down once 7 bydata -2 bydata top low wrap quit three index both ;
"""


def test_branches_and_words_with_several_exits() -> None:
    outcome = assert_tiers_agree(
        BRANCHES, ": go 12 0 DO show LOOP ; go", ": heat 3000 0 DO hot LOOP ; heat", compiled=5
    )
    assert outcome.failures == []


def test_loops_with_steps_of_all_kinds() -> None:
    outcome = assert_tiers_agree(LOOPS, ": go 9 0 DO show LOOP ; go", steps=200_000, compiled=5)
    assert "0 1 2 3 4 " in outcome.printed


def test_exit_inside_a_loop_is_an_error() -> None:
    outcome = assert_tiers_agree(
        ": bad 5 0 DO I 3 = IF EXIT ENDIF LOOP ;",
        ": fine 5 0 DO I DROP LOOP ; : go 40 0 DO fine LOOP bad ; : outer go 1 ;",
        "outer",
        "outer",
    )
    assert len(outcome.failures) == 2


@pytest.mark.parametrize("depth", [None, 100, 37])
def test_recursion_ends_at_the_same_depth(depth: int | None) -> None:
    outcome = assert_tiers_agree(
        "VARIABLE deepest VARIABLE n\n: down 1 deepest +! RECURSE ;\n"
        ": down1 1 deepest +! RECURSE 1 ;\n"
        ": fib DUP 2 < IF DROP 1 ELSE DUP 1- RECURSE SWAP 2 - RECURSE + ENDIF ;\n"
        "DEFER other : even DUP IF 1- other ELSE DROP TRUE ENDIF ;\n"
        ": odd DUP IF 1- even ELSE DROP FALSE ENDIF ; ' odd IS other\n"
        ": looped 2 0 DO I deepest +! RECURSE LOOP ;\n"
        ": saves DUP >R 1+ RECURSE R> ;",
        *["down", "down1", "12 fib .", "20 even . 21 even .", "100000 even .", "looped", "0 saves"]
        * 3,
        depth=depth,
        compiled=4,
    )
    assert len(outcome.failures) >= 12


RECURSIVE = """
VARIABLE v  VARIABLE w
: fib DUP 2 < IF DROP 1 ELSE DUP 1 - RECURSE SWAP 2 - RECURSE + ENDIF ;
: tak 2 PICK 2 PICK > NOT IF SWAP DROP SWAP DROP ELSE
  2 PICK 1- 2 PICK 2 PICK RECURSE  2 PICK 1- 2 PICK 5 PICK RECURSE  2 PICK 1- 5 PICK 5 PICK RECURSE
  RECURSE SWAP DROP SWAP DROP SWAP DROP ENDIF ;
: ack OVER 0= IF SWAP DROP 1+ ELSE DUP 0= IF DROP 1- 1 RECURSE ELSE
  OVER 1- ROT ROT 1- RECURSE RECURSE ENDIF ENDIF ;
: counts 1 v +! DUP IF 1- RECURSE 1 w +! ELSE DROP ENDIF ;
: fails DUP IF 1- DUP RECURSE 1+ SWAP / ELSE DROP 7 ENDIF ;
: leaves DUP 4 = IF DROP R> DROP 40 EXIT ENDIF DUP IF 1- RECURSE 1+ ELSE DROP 50 ENDIF ;
: uneven DUP IF 1- RECURSE 1 ELSE DROP ENDIF ;
"""


def run_go_with(steps: int) -> Callable[[VM], object]:
    """Return a function that runs `go` with a limit of `steps` steps."""

    def go(vm: VM) -> None:
        vm.native.run_limits = (steps, 0.0)
        try:
            vm.interpret("go")
        finally:
            vm.native.run_limits = (0, 0.0)

    return go


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "call",
    [
        "8 fib",
        "6 4 2 tak",
        "2 2 ack",
        "20 counts",
        "5 fails",
        "9 leaves",
        "3 leaves",
        "7 uneven",
    ],
)
def test_limits_end_inlined_recursion_at_every_step_and_depth(call: str) -> None:
    warm = f": go {call} ;\n: warm 30 0 DO go DEPTH 0 DO DROP LOOP LOOP ;\nwarm"
    outcome = assert_tiers_agree(RECURSIVE, warm, *[run_go_with(steps) for steps in range(1, 120)])
    assert len(outcome.failures) >= 5
    for depth in range(8, 40, 3):
        assert_tiers_agree(RECURSIVE, "3 fib", warm, "go", "1 go", "go v @ w @", depth=depth)


@pytest.mark.slow
def test_stacks_that_grow_in_every_iteration() -> None:
    outcome = assert_tiers_agree(
        ": more BEGIN DUP FALSE UNTIL ; : two BEGIN 1 2 FALSE UNTIL ; "
        ": less BEGIN DROP FALSE UNTIL ; : pair BEGIN 2DUP FALSE UNTIL ; "
        ": rmore BEGIN 1 >R FALSE UNTIL ; : rless BEGIN R> DROP FALSE UNTIL ; "
        ": called BEGIN 7 FALSE UNTIL ; ",
        *["1 more", "two", "less", "1 2 pair", "rmore", "rless", "called"] * 2,
        steps=30_000,
        compiled=3,
    )
    assert len(outcome.failures) >= 12


def test_stack_effects_that_depend_on_data() -> None:
    outcome = assert_tiers_agree(
        "VARIABLE n : maybe DUP 1 AND IF DUP ENDIF ;"
        " : ?keep DUP IF 1 SWAP ELSE DROP ENDIF ; : many BEGIN DUP WHILE DUP 1- REPEAT ;"
        " : clear BEGIN DEPTH WHILE DROP REPEAT ; : sum BEGIN DEPTH 1 > WHILE + REPEAT ;"
        " : test 30 0 DO I maybe I ?keep DEPTH . clear LOOP 20 0 DO I many sum . clear LOOP ;",
        ": go 10 0 DO test LOOP ; go",
        "1 2 3 maybe ?keep",
        compiled=4,
    )
    assert outcome.failures == []


NESTED = """VARIABLE bad
: f1 bad @ @ DROP ;
: f2 f1 ;
: f3 1 f2 DROP ;
: f4 f3 ;
: f5 2 3 f4 2DROP ;
: f6 f5 ;
: f7 f6 ;
: f8 HERE bad ! 25 0 DO f7 LOOP -4 bad ! f7 1 ;
"""


@each_case(
    "failing_code",
    ["bad @ @ DROP", "1 bad @ !", "1 bad @ 0< IF 0 ENDIF / DROP", "bad @ 0< IF 5 EXECUTE ENDIF",
     'bad @ 0< ABORT" so deep"', "bad @ 0< IF DROP DROP DROP DROP DROP DROP ENDIF",
     "bad @ 0< IF ABORT ENDIF", "bad @ 0< IF BEGIN FALSE UNTIL ENDIF",
     "bad @ 0< IF R> R> R> 2DROP DROP ENDIF"],
)  # fmt: skip
@each_case("checked", [False, True])
def test_failures_inside_inlined_calls(failing_code: str, *, checked: bool) -> None:
    text = NESTED.replace("bad @ @ DROP", failing_code)
    outcome = assert_tiers_agree(
        text, "f8", "f8", "9 8 f8", ": g f8 ;\ng", steps=3000, checked=checked
    )
    assert len(outcome.failures) == 4 or "R>" in failing_code


def test_step_budget_ends_at_the_same_step_in_all_tiers() -> None:
    text = (
        "VARIABLE v DEFER d : leaf 1 v +! ; ' leaf IS d : two leaf d ;"
        " : work 0 BEGIN two 1 >R R> DROP 6 0 DO I v +! I 3 = IF LEAVE ENDIF LOOP"
        " ['] two EXECUTE 1+ DUP 9 = UNTIL DROP HERE 256 ERASE two ;"
    )
    vms = [
        VM(library="core", output=lambda _: None, tier=tier) for tier in ("interpreter", "eager")
    ]
    states = []
    for vm in vms:
        vm.interpret(text, name="text.4th")
        vm.interpret(": warm 20 0 DO work LOOP ; warm")
        states.append(vm.snapshot())
    stopped = 0
    for steps in range(1, 201):
        outcomes = []
        for vm, state in zip(vms, states, strict=True):
            vm.restore(state)
            vm.call("work")  # compiled again if restoring has discarded the code
            vm.native.run_limits = (steps, 0.0)
            report = run_work(vm)
            vm.native.run_limits = (0, 0.0)
            memory = vm.snapshot().read(0, 1 << 26)
            outcomes.append((report, vm.native.steps(), vm.stack, memory))
        assert outcomes[0] == outcomes[1], steps
        stopped += "StepLimit" in outcomes[0][0]
    assert stopped > 50
    assert not HAS_JIT or vms[1].native.compiled() > 3


def run_work(vm: VM) -> str:
    """Call `work` and return its error report, or "done"."""
    try:
        vm.call("work")
    except ForthVMError as error:
        return failure_report(error)
    return "done"


FLAGS = (
    "a 1 = IF TRUE ELSE FALSE ENDIF",
    "a DUP IF DROP a 2 = ENDIF",
    "a 1- DUP IF 1+ DROP TRUE ENDIF",
    "a IF b 0< ELSE b 0> NOT ENDIF",
    "a 0< IF 0 ELSE a b < IF -1 ELSE 7 ENDIF ENDIF",
    "a b < DUP IF b 2 = AND ENDIF",
)
"""Texts that leave a flag, which on some paths is known or a comparison."""
USES = (
    "IF 10 ELSE 20 ENDIF",
    "0 SWAP NOT IF 10 + ENDIF",
    "tell 0= IF 10 ELSE 20 ENDIF",
    "IF TRUE ELSE FALSE ENDIF NOT IF 10 ELSE 20 ENDIF",
    "NOT IF 20 EXIT ENDIF 10",
    "DUP IF ELSE DROP 20 ENDIF",
)
"""Texts that use the flag."""


@each_case("use", USES)
@each_case("flag", FLAGS)
def test_branches_on_flags_that_are_known_on_some_paths(flag: str, use: str) -> None:
    outcome = assert_tiers_agree(
        "VARIABLE x VARIABLE y : a x @ ; : b y @ ; : tell DUP . ;"
        f" : flag {flag} ; : inlined flag {use} ; : direct {flag} {use} ;",
        ": until 0 BEGIN 1+ DUP 4 = IF TRUE ELSE flag ENDIF UNTIL ;",
        ": all 3 -2 DO I x ! 3 -2 DO I y ! inlined . direct . until . LOOP LOOP ; all all all",
        compiled=2,
    )
    assert outcome.failures == []


@pytest.mark.slow
def test_program_with_more_code_than_the_jit_can_store() -> None:
    body = " ".join(f"DUP {n} + OVER {n} * XOR {n} v 4 + ! DROP v ++" for n in range(12))
    count = 2600
    words = "\n".join(f": w{n} DUP {n} AND IF {body} ENDIF {n} + ;" for n in range(count))
    rounds = "\n".join(
        f": r{n} " + " ".join(f"w{k}" for k in range(n, min(n + 50, count))) + " ;"
        for n in range(0, count, 50)
    )
    calls = " ".join(f"r{n}" for n in range(0, count, 50))
    text = [
        "CREATE v 8 ALLOT",
        words,
        rounds,
        f": all {calls} ; : go 2 0 DO I all . LOOP v @ . ;",
        "go",
    ]
    interpreted, eager = run(text, "interpreter"), run(text, "eager")
    assert interpreted.failures == []
    assert eager.observable() == interpreted.observable()
    assert not HAS_JIT or eager.compiled > 2048  # more than the capacity of the table of units


def test_hot_words_are_compiled_automatically() -> None:
    text = [f": hot 0 {10 * HOT_ITERATIONS} 0 DO I + LOOP ; hot ."]
    assert run(text, "native").compiled >= (1 if HAS_JIT else 0)
    assert run(text, "interpreter").compiled == 0
    assert_tiers_agree(*text)


CALLS = "DUP {0} = IF {0} 3 * + ELSE 1+ add ENDIF"
LONG = {
    "straight": (": long {} ;", CALLS),
    "in a loop": (": long 3 0 DO I + {} LOOP ;", CALLS),
    "left early": (": long 3 0 DO DUP 150 = IF LEAVE ENDIF I + {} LOOP ;", CALLS),
    "with a cell on the return stack": (": long 7 >R {} R> + ;", CALLS),
    "without calls": (": long {} ;", "DUP {0} = IF {0} 3 * + ELSE 1+ DUP sum +! ENDIF"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("form", "line"), LONG.values(), ids=LONG)
def test_a_definition_too_long_for_one_graph_is_compiled_in_pieces(form: str, line: str) -> None:
    texts = (
        "VARIABLE sum : add DUP sum +! ;",
        form.format("\n".join(line.format(i) for i in range(300))),
        ": heat 400 0 DO I long DROP LOOP ; heat sum ?",
        ": fail 350 long 0 / ; fail",
    )
    # Without pieces, the JIT would compile at most 7 units in the tier "native" if there are calls,
    # and at most 9 in the tier "eager" if there are none.
    calls = line is CALLS
    outcome = assert_tiers_agree(*texts, compiled=1 if calls else 14)
    assert len(outcome.failures) == 1  # the division
    assert not calls or not HAS_JIT or run(texts, "native").compiled > 10
