"""Tests that the consequences of an error are listed in its finding."""

from __future__ import annotations

import pytest

from forthvm.check import Finding
from tests.check.conftest import Checker

BOARD = "{board 3 3 {grid} board}\n"


def only_error(check: Checker, text: str) -> Finding:
    """Return the only error of a script."""
    [finding] = check(text, select=["E"]).findings
    return finding


def test_unknown_names_after_a_missing_file_are_consequences(check: Checker) -> None:
    finding = only_error(
        check, "LOAD gone.4th\n: a ( -- ) first ;\n: b ( -- ) second first ; a b\n"
    )
    assert finding.code == "E102"
    assert finding.consequences == ("`first`", "`second`")
    assert str(finding).endswith("(and 2 consequences)")
    assert "consequences: `first`, `second`" in finding.report()
    assert finding.as_dict()["follows"] == ["`first`", "`second`"]


def test_names_that_a_missing_file_may_use_are_not_unused(check: Checker) -> None:
    text = "VARIABLE clock\nDEFER later\nLOAD gone.4th\n: a ( -- ) tick ; a\n"
    assert [finding.code for finding in check(text).findings] == ["E102"]


def test_each_missing_file_is_reported(check: Checker) -> None:
    found = check("LOAD gone.4th\nfirst\nLOAD lost.4th\nsecond\n", select=["E"]).findings
    assert [finding.consequences for finding in found] == [("`first`",), ("`second`",)]


def test_names_of_a_failed_definition_are_consequences(check: Checker) -> None:
    finding = only_error(check, "CONSTANT size\n: area ( -- n ) size size * ;\narea .\n")
    assert finding.code == "E102"
    assert finding.consequences[0] == "`size`"
    finding = only_error(
        check, BOARD + "{players DROP {player} A players}\n: mine ( -- n ) A ; mine .\n"
    )
    assert "`A`" in finding.consequences


def test_further_uses_of_an_unknown_name_are_consequences(check: Checker) -> None:
    finding = only_error(
        check, ": a ( -- n ) size ;\n: b ( -- n ) size size ;\n5 CONSTANT size size .\n"
    )
    assert (finding.code, finding.consequences) == ("E101", ("line 2", "line 2"))


def test_callers_of_a_wrong_word_are_consequences(check: Checker) -> None:
    text = ": leak ( -- ) 1 ;\n: a ( -- ) leak ;\n: b ( -- ) a ;\n: c ( -- ) leak 2 ; b c"
    found = check(text, select=["W2"]).findings
    assert [(f.word, f.consequences) for f in found] == [("leak", ("`a`", "`b`")), ("c", ())]


@pytest.mark.parametrize(
    "text",
    [
        ": go ( -- ) 1 .\n: stop ( -- ) go ;\n: again ( -- ) stop go ; again",
        ": go ( -- ) 1 .\n\nVARIABLE v\n: stop ( -- ) v @ go . ;\nstop go",
        ": go ( -- ) 1 .\n{board 3 3 {grid} board}\n: stop ( -- ) go a1 . ; stop",
        "3 CONSTANT x : go ( -- ) x .  : stop ( -- ) go ; stop",
    ],
)
def test_missing_semicolon_is_the_only_error(check: Checker, text: str) -> None:
    finding = only_error(check, text)
    assert finding.code == "E312"
    assert finding.word == "go"
    assert "`go` has no `;`" in finding.message


@pytest.mark.parametrize(
    ("text", "name", "advice"),
    [
        (": go ( -- ) 1 .;\n: stop ( -- ) go ; stop", ".;", "write `. ;`"),
        (": go ( -- n ) 1 ;\n: on ( -- n ) go;\n: stop ( -- ) on . ; stop", "go;", "`go ;`"),
        (": go ( -- n ) 1 ;\n:on ( -- n ) go ;\n: stop ( -- ) on . ; stop", ":on", "`: on`"),
        ("{board 3 3{grid} board}\na1 .", "3{grid}", "`3 {grid}`"),
        (BOARD + "{players {player} A {player}B  players} A . B .", "{player}B", "`{player} B`"),
        (": go ( ? ? -- ) verifyverify ; TRUE TRUE go", "verifyverify", "`verify verify`"),
    ],
)
def test_missing_blank_is_the_only_error(check: Checker, text: str, name: str, advice: str) -> None:
    finding = only_error(check, text)
    assert finding.code == "E105"
    assert f"`{name}`" in finding.message
    assert advice in finding.hints[0]


@pytest.mark.parametrize(
    "text",
    [
        ": define : ; define word 1 . ;",
        ": define [COMPILE] : ; define word 1 . ;",
        ": ends [COMPILE] ; ; IMMEDIATE : go 1 . ends go",
        ": a; ( -- ) 1 . ; a;",
        ": maker CREATE , DOES> @ ; 3 maker three three .",
        ': text ( -- ) ." : here " ( : there ) ; text',
    ],
)
def test_correct_colons_and_semicolons_have_no_findings(check: Checker, text: str) -> None:
    assert not {"E105", "E312", "W310"} & {f.code for f in check(text).findings}


@pytest.mark.parametrize(
    "text",
    [
        "missing .\n",
        "3 missing + .\n",
        ": use ( -- )\n  missing\n  . ;\nuse\n",
        ": use ( -- n ) missing @ ;\n: call ( -- ) use . ;\ncall\n",
    ],
)
def test_errors_of_running_an_unknown_name_are_consequences(check: Checker, text: str) -> None:
    finding = only_error(check, text)
    assert finding.code == "E101"


def test_an_error_after_an_unknown_name_is_its_consequence(check: Checker) -> None:
    finding = only_error(check, "missing\n.\n")
    assert (finding.code, finding.consequences) == ("E101", ("line 2",))
