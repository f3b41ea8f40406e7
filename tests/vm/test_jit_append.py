"""Tests that `,` and COMPILE append the same cells in all execution tiers.

Owns where HERE may be, and the place in the text that an appended cell remembers.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from forthvm.core.vm import VM
from tests.vm.tiers import HOT_ITERATIONS, Outcome, assert_tiers_agree, requires_jit, run

FILL = ": fill ( n -- ) 0 DO I , COMPILE DUP LOOP ; : heat ( n -- ) HERE SWAP fill DP ! ;"
SHOW = ": show ( addr n -- ) 0 DO DUP I CELLS + @ . LOOP DROP ;"


def call(word: str, *arguments: int) -> Callable[[VM], object]:
    """Return a function that calls a word while no text is interpreted."""
    return lambda vm: vm.call(word, *arguments)


def outcome(*texts: str | Callable[[VM], object]) -> Outcome:
    """Return the common outcome of all tiers, after `fill` has become hot."""
    return assert_tiers_agree(FILL, SHOW, call("heat", HOT_ITERATIONS), *texts)


@requires_jit
def test_appending_words_become_hot() -> None:
    assert run([FILL, call("heat", HOT_ITERATIONS)], "native").compiled > 0


@pytest.mark.parametrize("fill", [call("fill", 40), "40 fill"], ids=["a call", "a text"])
def test_cells_follow_each_other(fill: str | Callable[[VM], object]) -> None:
    result = outcome("CREATE data", fill, "data 6 show HERE data - .")
    assert result.failures == []
    *cells, bytes_used = map(int, result.printed.split())
    assert cells[::2] == [0, 1, 2]
    assert len(set(cells[1::2])) == 1
    assert bytes_used == 40 * 8


def test_here_is_not_aligned() -> None:
    result = outcome(
        "CREATE data 1 ALLOT", call("fill", 9), "data 1+ @ . data 9 + @ . HERE data - ."
    )
    assert result.failures == []
    assert result.printed == "0 1 73 "


@pytest.mark.parametrize(("here", "failures"), [(64, 0), (4096, 0), (1 << 24, 0), (-4, 40)])
def test_here_is_outside_the_dictionary(here: int, failures: int) -> None:
    result = outcome(
        "VARIABLE start HERE start !",
        f": low DP @ {here} DP ! 7 , DP ! ; : back start @ DP ! ;",
        *[call("low"), "back"] * 40,
    )
    assert len(result.failures) == failures


def test_appended_cells_replace_code() -> None:
    result = outcome(
        "VARIABLE total : one 1 ; : two 2 ; : changed one ;",
        ": patch ( xt -- ) HERE SWAP ['] changed CFA>PFA DP ! , DP ! ;",
        ": both ['] two patch changed ['] one patch changed + total +! ;",
        ": all 30 0 DO both LOOP ;",
        call("all"),
        "total @ .",
    )
    assert result.failures == []
    assert result.printed == "90 "


def test_errors_name_the_place_where_the_code_was_appended() -> None:
    result = outcome(
        ": fail 1 0 / ;\n: lay ( n -- ) 0 DO COMPILE fail LOOP ; IMMEDIATE",
        ": first\n\t[ 50 ] lay ;\n: second\n\n\t[ 50 ] lay ;",
        "first",
        "second",
    )
    assert len(result.failures) == 2
    assert "part4.4th:2" in result.failures[0]
    assert "part4.4th:5" in result.failures[1]
