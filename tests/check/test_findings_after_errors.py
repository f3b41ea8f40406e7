"""Tests that text after a loading error is checked, without false findings."""

from __future__ import annotations

import pytest

from tests.check.conftest import Checker

WRONG_TWICE = ": twice ( n -- n ) DUP + + ;"
Found = list[tuple[str, int]]


def codes_and_lines(check: Checker, text: str) -> Found:
    """Return codes and lines of the errors and of the findings about `twice`."""
    return [
        (f.code, f.location.line if f.location else 0)
        for f in check(text).findings
        if f.severity == "error" or f.word == "twice"
    ]


@pytest.mark.parametrize(
    "definition", [": f ( n -- ) R> DROP ;", ': f ( ? -- ) ABORT" no" ;', ": f ( n -- ) ABORT ;"]
)
def test_loading_continues_after_the_call_of_a_failing_word(
    check: Checker, definition: str
) -> None:
    text = f"{definition}\n1 f\n: z ( -- n ) 1 ;\nz .\n{WRONG_TWICE}\n3 mystery"
    errors = codes_and_lines(check, text)
    assert errors[1:] == [("W201", 5), ("E101", 6)]
    assert errors[0] == ("E102", 1)


def test_failing_section_is_skipped_completely(check: Checker) -> None:
    text = (
        "{board 3 3 {grid} board}\n"
        "{directions 0 1 {direction} east 0 -1 {direction} west directions}\n"
        "{symmetries Black {symmetry} east west symmetries}\n"
        "{players {player} White {player} Black players}\n"
        "{turn-order {turn} White {turn} Black turn-order}\n"
        f"{WRONG_TWICE} ( a comment ) 3 twice .\n"
        "mystery\n"
    )
    assert codes_and_lines(check, text) == [("E102", 3), ("W201", 6), ("E101", 7)]


def test_names_of_a_failed_section_are_not_unknown(check: Checker) -> None:
    text = (
        "{board 3 3 {grid} board}\n"
        "{pieces {piece} Man pieces}\n"
        "{players DROP {player} White players}\n"
        ": mine ( -- n ) White ;\nmine .\n"
    )
    assert [code for code, _ in codes_and_lines(check, text)] == ["E102"]


@pytest.mark.parametrize("comment", ["(pos -- n )", "(a b -- flag? )", "(what it does: here )"])
def test_comment_without_its_first_blank_is_one_finding(check: Checker, comment: str) -> None:
    report = check(f": column {comment} 7 MOD ;\n: row ( n -- n' ) column ;\nmystery")
    first, last = [finding for finding in report.findings if finding.severity == "error"]
    assert first.code == "E105"
    assert f"write `( {comment[1:].split(maxsplit=1)[0]}`" in first.hints
    assert last.message == "unknown name `mystery`"


def test_bracket_without_closing_bracket_is_an_unknown_name(check: Checker) -> None:
    report = check(": f ( -- ) (pos ;\n: g ( -- ) ;")
    messages = [finding.message for finding in report.findings if finding.code == "E101"]
    assert messages == ["unknown name `(pos`"]
