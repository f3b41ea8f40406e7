"""The simulation of the stack, compared with the analysis of the checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.check.api import check_script
from forthvm.core.words.glossary import words
from forthvm.editor.language_server.documents import Document, tokens_of
from forthvm.editor.language_server.scripts import ScriptAnalysis, choose_script
from forthvm.editor.language_server.stack import simulate
from forthvm.editor.language_server.words import effect_of

ROOT = Path(__file__).parents[3]
GAMES = sorted((ROOT / "scripts").glob("*/*.4th"))


def stacks(text: str) -> list[str]:
    """Return the stack after each word of the first definition; ? if it is unknown."""
    table = words(150)
    tokens = tokens_of(text)
    steps = next(simulate(tokens, lambda name: table[name].effect if name in table else "")).steps
    return ["?" if step.stack is None else " ".join(step.stack) for step in steps]


def test_names_come_from_comments() -> None:
    assert stacks(": f ( a b -- a ) OVER SWAP DROP DROP ;") == ["a b a", "a a b", "a a", "a"]


def test_paths_join() -> None:
    assert stacks(": f ( ? -- n ) IF 1 ELSE 2 ENDIF ;") == ["", "1", "", "2", "1|2"]
    assert stacks(": f ( ? -- ) IF 1 ENDIF DROP ;") == ["", "1", "?", "?"]
    assert stacks(": f ( ? -- n ) IF 1 EXIT ENDIF 2 ;")[-1] == "2"
    assert stacks(": f ( n -- n ) BEGIN 1- DUP 0= UNTIL ;")[-1] == "m"
    assert stacks(": f ( n -- ) 0 DO I . LOOP ;") == ["n 0", "", "i", "", ""]


def test_execute_has_the_effect_of_the_word_that_it_runs() -> None:
    assert stacks(": f ( 'dir -- ) DUP EXECUTE verify ;") == ["'dir 'dir", "'dir ?", "'dir"]
    assert stacks(": f ( n -- n ) ['] DROP EXECUTE here ;") == ["n 'DROP", "", "here"]
    assert stacks(": f ( n 'word -- n ) EXECUTE here ;") == ["?", "?"]
    assert stacks(": f ( -- ) EXECUTE here ;") == ["?", "?"]


@pytest.mark.parametrize(
    ("comment", "after_does"),
    [
        ("", ["addr", "n", "?"]),
        ("( n addr -- n )", ["n addr", "n n", "n"]),
        ("( index pfa -- n )", ["index pfa", "index n", "n"]),
        ("( k -- n )", ["k addr", "k n", "n"]),
        ("( -- n )", ["addr", "n", "?"]),
        ("( ... addr -- n )", ["?", "?", "?"]),
    ],
)
def test_the_action_of_a_new_word(comment: str, after_does: list[str]) -> None:
    text = f": maker ( n -- ) <BUILDS , DOES> {comment} @ + ;"
    assert stacks(text) == ["n", "", *after_does]


def test_unfinished_definitions() -> None:
    assert stacks(": f ( a -- ) DUP IF") == ["a a", "a"]
    assert stacks(": f ( a -- ) unknown DUP") == ["?", "?"]
    assert stacks(": f ( -- ) ENDIF LOOP ELSE") == ["?", "?", "?"]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_stack_at_the_end_is_that_of_the_analysis(path: Path) -> None:
    choice = choose_script(path)
    program, findings = check_script(choice.main)
    analysis = ScriptAnalysis(choice, program, findings, began=0.0)
    document = Document(path.as_uri(), path, path.read_text())
    compared = 0
    for definition in simulate(document.tokens, lambda name: effect_of(document, analysis, name)):
        word = analysis.find(definition.name)
        effect = program.analysis.effect(word) if word is not None else None
        last = definition.steps[-1].stack if definition.steps else None
        if effect is None or not effect.exact or len(effect.leaves) != 1 or last is None:
            continue
        declared = program.analysis.comments.of(word) if word is not None else None
        if declared is None or len(declared.takes) != effect.takes:
            continue
        assert len(last) == effect.leaves[0], definition.name
        compared += 1
    colons = sum(token.text == ":" for token in document.tokens)
    assert compared >= colons // 3
