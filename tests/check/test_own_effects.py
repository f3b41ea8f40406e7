"""Tests that the effect of a word is computed for all arguments, not only those of its callers."""

from __future__ import annotations

import pytest

from tests.check.conftest import Checker

# `p` leaves different depths, but all its callers pass arguments for one branch.
UNBALANCED_P = [
    ": p ( ? -- n ) IF 7 ENDIF ; : q ( -- ) TRUE p DROP ; q",
    ": p ( n -- n' ) DUP 3 > IF DROP ENDIF ; : q ( -- n ) 2 p ; q .",
    ": p ( a b -- n ) = IF 7 ENDIF ; : q ( -- ) 1 1 p . ; q",
    ": p ( a -- b ) DUP IF EXIT ENDIF DROP ; : q ( n -- n ) p ; 3 q .",
    ": p ( ? -- n ) IF 7 ENDIF ; TRUE p .",
]


@pytest.mark.parametrize("text", UNBALANCED_P)
def test_constants_of_all_callers_do_not_hide_a_branch(check: Checker, text: str) -> None:
    report = check(text, select=["W2"])
    assert [(f.code, f.word) for f in report.findings] == [("W202", "p")]
    [p] = [effect for effect in report.effects if effect.name == "p"]
    assert not p.exact
    assert p.several  # the branches leave different depths
    assert report.statistics.several >= 1


@pytest.mark.parametrize(
    "text",
    [
        # the argument of this call selects one branch of `p`
        ": p ( ? -- n TRUE | FALSE ) IF 7 TRUE ELSE FALSE ENDIF ; : q ( -- n ) TRUE p DROP ; q .",
        # the token that `with` executes comes from the caller
        ": with ( n 'x -- n ) EXECUTE ; : q ( -- n ) 3 ['] 1+ with ; q . ' 1- 2 SWAP with .",
    ],
)
def test_known_arguments_are_used_in_callers(check: Checker, text: str) -> None:
    report = check(text)
    assert [f for f in report.findings if f.severity != "info"] == []
    [q] = [effect for effect in report.effects if effect.name == "q"]
    assert q.effect == "( -- x )"


def test_word_whose_header_was_overwritten_keeps_its_name(check: Checker) -> None:
    """Writing item 3 of an array of three overwrites the header of the following word."""
    report = check("3 [] row : w ( -- ) 4 0 DO 0 I row ! LOOP ; w", select=["W701"])
    assert [finding.word for finding in report.findings] == ["w"]
    assert report.findings[0].message.endswith("(in `w`)")
