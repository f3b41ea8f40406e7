"""Tokens, open and matching structures, and the Pygments lexer."""

from __future__ import annotations

import tomllib
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forthvm
from forthvm.core.loading.library import find_library
from forthvm.syntax import Kind, definition_at, read_structure, tokenize
from tests.kit.cases import each_case

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((CHECKOUT / "scripts").glob("*/*.4th"))


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.text, token.kind.value) for token in tokenize(text)]


def opened(text: str) -> list[str]:
    return [str(structure) for structure in read_structure(text).opened]


def test_tokens_of_a_definition() -> None:
    assert kinds(': go ( n -- ) 2 + S" a b" TYPE IF -1.5 ENDIF ; \\ end') == [
        (":", "defining"),
        ("go", "name"),
        ("( n -- )", "comment"),
        ("2", "number"),
        ("+", "kernel"),
        ('S"', "word"),
        ('a b"', "string"),
        ("TYPE", "kernel"),
        ("IF", "control"),
        ("-1.5", "number"),
        ("ENDIF", "control"),
        (";", "defining"),
        ("\\ end", "comment"),
    ]


def test_sections_and_their_items() -> None:
    assert kinds("{pieces {piece} man {moves} man-moves pieces}") == [
        ("{pieces", "section"),
        ("{piece}", "item"),
        ("man", "name"),
        ("{moves}", "item"),
        ("man-moves", "quoted"),
        ("pieces}", "section"),
    ]


def test_names_open_no_structure() -> None:
    assert opened(": IF 1 ;") == []
    assert opened("' IF") == []
    assert opened(": x ['] IF ;") == []


def test_comments_extend_as_in_the_original() -> None:
    # WORD skips leading delimiters, so the comment ends at the second closing parenthesis.
    assert kinds("( ) 1 ) 2") == [("( ) 1 )", "comment"), ("2", "number")]
    # A backslash without text also comments out the next line.
    assert kinds("\\\nDUP\nDROP") == [("\\\nDUP", "comment"), ("DROP", "kernel")]


@each_case(
    ("text", "expected"),
    [
        (": f ( n -- ) IF 1", [": f", "IF"]),
        (": f IF 1 ELSE", [": f", "ELSE"]),
        (": f BEGIN 1 WHILE", [": f", "WHILE"]),
        (": f 3 0 DO I", [": f", "DO"]),
        ("{pieces {piece} a", ["{pieces"]),
        ("{moves man-moves {move} x", ["{moves man-moves"]),
        ("( a comment", ["("]),
        ('S" a text', ['"']),
        (": f", [": f"]),
        (":", [":"]),
        ("VARIABLE", ["VARIABLE"]),
        (": f IF THEN BEGIN UNTIL 1 0 DO LOOP ;", []),
        (": f BEGIN 1 WHILE 2 REPEAT ;", []),
        ("{board 3 3 {grid} board}", []),
        (": f IF ;", []),  # the VM finishes the definition with a warning
        ("IF", []),  # outside a definition IF opens no structure
        ("1 2 + .", []),
    ],
)
def test_unfinished_texts_have_open_structures(text: str, expected: list[str]) -> None:
    assert opened(text) == expected


def test_partners_are_the_matching_words() -> None:
    text = ": f IF 1 ELSE 2 ENDIF ;"
    structure = read_structure(text)
    words = [text[slice(*span)] for span in structure.partners(text.index("ELSE") + 2)]
    assert words == ["IF", "ELSE", "ENDIF"]
    assert [text[slice(*span)] for span in structure.partners(0)] == [":", ";"]
    assert structure.partners(text.index("2")) != structure.partners(0)


def test_unmatched_closing_words_are_strays() -> None:
    structure = read_structure(": f ENDIF ; pieces}")
    assert [token.text for token in structure.strays] == ["ENDIF", "pieces}"]


def test_open_structures_of_each_line() -> None:
    structure = read_structure(": f\n IF ( a\n b ) 1\n ENDIF ;\n2")
    assert [[str(word) for word in line.opened()][::-1] for line in structure.lines] == [
        [],
        [": f"],
        [": f", "IF", "("],
        [": f", "IF"],
        [],
    ]


@pytest.mark.slow
@each_case("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_bundled_script_is_balanced(path: Path) -> None:
    structure = read_structure(path.read_text(encoding="utf-8"))
    assert structure.opened == ()
    assert structure.strays == ()


def test_the_library_is_balanced() -> None:
    for path in find_library("axiom", 150).files:
        structure = read_structure(path.read_text(encoding="utf-8"))
        assert (structure.opened, structure.strays) == ((), ())


def test_definition_at_returns_the_span_of_a_definition() -> None:
    text = "VARIABLE x\n: a 1 ; : b\n  2 ; IMMEDIATE\n5 x !\n"
    assert text[slice(*definition_at(text, text.index("b")))] == ": b\n  2 ; IMMEDIATE"
    assert text[slice(*definition_at(text, text.index("a 1")))] == ": a 1 ;"
    assert text[slice(*definition_at(text, text.index("x")))] == "VARIABLE x"


@given(st.text(alphabet=':;(){}"\\ \nIFSXab1.', max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    tokens = list(tokenize(text))
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    gaps = "".join(
        text[a:b]
        for a, b in zip(
            [0, *(t.end for t in tokens)], [*(t.start for t in tokens), len(text)], strict=True
        )
    )
    assert not gaps.strip(' \n"')
    assert len(read_structure(text).lines) == text.count("\n") + 1


@given(st.text(alphabet=":;() \\\nSDxy1", max_size=40))
def test_vm_agrees_on_open_structures(text: str) -> None:
    names = [token.text for token in tokenize(text) if token.kind is Kind.NAME]
    if not all(name.isalnum() for name in names):
        return  # the script may redefine `;`
    vm = forthvm.VM(library="core")
    vm.interpret(": S ; : D ; : x ; : y ;")
    try:
        vm.interpret(text)
    except forthvm.ForthVMError:
        return
    compiling = vm.memory.cell(vm.call("STATE")[0]) != 0
    assert compiling == (":" in [structure.word for structure in read_structure(text).opened])


def test_pygments_finds_the_lexer() -> None:
    from pygments import lex
    from pygments.token import Comment, Keyword, Name

    from forthvm.syntax.lexer import ForthScriptLexer

    text = ": sq ( n -- n*n )\n  DUP * ; \\ square\n"
    tokens = [(kind, value) for kind, value in lex(text, ForthScriptLexer()) if value.strip()]
    assert tokens == [
        (Keyword.Declaration, ":"),
        (Name.Function, "sq"),
        (Comment, "( n -- n*n )"),
        (Name.Builtin, "DUP"),
        (Name.Builtin, "*"),
        (Keyword.Declaration, ";"),
        (Comment, "\\ square"),
    ]
    assert "".join(value for _, value in lex(text, ForthScriptLexer())) == text


def test_the_entry_point_names_the_lexer() -> None:
    from forthvm.syntax.lexer import ForthScriptLexer

    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    (entry_point,) = project["project"]["entry-points"]["pygments.lexers"].values()
    module, _, name = entry_point.partition(":")
    assert getattr(import_module(module), name) is ForthScriptLexer
