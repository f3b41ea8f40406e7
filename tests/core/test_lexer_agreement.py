"""The lexer splits scripts into the same tokens as the outer interpreter.

The VM records, for every cell of a definition, the source position of the token that compiled it.
Each of these positions must be the start of a token, and each token of a definition that compiles
code must be among them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.check.text.lexer import lex
from forthvm.core.bindings.layout import CELL, DICTIONARY, FLAGS, HEADER, IMMEDIATE
from forthvm.syntax import Kind, tokenize

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "games").glob("*.4th"))
SCRIPTS = ["tictactoe", "breakthrough", "splut-duel", "rithmomachia", "chess", "thud", *GOLDEN]
COMPILED_KINDS = {Kind.NUMBER, Kind.KERNEL, Kind.WORD}


@pytest.fixture(scope="module", params=SCRIPTS, ids=lambda script: Path(script).stem)
def vm(request: pytest.FixtureRequest) -> forthvm.VM:
    return forthvm.load(request.param)._loaded.vm


def positions(vm: forthvm.VM) -> set[int]:
    """Return the source positions of all cells of the dictionary."""
    native = vm.native
    found = {native.source_at(address) for address in range(DICTIONARY, native.here(), CELL)}
    return found - {0}


def may_be_immediate(vm: forthvm.VM, word: str) -> bool:
    nfa = vm.native.find(word)
    return not nfa or bool(vm.native.read_cell(nfa + FLAGS) & IMMEDIATE)


@pytest.mark.sampled(11)
def test_source_positions_of_cells_are_starts_of_tokens(vm: forthvm.VM) -> None:
    compiled = positions(vm)
    for text in vm.sources.texts:
        starts = {text.base + token.start for token in tokenize(text.data.decode("latin-1"))}
        in_text = {at for at in compiled if text.base <= at < text.base + len(text.data)}
        assert in_text <= starts, text.name


@pytest.mark.sampled(11)
def test_tokens_of_definitions_have_cells(vm: forthvm.VM) -> None:
    compiled = positions(vm)
    counted = 0
    for text in vm.sources.texts:
        for token in tokenize(text.data.decode("latin-1")):
            if not token.compiling or token.kind not in COMPILED_KINDS:
                continue
            if token.kind is Kind.NUMBER or not may_be_immediate(vm, token.text):
                assert text.base + token.start in compiled, (text.name, token)
                counted += 1
    assert counted > 500


@pytest.mark.sampled(11)
def test_the_lexer_of_the_checks_finds_the_same_tokens(vm: forthvm.VM) -> None:
    for text in vm.sources.texts:
        starts = {token.start for token in lex(text.data).tokens}
        strings = 0  # the lexer of the checks makes one token of a string and the word before it
        for token in tokenize(text.data.decode("latin-1")):
            strings += token.kind is Kind.STRING
            assert token.start in starts or token.kind is Kind.STRING, (text.name, token)
        assert len(starts) + strings == sum(1 for _ in tokenize(text.data.decode("latin-1")))


@pytest.mark.sampled(4)
def test_the_size_of_a_header_agrees_with_the_layout(vm: forthvm.VM) -> None:
    assert vm.native.find("DUP") + HEADER == vm.token("DUP")
