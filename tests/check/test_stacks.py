"""Tests of the stack at each place of a definition."""

from __future__ import annotations

from itertools import pairwise

import pytest

from forthvm import VM
from forthvm.check.analysis.stacks import compiled_stacks, stack_after
from forthvm.syntax import Kind, tokenize


@pytest.fixture(scope="module")
def vm() -> VM:
    return VM(output=lambda text: None)


def stacks(vm: VM, text: str) -> list[str]:
    """Return the stack after each word of a definition; ? if it is unknown."""
    (places,) = compiled_stacks(vm, [text])
    ignored = (Kind.COMMENT, Kind.NAME)
    words = [token for token in tokenize(text) if token.kind not in ignored]
    shown = [
        stack_after(places, word.start, word.end)
        for word, after in pairwise([*words, words[-1]])
        if word.text not in (":", ";") and after.kind is not Kind.QUOTED
    ]
    return ["?" if stack is None else " ".join(stack) for stack in shown]


def test_names_come_from_comments(vm: VM) -> None:
    text = ": f ( a b -- a ) OVER SWAP DROP DROP ;"
    assert stacks(vm, text) == ["a b a", "a a b", "a a", "a"]


def test_names_of_values(vm: VM) -> None:
    assert stacks(vm, ": f ( -- n ) 7 1+ here + TRUE ;") == ["7", "8", "8 here", "n", "n TRUE"]


def test_paths_join(vm: VM) -> None:
    assert stacks(vm, ": f ( ? -- n ) IF 1 ELSE 2 ENDIF ;") == ["", "1", "", "2", "1|2"]
    assert stacks(vm, ": f ( ? -- ) IF 1 ENDIF DROP ;") == ["", "1", "?", "?"]
    assert stacks(vm, ": f ( ? -- n ) IF 1 EXIT ENDIF 2 ;")[-1] == "2"
    assert stacks(vm, ": f ( n -- n ) BEGIN 1- DUP 0= UNTIL ;")[-1] == "m"
    assert stacks(vm, ": f ( n -- ) 0 DO I . LOOP ;") == ["n 0", "", "I", "", ""]


def test_execute_has_the_effect_of_the_word_that_it_runs(vm: VM) -> None:
    assert stacks(vm, ": f ( 'dir -- ) DUP EXECUTE verify ;") == ["'dir 'dir", "'dir ?", "'dir"]
    assert stacks(vm, ": f ( n -- n ) ['] DROP EXECUTE here ;") == ["n 'DROP", "", "here"]
    assert stacks(vm, ": f ( n 'word -- n ) EXECUTE here ;") == ["?", "?"]
    assert stacks(vm, ": f ( -- ) EXECUTE here ;") == ["?", "?"]


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
def test_the_action_of_a_new_word(vm: VM, comment: str, after_does: list[str]) -> None:
    text = f": maker ( n -- ) <BUILDS , DOES> {comment} @ + ;"
    assert stacks(vm, text) == ["n", "", *after_does]


def test_unfinished_definitions(vm: VM) -> None:
    assert stacks(vm, ": f ( a -- ) DUP IF") == ["a a", "a"]
    assert stacks(vm, ": f ( ? -- ) IF 1 ELSE 2 0") == ["", "1", "", "2", "2 0"]
    assert stacks(vm, ": f ( n -- ) BEGIN DUP WHILE 1-") == ["n", "n n", "n", "m"]
    assert stacks(vm, ": f ( a -- ) unknown DUP") == ["?", "?"]
    assert stacks(vm, ": f ( a -- )\n  DUP unknown\n  DUP") == ["a a", "?", "?"]
    assert stacks(vm, ": f ( -- ) ENDIF LOOP ELSE") == ["?", "?", "?"]


def test_a_definition_that_fails_does_not_affect_the_next(vm: VM) -> None:
    texts = [": f ( a -- ) unknown ;", ": g ( a -- a ) DUP DROP ;", ": h ( a -- a a ) g DUP ;"]
    failed, second, third = compiled_stacks(vm, texts)
    assert failed == []
    assert [place.before for place in second[:3]] == [("a",), ("a", "a"), ("a",)]
    assert [place.before for place in third[:3]] == [("a",), ("a",), ("a", "a")]


def test_the_vm_stays_as_it_was(vm: VM) -> None:
    here, texts = vm.native.here(), len(vm.sources.texts)
    compiled_stacks(vm, [": some-new-word ( -- ) 1 IF"])
    assert (vm.native.here(), len(vm.sources.texts)) == (here, texts)
    assert vm.find("some-new-word") is None
    vm.interpret("1 DROP")
