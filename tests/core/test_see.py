"""`see`: its output equals the source, and compiles to the same definition."""

from __future__ import annotations

import pytest

from forthvm.core.errors import UndefinedWord
from forthvm.core.vm import VM

DEFINITIONS = [
    ": plain DUP * ;",
    ": numbers 1 -2 2147483647 ;",
    ": one-if 0< IF NEGATE ENDIF ;",
    ": two-ways 0< IF 1 ELSE 2 ENDIF 3 ;",
    ": nested IF IF 1 ELSE 2 ENDIF ELSE 3 ENDIF ;",
    ": until BEGIN 1- DUP 0= UNTIL DROP ;",
    ": while BEGIN DUP WHILE 1- REPEAT DROP ;",
    ": both BEGIN DUP WHILE DUP IF 1- ENDIF REPEAT DROP ;",
    ": loop 10 0 DO I . LOOP ;",
    ": step 0 9 DO I . -3 +LOOP ;",
    ": deep 3 0 DO 3 0 DO I J = IF LEAVE ENDIF LOOP LOOP ;",
    ': says ." hello there" S" a text" DROP ;',
    ': strings 0 ABORT" it\'s wrong" 1 ;',
    ": compiles COMPILE DUP ; IMMEDIATE",
    ": calls plain plain ;",
    ": early DUP IF DROP EXIT ENDIF 1+ ;",
    ": ends-in-if DUP IF DROP ENDIF ;",
    ": until-in-if IF BEGIN 1 UNTIL ENDIF ;",
    ": twice BEGIN BEGIN 1 UNTIL 1 UNTIL ;",
]


def words_of(text: str) -> list[str]:
    return text.split()


@pytest.fixture
def vm() -> VM:
    vm = VM(library="core", output=lambda text: None)
    vm.interpret(DEFINITIONS[0])
    return vm


@pytest.mark.parametrize("source", DEFINITIONS, ids=lambda text: text.split()[1])
def test_see_shows_the_source(vm: VM, source: str) -> None:
    vm.interpret(source)
    assert words_of(vm.see(source.split()[1])) == words_of(source)


@pytest.mark.parametrize("source", DEFINITIONS, ids=lambda text: text.split()[1])
def test_the_output_of_see_compiles_to_the_same_code(vm: VM, source: str) -> None:
    name = source.split()[1]
    vm.interpret(source)
    shown = vm.see(name)
    vm.interpret(shown)
    assert vm.see(name) == shown


def test_structure_is_indented(vm: VM) -> None:
    vm.interpret(": f DUP IF 1 ELSE 2 0 DO I LOOP ENDIF ;")
    assert vm.see("f").splitlines() == [
        ": f",
        "  DUP IF",
        "    1",
        "  ELSE",
        "    2 0 DO",
        "      I",
        "    LOOP",
        "  ENDIF ;",
    ]


@pytest.mark.parametrize(
    ("source", "name", "shown"),
    [
        ("5 CONSTANT five", "five", "5 CONSTANT five"),
        ("VARIABLE v 7 v !", "v", "CREATE v  \\ its cell holds 7"),
        ("DEFER d", "d", "DEFER d  ' (unset) IS d"),
        ("DEFER d ' DUP IS d", "d", "DEFER d  ' DUP IS d"),
        ("3 [] a", "a", "[] a  \\ the first cell holds 0"),
    ],
)
def test_constants_variables_defers_and_arrays_are_shown(
    vm: VM, source: str, name: str, shown: str
) -> None:
    vm.interpret(source)
    assert vm.see(name) == shown


def test_kernel_and_host_words_are_described(vm: VM) -> None:
    assert vm.see("SWAP").startswith("SWAP is a word of the kernel: ( a b -- b a )")
    vm.word("mine")(lambda: None)
    assert vm.see("mine") == "mine is a word of the host"


def test_unknown_words_raise(vm: VM) -> None:
    with pytest.raises(UndefinedWord):
        vm.see("nothing-such")


@pytest.mark.parametrize("library", ["core", "axiom"])
def test_every_word_can_be_shown(library: str) -> None:
    vm = VM(library=library)
    for name in vm.words():
        text = vm.see(name)
        assert name in text
        assert "(not a word)" not in text, name


def test_see_names_the_words_whose_tokens_are_literals(vm: VM) -> None:
    vm.interpret(": East 1 ; : go ['] East EXECUTE 300 ;")
    assert vm.see("go") == ": go ['] East EXECUTE 300 ;"
