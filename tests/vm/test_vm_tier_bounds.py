"""Beyond the bounds of the stacks all execution tiers do and leave the same."""

from __future__ import annotations

import pytest

from forthvm.core.errors import StackUnderflow
from forthvm.core.records import Option
from forthvm.core.vm import VM
from tests.vm.tiers import machine_code, same

CELLS = 6144
"""Items that a script may leave on the parameter stack; 64 more while words run."""

pytestmark = machine_code


def test_cells_above_the_top_read_as_zero() -> None:
    # What words left there depends on how many of them share a superinstruction.
    found = same(
        ": noise 1 2 3 4 5 2DROP 2DROP DROP ; : call noise ;",
        ": above call SP@ 8 + @ SP@ 20 + @ RP@ 4 + @ RP@ 12 + @ ;",
        "above above",
        ": hot 40 0 DO above 2DROP 2DROP LOOP ; hot above",
        ": put 77 SP@ 40 + ! 78 RP@ 40 + ! SP@ 40 + @ RP@ 40 + @ ; put",
    )
    assert not found.failures
    assert set(found.stack) == {0}


@pytest.mark.parametrize("under", [1, 2, 5, 40, 64, 65, 70])
def test_words_go_below_the_base(under: int) -> None:
    found = same(
        f": down {under} 0 DO DROP LOOP ; : up {under} 0 DO 7 LOOP ;",
        ": mix DROP DROP DROP + SWAP 9 9 9 9 + ROT ; : low 30 0 DO down up mix down up LOOP ;",
        "low",
        ".S DEPTH",
        ": hot 60 0 DO down 3 PICK DROP up LOOP .S ; hot",
        "down",
        "1 + DEPTH",
    )
    assert bool(found.failures)
    assert all("StackUnderflow" in text for text in found.failures)


def test_a_failed_token_leaves_nothing_at_the_base() -> None:
    # The cell of depth 0, which `1 +` adds to, holds 5 for a while, and then 0 again.
    found = same(": bad 5 DROP DROP 5 6 2DROP ;", "bad", "1 + .")
    assert len(found.failures) == 2
    assert found.printed == "1 "


def test_items_stay_the_same_where_a_word_fails() -> None:
    same(
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
def test_as_many_items_as_documented(*, checked: bool) -> None:
    found = same(
        f": fill {CELLS} 0 DO I LOOP ; fill DEPTH .",
        ": more 100 0 DO I LOOP ; more",
        checked=checked,
    )
    assert found.printed.startswith(f"{CELLS} ")
    assert len(found.failures) == 1
    assert "StackOverflow" in found.failures[0]


def test_checked_mode_begins_with_no_items_missing() -> None:
    def define(vm: VM) -> None:
        vm.word("strict")(lambda: vm.native.set_option(Option.CHECKED, 1))

    found = same(define, "VARIABLE v : w DROP DROP strict DEPTH . v @ . ; w", "DROP", compiled=0)
    assert found.printed == "0 0 "
    assert len(found.failures) == 1


def test_the_host_takes_no_item_below_the_base() -> None:
    vm = VM(library="core")
    with pytest.raises(StackUnderflow):
        vm.native.pop()
    assert vm.native.depth() == 0


@pytest.mark.parametrize("word", ["DUP leave", "RP@ leave", "DUP IF DUP leave THEN"])
def test_words_like_exit_need_room_for_their_return_address(word: str) -> None:
    depths = range(CELLS + 60, CELLS + 65)
    found = same(
        ": leave R> DROP ;",
        f": last {word} ;\n: call last ;",
        *[f": fill{n} {n} DEPTH - 0 DO I LOOP call ;" for n in depths],
        *[f"fill{n}" for n in depths for _ in range(4)],
    )
    assert found.failures
