"""The grammars of the VS Code extension agree with the tokenizers in every character.

The grammars run in the engine of VS Code, so the tests need Node.js and `npm ci` in editors/vscode.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forthvm.core.loading.source import read_script
from forthvm.syntax import Kind, tokenize, tokens
from forthvm.zrf.reading import nodes
from forthvm.zrf.reading.text import RuleText
from tests.kit.processes import output_of

CHECKOUT = Path(__file__).resolve().parents[3]
EXTENSION = CHECKOUT / "editors" / "vscode"
GENERATOR = CHECKOUT / "docs" / "make_grammars.py"
FOLDERS = [CHECKOUT / name for name in ("scripts", "axiom_lib", "tests")]

needs_packages = pytest.mark.skipif(
    shutil.which("node") is None or not (EXTENSION / "node_modules").exists(),
    reason="needs Node.js and `npm ci` in editors/vscode",
)


def files(pattern: str) -> list[Path]:
    return sorted(path for folder in FOLDERS for path in folder.rglob(pattern))


def scopes(scope: str, texts: list[str]) -> list[list[str]]:
    """Returns the innermost scope of each character of texts."""
    lines = [[line.removesuffix("\r") for line in text.split("\n")] for text in texts]
    assert all(max(text, default=" ") <= "\uffff" for text in texts)  # as JavaScript counts
    printed = output_of("node", "test/scopes.mjs", scope, stdin=json.dumps(lines), folder=EXTENSION)
    found = []
    for text, tokenized in zip(texts, json.loads(printed), strict=True):
        classes = [""] * (len(text) + 1)
        start = 0
        for line, spans in zip(text.split("\n"), tokenized, strict=True):
            for first, last, name in spans:
                end = min(last, len(line.removesuffix("\r")))
                classes[start + first : start + end] = [name] * (end - first)
            start += len(line) + 1
        found.append(classes)
    return found


def script_classes(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Yields (start, end, kind) of the tokens; names of defining words of the script are words."""
    reader = ""
    for token in tokenize(text):
        kind = token.kind
        if kind is Kind.NAME and reader not in tokens.DEFINING:
            [alone] = list(tokenize(token.text, compiling=True))[:1]
            kind = alone.kind
        yield token.start, token.end, kind
        reader = token.text


def differences(
    text: str, expected: list[tuple[int, int, str]], actual: list[str]
) -> Iterator[tuple[int, str, str, str]]:
    """Yields (line, token, expected scope, actual scope)."""
    for start, end, scope in expected:
        for index in range(start, end):
            if text[index] not in " \t\r\n\f\v\0" and actual[index] != scope:
                yield text.count("\n", 0, start) + 1, text[start:end], scope, actual[index]
                break


@needs_packages
@pytest.mark.slow
def test_scripts() -> None:
    paths = files("*.4th")
    assert len(paths) > 50
    scope_of = script_scopes()
    texts = []
    for path in paths:
        data, encoding = read_script(path)
        texts.append(data.decode(encoding, errors="replace"))
    for path, text, actual in zip(paths, texts, scopes("source.forthscript", texts), strict=True):
        expected = [(start, end, scope_of[kind]) for start, end, kind in script_classes(text)]
        assert not list(differences(text, expected, actual)), path


def script_scopes() -> dict[Kind, str]:
    """Returns the scopes in which the generator shows the kinds of tokens."""
    sys.path.insert(0, str(GENERATOR.parent))
    try:
        from make_grammars import SCOPES
    finally:
        sys.path.pop(0)
    suffix = ".forthscript"
    return {kind: (scope or "source") + suffix for kind, scope in SCOPES.items()}


PECULIAR = [
    "\\ one\n\\\n\nin the comment\nnot\n\\ \nin it\nout",
    "( ) 1 2 ) 3",
    '." a b"c S" " d" e',
    ": f ( -- ) VARIABLE x [ VARIABLE y ] ; VARIABLE z",
    ":\nname IF [']\nDUP ; ' f",
    "] DUP 1 [ : [ 2 ;",
    "1 -1 +1. .5e3 1e3 1.5E-3 {piece} a {moves m\n{move} n moves}",
]


@needs_packages
@pytest.mark.parametrize("text", PECULIAR)
def test_peculiar_scripts(text: str) -> None:
    scope_of = script_scopes()
    expected = [(start, end, scope_of[kind]) for start, end, kind in script_classes(text)]
    assert list(differences(text, expected, scopes("source.forthscript", [text])[0])) == []


RULE_SCOPES = {
    "open": {"punctuation.section.parens.zrf"},
    "close": {"punctuation.section.parens.zrf"},
    "string": {"string.quoted.double.zrf"},
    None: {"comment.line.semicolon.zrf"},
}


@needs_packages
@pytest.mark.slow
def test_rule_files() -> None:
    paths = files("*.zrf")
    assert len(paths) > 20
    texts = [RuleText.read(path).text for path in paths]
    named = {scope for scopes in RULE_SCOPES.values() for scope in scopes}
    for path, text, actual in zip(paths, texts, scopes("source.zrf", texts), strict=True):
        for match in nodes._TOKEN.finditer(text):
            characters = range(match.start(), match.end())
            found = {actual[index] for index in characters if not text[index].isspace()}
            if match.lastgroup == "name":
                assert not found & named, (path, match.group())
            else:
                assert found <= RULE_SCOPES[match.lastgroup], (path, match.group(), found)


@pytest.mark.slow
@pytest.mark.skipif(not EXTENSION.exists(), reason="sdists lack the extension")
def test_generated_files_are_current() -> None:
    output_of(sys.executable, GENERATOR, "--check")


TESTS = """# of a game
game tictactoe.4th
test Three in a row
  board
    3 X . .
      a b c
  turn X
  moves in order a1; a2
  refused X b2 because empty?
  perft joined 2 72
  expect no end
  expect board
    3 X
  expect X mark a1
  variable score -3
"""


@needs_packages
@pytest.mark.slow
def test_test_files() -> None:
    [actual] = scopes("source.forthvm-test", [TESTS])
    expected = [
        ("# of a game", "comment.line.number-sign"),
        ("game", "keyword.other"),
        ("tictactoe.4th", "source"),
        ("Three in a row", "entity.name.function"),
        ("board", "keyword.other"),
        ("3 X . .", "string.unquoted.board"),
        ("a b c", "string.unquoted.board"),
        ("turn", "keyword.other"),
        ("moves", "keyword.control"),
        ("in order", "storage.modifier"),
        ("a1", "source"),
        (";", "punctuation.separator"),
        ("refused", "keyword.control"),
        ("because", "keyword.control"),
        ("empty?", "storage.modifier"),
        ("joined", "storage.modifier"),
        ("72", "constant.numeric"),
        ("no end", "keyword.other"),
        ("expect", "keyword.control"),
        ("3 X", "string.unquoted.board"),
        ("X mark a1", "source"),
        ("variable", "keyword.other"),
        ("-3", "constant.numeric"),
    ]
    end = 0
    for text, scope in expected:
        start = TESTS.index(text, end)
        end = start + len(text)
        found = {actual[index] for index in range(start, end) if not TESTS[index].isspace()}
        assert found == {f"{scope}.forthvm-test"}, text
