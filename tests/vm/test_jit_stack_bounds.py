"""Tests that all execution tiers agree near and beyond the bounds of the stacks."""

from __future__ import annotations

import pytest

from forthvm.core.errors import StackUnderflow
from forthvm.core.records import Option
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.vm.tiers import assert_tiers_agree, requires_jit

CELLS = 6144
"""Capacity of the parameter stack between words; words may use 64 more items while they run."""

pytestmark = requires_jit


def test_cells_above_the_top_read_as_zero() -> None:
    # Stack memory above the top depends on the tier: superinstructions do not store all items.
    outcome = assert_tiers_agree(
        ": noise 1 2 3 4 5 2DROP 2DROP DROP ; : call noise ;",
        ": above call SP@ 8 + @ SP@ 20 + @ RP@ 4 + @ RP@ 12 + @ ;",
        "above above",
        ": hot 40 0 DO above 2DROP 2DROP LOOP ; hot above",
        ": put 77 SP@ 40 + ! 78 RP@ 40 + ! SP@ 40 + @ RP@ 40 + @ ; put",
    )
    assert not outcome.failures
    assert set(outcome.stack) == {0}


@each_case("count", [1, 2, 5, 40, 64, 65, 70])
def test_words_may_pop_below_the_base_while_they_run(count: int) -> None:
    outcome = assert_tiers_agree(
        f": down {count} 0 DO DROP LOOP ; : up {count} 0 DO 7 LOOP ;",
        ": mix DROP DROP DROP + SWAP 9 9 9 9 + ROT ; : low 30 0 DO down up mix down up LOOP ;",
        "low",
        ".S DEPTH",
        ": hot 60 0 DO down 3 PICK DROP up LOOP .S ; hot",
        "down",
        "1 + DEPTH",
    )
    assert outcome.failures
    assert all("StackUnderflow" in text for text in outcome.failures)


OPTIONAL = """
: item ( n -- x TRUE | FALSE ) DUP 3 AND IF DROP FALSE ELSE TRUE ENDIF ;
: search ( n -- x ? )
	BEGIN
		DUP 9 = IF
			TRUE TRUE
		ELSE
			1- DUP 7 AND IF FALSE ELSE FALSE TRUE ENDIF
		ENDIF
	UNTIL
;
"""
"""Words whose paths leave different numbers of items, which the code after an IF or UNTIL uses."""


@each_case("checked", [False, True])
@each_case(
    "text",
    [
        "12 item IF . ENDIF DEPTH .",
        "13 item IF . ENDIF DEPTH .",
        ": show item IF . 1 ELSE 2 ENDIF . ; 12 show 13 show DEPTH .",
        ": show item IF 2DUP + . . . ELSE DROP ENDIF ; 7 12 show 13 show DEPTH .",
        "30 search . . 15 search . . 9 search . . DEPTH .",
        ": ends item IF DROP EXIT ENDIF DROP ; 12 ends 1 13 ends DEPTH .",
        ": some BEGIN item IF DROP 5 ELSE 8 ENDIF DUP 5 = UNTIL . ; 3 some",
        ": few item IF + . ELSE + + . ENDIF ; 12 few",
        ": few item IF + . ELSE + + . ENDIF ; 4 13 few",
        ": few item IF . ELSE + . ENDIF ; 4 13 few",
        ": few item IF . ELSE 2DUP + . . . ENDIF ; 4 13 few",
        ": few item IF + . ELSE 1 . ENDIF ; 12 few",
        ": few DUP 3 AND IF 8 AND IF + ENDIF ELSE DROP 1 ENDIF . ; 3 9 few 9 few 4 few",
        ": few 3 0 DO I 2 = IF + ENDIF LOOP . ; 4 5 few 5 few few",
        ": few BEGIN DUP 5 = IF DROP ENDIF 1+ DUP 7 > UNTIL . ; 5 3 few 3 few",
    ],
)
def test_paths_may_use_different_numbers_of_items(text: str, *, checked: bool) -> None:
    define, _, run = text.rpartition(";")
    assert_tiers_agree(
        OPTIONAL,
        f"{define} ;" if define else "VARIABLE unused",
        ": hot 60 0 DO I item IF DROP ENDIF 9 search 2DROP LOOP ; hot",
        *[run] * 4,
        ": all 40 0 DO I item IF . ENDIF I 9 + search . . LOOP ; all",
        run,
        checked=checked,
    )


@each_case("checked", [False, True])
@each_case(
    ("define", "runs"),
    [
        (
            ": c 100 0 DO I DROP LOOP ; : w BEGIN v @ 0= NOT WHILE c v -- REPEAT + DROP ;",
            ["5 v ! 1 2 w", "5 v ! 1 w", "3 v ! w"],
        ),
        (": w BEGIN NEGATE v @ UNTIL 2DROP ;", ["1 v !", "1 2 3 4 w w", "1 w"]),
    ],
)
def test_code_after_a_loop_at_the_start_of_a_word(
    define: str, runs: list[str], *, checked: bool
) -> None:
    assert_tiers_agree("VARIABLE v", define, *runs * 4, checked=checked)


def test_cell_below_the_base_is_zero_after_a_failure() -> None:
    # `1 +` adds 1 to the cell of depth 0.  `bad` stores 5 there; its failure resets the cell to 0.
    outcome = assert_tiers_agree(": bad 5 DROP DROP 5 6 2DROP ;", "bad", "1 + .")
    assert len(outcome.failures) == 2
    assert outcome.printed == "1 "


def test_all_tiers_leave_the_same_items_after_a_failure() -> None:
    assert_tiers_agree(
        ": fill 6000 DEPTH - 0 DO I LOOP ; : twice DUP 2DUP 2DUP ;",
        ": more 30 0 DO twice twice LOOP ; : over more more ;",
        "fill over",
        "DEPTH",
        "more",
        "over",
        ": hot 60 0 DO 1 2 3 2DROP DROP LOOP more ; hot",
        ": drops 6300 0 DO DROP LOOP ; drops",
        ": div 1 2 3 0 / ; 5 div",
    )


@pytest.mark.parametrize("checked", [False, True])
def test_stack_has_the_documented_capacity(*, checked: bool) -> None:
    outcome = assert_tiers_agree(
        f": fill {CELLS} 0 DO I LOOP ; fill DEPTH .",
        ": more 100 0 DO I LOOP ; more",
        checked=checked,
    )
    assert outcome.printed.startswith(f"{CELLS} ")
    assert len(outcome.failures) == 1
    assert "StackOverflow" in outcome.failures[0]


def test_enabling_checked_mode_resets_a_negative_depth() -> None:
    def define(vm: VM) -> None:
        vm.word("strict")(lambda: vm.native.set_option(Option.CHECKED, 1))

    outcome = assert_tiers_agree(
        define, "VARIABLE v : w DROP DROP strict DEPTH . v @ . ; w", "DROP", compiled=0
    )
    assert outcome.printed == "0 0 "
    assert len(outcome.failures) == 1


def test_host_cannot_pop_below_the_base() -> None:
    vm = VM(library="core")
    with pytest.raises(StackUnderflow):
        vm.native.pop()
    assert vm.native.depth() == 0


@pytest.mark.parametrize("word", ["DUP leave", "RP@ leave", "DUP IF DUP leave THEN"])
def test_words_like_exit_overflow_when_the_stack_is_full(word: str) -> None:
    depths = range(CELLS + 60, CELLS + 65)  # up to the capacity while a word runs, CELLS + 64
    outcome = assert_tiers_agree(
        ": leave R> DROP ;",
        f": last {word} ;\n: call last ;",
        *[f": fill{n} {n} DEPTH - 0 DO I LOOP call ;" for n in depths],
        *[f"fill{n}" for n in depths for _ in range(4)],
    )
    assert outcome.failures


def test_code_that_is_entered_before_a_loop_to_its_beginning() -> None:
    """The inner loop is compiled first; later the interpreter enters at the outer loop."""
    assert_tiers_agree(
        "VARIABLE v VARIABLE n",
        ": w BEGIN v @ WHILE BEGIN ROT ROT ROT n -- n @ 1 < UNTIL v -- REPEAT ;",
        ": fill 100 0 DO I LOOP ; : clear BEGIN DEPTH WHILE DROP REPEAT ;",
        "fill 1 v ! 60000 n ! w clear",
        "3 v ! 2 n ! w",
        checked=True,
    )


def side_exits(text: str, *, run: str) -> int:
    """Return how often machine code leaves to the interpreter in the second of two runs."""
    vm = VM(tier="native")
    vm.interpret(text)
    vm.interpret(run)
    before = vm.native.side_exits()
    vm.interpret(run)
    return vm.native.side_exits() - before


def test_a_path_that_uses_no_more_items_needs_no_items_of_the_other() -> None:
    """Checks of the depth for both paths would fail at each call: the stack has only one item."""
    text = """
        VARIABLE n VARIABLE sum
        : item ( n -- x TRUE | FALSE ) DUP 3 AND 0= IF TRUE ELSE DROP FALSE ENDIF ;
        : count ( n -- ) n ! BEGIN n @ item IF sum +! ENDIF n -- n @ 0= UNTIL ;
    """
    assert side_exits(text, run="20000 count") < 200


@each_case(
    "word",
    [
        ": rare n @ -5 = IF DROP ENDIF n ++ ;",
        ": rare n @ -5 = IF DROP EXIT ENDIF n @ -6 = IF 2DROP ENDIF n ++ ;",
        ": rare n @ 3 AND DUP IF n @ -6 = IF 2DROP ENDIF ENDIF DROP n ++ ;",
        ": rare 3 0 DO n @ -5 = IF DROP ENDIF LOOP n ++ ;",
        ": rare BEGIN n @ -5 = IF DROP ENDIF n ++ n @ 3 AND 0= UNTIL ;",
    ],
)
def test_a_path_that_does_not_run_needs_no_items(word: str) -> None:
    text = f"VARIABLE n {word} : all ( n -- ) 0 DO rare LOOP ;"
    assert side_exits(text, run="20000 all") < 400


def test_slices_grow_while_nothing_is_compiled() -> None:
    loops = 20_000_000
    text = ": loops ( n -- ) 0 DO LOOP ;"
    assert side_exits(text, run=f"{loops} loops") < loops / 40_000
