"""Formatting of sources: `forthvm.syntax.format_source`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.syntax import Kind, format_source, tokenize
from tests.kit.cases import each_case

CHECKOUT = Path(__file__).parents[2]
SCRIPTS = sorted(
    path
    for folder in ("axiom_lib", "scripts", "tests", "benchmarks", "examples")
    for path in (CHECKOUT / folder).rglob("*.4th")
)
PIECES = [
    *(": f", ";", "IF", "ELSE", "ENDIF", "BEGIN", "WHILE", "REPEAT", "DO", "LOOP", "{pieces"),
    *("pieces}", "{piece}", "{moves m", "moves}", "\\", "\\ text ", "( a", ")", 'S" a', '"', "1"),
    *(" ", "  ", "\t", "\n", "\r\n", " \n", "\r", "\f", "\u00a0", "DUP", "[", "]"),
    *("CREATE t", "' DUP"),
]


def tokens(text: str) -> list[tuple[Kind, str]]:
    return [
        (token.kind, token.text.rstrip() if token.kind is Kind.COMMENT else token.text)
        for token in tokenize(text)
    ]


def formatted(*lines: str) -> list[str]:
    return format_source("\n".join(lines)).splitlines()


@pytest.mark.sampled(39)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_formatting_changes_no_token_and_is_idempotent(path: Path) -> None:
    text = path.read_bytes().decode("latin-1")
    once = format_source(text)
    assert tokens(once) == tokens(text)
    assert format_source(once) == once


@pytest.mark.slow
@each_case("path", sorted((CHECKOUT / "scripts").rglob("*.4th")), ids=lambda path: path.stem)
def test_bundled_scripts_are_formatted(path: Path) -> None:
    text = path.read_bytes().decode("latin-1")
    assert format_source(text) == text


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join))
def test_any_text_keeps_its_tokens(text: str) -> None:
    once = format_source(text)
    assert tokens(once) == tokens(text)
    assert format_source(once) == once


@given(st.text(alphabet=' \t\r\n;"a', max_size=12))
def test_formatting_of_rule_files_changes_only_blanks_and_is_idempotent(text: str) -> None:
    once = format_source(text, rules=True)
    assert once.split() == text.split()
    assert format_source(once, rules=True) == once


def test_structures_are_indented() -> None:
    assert formatted(
        ": sign ( n -- n )", "DUP 0< IF", "DROP -1", "ELSE", "0> IF 1 ELSE 0 ENDIF", "ENDIF", "   ;"
    ) == [
        ": sign ( n -- n )", "\tDUP 0< IF", "\t\tDROP -1", "\tELSE",
        "\t\t0> IF 1 ELSE 0 ENDIF", "\tENDIF", ";",
    ]  # fmt: skip
    assert formatted("{players", "{player} A", "{player} B", "players}") == [
        "{players", "\t{player} A", "\t{player} B", "players}",
    ]  # fmt: skip


def test_the_unit_is_that_of_the_file() -> None:
    assert formatted(": a", "  1 2", "   ENDIF", ";")[1] == "  1 2"
    assert formatted(": a", "   1 IF", "  2", "   ENDIF ;") == [
        ": a",
        "   1 IF",
        "      2",
        "   ENDIF ;",
    ]


def test_blank_lines_do_not_choose_the_unit() -> None:
    text = ": f\n    \n    \n\t1 IF\n    \n\t\t2\n\tENDIF ;\n"
    assert format_source(text) == ": f\n\n\n\t1 IF\n\n\t\t2\n\tENDIF ;\n"


def test_layouts_that_have_a_meaning_are_kept() -> None:
    for lines in (
        ["CREATE table", "   1 ,  2 ,", "   3 , 40 ,"],
        [": f", "\ta? IF 1 ELSE", "\tb? IF 2 ELSE", "\t3", "\tENDIF ENDIF ;"],
        [": f", "\ta? IF 1 ELSE", "\t\tb? IF 2 ELSE", "\t\t\t3", "\tENDIF ENDIF ;"],
        [": f", "\tn 0 DO m 0 DO", "\t\tI J +", "\t2 +LOOP LOOP ;"],
        ["VARIABLE x   \\ a comment", "             \\ and its second line"],
        [": f ( n -- )", "\t( a comment  ", "   over lines ) DROP ;"],
        [": f", '\t." a text   ', '  in lines" ;'],
        ["{directions", "\t-1  0 {direction} n", "\t 1  0 {direction} s", "directions}"],
    ):
        text = "\n".join(lines) + "\n"
        assert format_source(text) == text


def test_a_backslash_at_the_end_of_a_line_keeps_its_comment() -> None:
    # The comment after a single backslash is the next line; with a blank, it is empty.
    for text in (": f\n\t\\\n  1 2\n\t3 ;\n", ": f\n\t\\ \n\t3 ;\n", "1 \\", "1 \\\n"):
        assert tokens(format_source(text)) == tokens(text)
    assert format_source("1 \\\n") == "1 \\\n"


def test_line_ends_are_kept() -> None:
    assert format_source(": f \r\n1 ;") == ": f\r\n\t1 ;\r\n"
    assert format_source("1 2  \n\n\n") == "1 2\n"
    assert format_source("1 \r\n2 \n3") == "1\r\n2\n3\n"
    assert format_source("") == ""
    assert format_source(" \n") == ""


def test_unfinished_texts_are_not_indented() -> None:
    assert format_source(": f\n1 IF  \n2\n") == ": f\n1 IF\n2\n"
    assert format_source(": f\n1 ENDIF ;\n2 \n") == ": f\n1 ENDIF ;\n2\n"


def test_rule_files_lose_only_blanks_at_the_ends_of_lines() -> None:
    text = '(game \n   (title "a ;  \n  b  ")  ; comment  \r\n)'
    assert format_source('(a "b  \n c  ', rules=True) == '(a "b  \n c\n'
    assert format_source(text, rules=True) == '(game\n   (title "a ;  \n  b  ")  ; comment\r\n)\r\n'


_DEPTH = 500
DEEP_TEXTS = {
    "conditions": ": x\n" + "IF\n" * _DEPTH + "ENDIF\n" * _DEPTH + ";\n",
    "one-line": ": x " + "IF " * _DEPTH + "ENDIF " * _DEPTH + ";\n",
    "alternatives": ": x\n" + "IF 1 ELSE\n" * _DEPTH + "ENDIF " * _DEPTH + ";\n",
    "loops": ": x\n" + "BEGIN 1 WHILE\n" * _DEPTH + "REPEAT\n" * _DEPTH + ";\n",
    "interpreted": ": x\n" + "[\n" * _DEPTH + "]\n" * _DEPTH + ";\n",
    "sections": "".join(f"{w}\n" * _DEPTH for w in ("{board", "{pieces", "board}", "pieces}")),
    "open": ": x\n" + "IF ( a\n b )\n" * _DEPTH,
    "strays": "{board\n" * _DEPTH + "pieces}\n" * _DEPTH,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", DEEP_TEXTS.values(), ids=list(DEEP_TEXTS))
def test_deeply_nested_texts_are_formatted(text: str) -> None:
    # If the time grew with the third power of the depth, each of these texts would take a minute.
    once = format_source(text)
    assert tokens(once) == tokens(text)
    assert format_source(once) == once


def test_indentation_is_limited() -> None:
    once = format_source(DEEP_TEXTS["conditions"])
    assert max(len(line) - len(line.lstrip("\t")) for line in once.split("\n")) == 100


def test_long_runs_of_blanks_in_rule_files_are_kept() -> None:
    text = "(a" + " " * 200_000 + "b)"
    assert format_source(text + " \n", rules=True) == text + "\n"
