"""Tests that an error is one finding."""

from __future__ import annotations

import pytest

from forthvm.check import Finding
from tests.check.conftest import Checker

BOARD = "{board 3 3 {grid} board}\n"


def only_error(check: Checker, text: str) -> Finding:
    """Return the only error of a script."""
    [finding] = check(text, select=["E"]).findings
    return finding


def test_callers_of_a_wrong_word_are_consequences(check: Checker) -> None:
    text = ": leak ( -- ) 1 ;\n: a ( -- ) leak ;\n: b ( -- ) a ;\n: c ( -- ) leak 2 ; b c"
    found = check(text, select=["W2"]).findings
    assert [(f.word, f.consequences) for f in found] == [("leak", ("`a`", "`b`")), ("c", ())]
    assert str(found[0]).endswith("(and 2 consequences)")
    assert "consequences: `a`, `b`" in found[0].report()
    assert found[0].as_dict()["follows"] == ["`a`", "`b`"]


def test_callers_by_a_loop_are_consequences(check: Checker) -> None:
    loop = ": j ( -- ) 2 0 DO leak LOOP ;\n: k ( -- ) j ;\n: m ( -- ) k ; m"
    [finding] = check(": leak ( -- ) 1 ;\n" + loop, select=["W2"]).findings
    assert (finding.word, finding.consequences) == ("leak", ("`j`",))
    [finding] = check(": leak ( -- ) DROP ;\n" + loop, select=["W2"]).findings
    assert (finding.word, finding.consequences) == ("leak", ("`j`", "`k`", "`m`"))


def test_move_words_of_a_wrong_word_are_consequences(check: Checker) -> None:
    text = (
        "{board 1 3 {grid} board} {directions 0 1 {direction} e directions}\n"
        ": go ( -- ) capture-at e verify from here move add-move ;\n"
        ": a go ; : b e verify go ; : both ( -- ) 2 0 DO go LOOP ; : c both ;\n"
        "{moves m {move} a {move} b {move} c moves}"
    )
    [finding] = check(text, select=["W2"]).findings
    assert (finding.word, finding.consequences) == ("go", ("`a`", "`b`", "`both`", "`c`"))


def test_another_loop_is_no_consequence(check: Checker) -> None:
    text = ": leak ( -- ) 1 ;\n: j ( -- ) leak 2 0 DO 1 LOOP ; j"
    found = check(text, select=["W2"]).findings
    assert [(f.code, f.word, f.consequences) for f in found] == [
        ("W201", "leak", ()),
        ("W203", "j", ()),
    ]


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


@pytest.mark.sampled(3)
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


@pytest.mark.sampled(3)
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
