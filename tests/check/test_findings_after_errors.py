"""Tests that the text before an error is checked, and the text after it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.conftest import Checker

WRONG_TWICE = ": twice ( n -- n ) DUP + + ;\n"
WRONG_AGAIN = ": again ( n -- n ) DUP + + ;\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("DROP\n", "E102"),
        ("mystery\n", "E101"),
        ("LOAD gone.4th\n", "E102"),
        ("{board 3 3 {grid}\n{directions directions}\n", "E106"),
        (": open ( -- ) 1 .\n: next ( -- ) open ;\n", "E312"),
        (': fail ( ? -- ) ABORT" no" ; 1 fail\n', "E102"),
    ],
)
def test_only_the_text_before_an_error_is_checked(check: Checker, text: str, code: str) -> None:
    select = ["E101", "E102", "E106", "E312", "W201"]
    found = check(WRONG_TWICE + text + WRONG_AGAIN + "unknown\n", select=select).findings
    assert [finding.code for finding in found] == ["W201", code]


def test_names_that_the_rest_may_use_are_not_unused(check: Checker) -> None:
    text = "VARIABLE clock\nDEFER later\n: hop ( -- ) ;\n1 0 / .\n{moves hops {move} hop moves}\n"
    assert [finding.code for finding in check(text).findings] == ["E102"]


def test_a_word_before_the_error_that_it_causes_is_checked(check: Checker) -> None:
    text = ": grow ( -- ) BEGIN FALSE UNTIL ; grow\n"
    found = check(text, ignore=["I"], steps=100_000).findings
    assert {finding.code for finding in found} >= {"W103", "W313"}


def test_unknown_names_in_definitions_are_all_found(check: Checker) -> None:
    report = check(
        ": a ( -- ) one ;\n: b ( -- ) ['] two DROP one ;\n" + WRONG_TWICE + "three\nfour"
    )
    assert [(one.code, one.location.line) for one in report.findings if one.location] == [
        ("E101", 1),
        ("E101", 2),
        ("W201", 3),
        ("E101", 4),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "missing .\n",
        "3 missing + .\n",
        ": use ( -- )\n  missing\n  . ;\nuse\n",
        ": use ( -- n ) missing @ ;\n: call ( -- ) use . ;\ncall\n",
    ],
)
def test_errors_that_follow_from_an_unknown_name_are_no_findings(check: Checker, text: str) -> None:
    assert [finding.code for finding in check(text, select=["E", "W1"]).findings] == ["E101"]


def test_a_missing_file_after_an_unknown_name_is_found(check: Checker) -> None:
    found = check(": use ( -- ) missing ;\nLOAD gone.4th\n", select=["E"]).findings
    assert [finding.code for finding in found] == ["E101", "E102"]


@pytest.mark.parametrize("line", ["LOADpart.4th", "LOAD part.4th part.4th"])
def test_an_error_in_the_line_of_a_load(check: Checker, tmp_path: Path, line: str) -> None:
    (tmp_path / "part.4th").write_text(WRONG_TWICE)
    [finding] = check(f"{line}\none two + .\n", select=["E"]).findings
    assert finding.hints[0].startswith("write `LOAD part.4th`")


@pytest.mark.parametrize("comment", ["(pos -- n )", "(a b -- flag? )", "(what it does: here )"])
def test_comment_without_its_first_blank_is_one_finding(check: Checker, comment: str) -> None:
    [finding] = check(f": column {comment} 7 MOD ;\nmystery", select=["E"]).findings
    assert finding.hints == ("a comment begins with `(` and a blank",)
