"""Words that share a slot do what they do one by one: the same items, stores, steps and errors.

Owns a definition for every sequence of native/tables/superinstructions.def, run with items that
suit it and with items that do not: too few, addresses outside and odd ones, zeros to
divide by, tokens and what are none, a stack that is nearly full.  The traced loop, which has one
word in a slot, is the judge.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from forthvm.core.bindings.trace import Trace
from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM

TABLE = Path(__file__).resolve().parents[2] / "native" / "tables" / "superinstructions.def"
DEEPEST = 6144 + 64
"""Items that the stack takes."""

PRELUDE = """
CREATE room 64 ALLOT
VARIABLE one  VARIABLE two  VARIABLE start
7 CONSTANT seven
: reader one @ ;
: writer two ! ;
4 [] table
: other 11 DROP ;
: taker DROP ;
DEFER later  ' other IS later
"""
WORDS = {
    "{var}": ["one"], "{m1}": ["seven"], "{const}": ["seven"], "{m2}": ["one", "@"],
    "{cell}": ["one", "@"],
    "{write}": ["writer"],
    "{scale}": ["CELLS"], "{index}": ["table"], "{pick2}": ["LIT", 2, "PICK"],
    "{pick3}": ["LIT", 3, "PICK"], "{ret}": ["(;)"], "{call}": ["other"], "{execute}": ["EXECUTE"],
    "{defer}": ["later"], "{pick}": ["LIT", 4, "PICK"], "{return}": ["EXIT"],
}  # fmt: skip
JUMPS = {
    "{if}": ("0BRANCH", "behind"), "{exit}": ("0BRANCH", "end"), "{until}": ("0BRANCH", "start"),
    "{jump}": ("BRANCH", "behind"), "{jret}": ("BRANCH", "end"), "{back}": ("BRANCH", "start"),
    "{loop}": ("(LOOP)", "start"), "{+loop}": ("(+LOOP)", "start"),
    "{again}": ("BRANCH", "start"), "{round}": ("(LOOP)", "start"),
    "{when}": ("0BRANCH", "then"), "{skip}": ("0BRANCH", "loop"),
    "{to-zero}": ("BRANCH", "zero"), "{to-zero-back}": ("BRANCH", "zero"),
}  # fmt: skip


LOOPED = ("{loop}", "{+loop}", "{round}", "{skip}", "I", "J", "LEAVE")
BESIDE = (["{jret}"], ["DUP", "{jret}"], ["{back}"], ["{to-zero}"], ["{to-zero-back}"])
"""What has slots of its own that are not in the table."""


CHOICES = {
    "{end}": ("{ret}", "{jret}"), "{test}": ("{if}", "{skip}"), "{m}": ("{m1}", "{m2}"),
    "{n}": ("{lit}", "{cell}"),
}  # fmt: skip


def sequences() -> list[list[str]]:
    """The lines of the table, and what a word of CHOICES stands for."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if line[:1] not in ("#", "")]
    found = []
    for line in (*lines, *BESIDE):
        choices = [CHOICES.get(word, (word,)) for word in line]
        found += [list(one) for one in product(*choices)]
    return found


class Body:
    """The cells of a definition, with the definitions that it calls before it."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.before: list[str] = []
        self.cells: list[str | int | tuple[str, str]] = []
        self.at: dict[str, int] = {}
        """Bytes from the first cell to places that jumps go to."""

    def add(self, *cells: str | int | tuple[str, str]) -> None:
        """Words, numbers, and (jump, where to)."""
        self.cells += cells

    def mark(self, place: str) -> None:
        """What comes next has this name."""
        self.at[place] = 4 * len(self.cells)

    def add_line(self, line: list[str]) -> None:
        """The words of a line of the table."""
        words = iter(line)
        for word in words:
            if word == "{(}":
                self.add(self.called(words))
            elif word == "{then}":
                self.mark("then")
            elif word == "{rest}":
                self.add("TRUE", "(;)")
            elif word == "{lit}":
                self.add("LIT", self.number)
            elif word in JUMPS:
                self.add(JUMPS[word][0], JUMPS[word])
            else:
                self.add(*WORDS.get(word, [word]))

    def called(self, words: Iterator[str]) -> str:
        """A definition of the words up to {)}."""
        inner, depth = [], 1
        for word in words:
            depth += (word == "{(}") - (word == "{)}")
            if depth == 0:
                break
            inner.append(word)
        body = Body(f"{self.name}-{len(self.before)}", self.number)
        body.add_line(inner)
        self.before.append(body.text(";"))
        return body.name

    def text(self, end: str) -> str:
        """All of it in Forth."""
        text = []
        for cell in self.cells:
            if isinstance(cell, tuple):
                text.append(f"start @ {self.at[cell[1]]} + ,")
            else:
                text.append(f"{cell} ," if isinstance(cell, int) else f"' {cell} ,")
        lines = [*self.before, f": {self.name} [ HERE start ! {' '.join(text)} ] {end}"]
        return "\n".join(lines)


def definition(name: str, line: list[str], number: int) -> str:
    """A definition of the line: in a counted loop if it has need of one, 99 behind it."""
    body = Body(name, number)
    if any(word in LOOPED for word in line):
        body.add("LIT", 3, "LIT", 0, "(DO)")
    body.mark("start")
    body.add_line(line)
    if "{skip}" in line:
        body.add("BRANCH", ("BRANCH", "behind"))
        body.mark("loop")
        body.add("(LOOP)", ("(LOOP)", "start"))
    for jump, place in (("{to-zero}", "behind"), ("{to-zero-back}", "start")):
        if jump in line:
            body.add("LIT", 5)
            body.mark("zero")
            body.add("0BRANCH", ("0BRANCH", place))
    body.mark("behind")
    body.at["end"] = body.at["behind"] + 8
    return f"{body.text('99 ;')}\n: call-{name} {name} 98 ;"


def source() -> str:
    """All definitions."""
    lines = [PRELUDE]
    for index, line in enumerate(sequences()):
        for number in (0, 2):
            lines.append(definition(f"x{index}-{number}", line, number))
    return "\n".join(lines)


def outcome(vm: VM, word: str, args: tuple[int, ...], data: int) -> tuple[object, ...]:
    """What a run left or why it ended, its steps, and the memory that it may change."""
    try:
        left: object = vm.call(word, *args)
    except ForthVMError as error:
        left = type(error).__name__, str(error)
    return left, vm.native.steps(), vm.native.read(data, 128)


def pair_of(*, checked: bool) -> tuple[list[VM], int]:
    """Two VMs with all definitions and little time to run; where their memory is."""
    pair = [VM(library="core", checked=checked) for _ in range(2)]
    for vm in pair:
        vm.interpret(source())
        vm.native.run_limits = (60, 0.0)
    (data,) = pair[0].call("room")
    return pair, data


def kind(fast: tuple[object, ...]) -> str:
    """Of an outcome: the error's name, or that there was none."""
    left = fast[0]
    return left[0] if isinstance(left, tuple) and left and isinstance(left[0], str) else "done"


@pytest.mark.parametrize("checked", [False, True])
def test_fused_words_do_what_they_do_one_by_one(*, checked: bool) -> None:
    pair, data = pair_of(checked=checked)
    items = [0, 1, -1, 2, 5, data, data + 4, data + 8, data + 1, data + 62, 3, 0x7FFFFFFC, -4, 60]
    items += [pair[0].token(name) for name in ("other", "taker", "seven", "table", "DUP", "(;)")]
    dice = random.Random(5)
    seen: Counter[str] = Counter()
    traced = Trace(pair[1].native, lambda _: None)
    for index, line in enumerate(sequences()):
        for number in (0, 2):
            for count in range(14):
                # From none to many items; the second time called, not run by itself.
                args = tuple(dice.choice(items) for _ in range(count % 7))
                word = f"{'call-' if count > 6 else ''}x{index}-{number}"
                fast, slow = (outcome(vm, word, args, data) for vm in pair)
                assert fast == slow, (line, number, args)
                seen[kind(fast)] += 1
    traced.close()
    assert seen["done"] > 500
    assert {"AddressError", "DivisionError", "BadCodeError", "StepLimitExceeded"} <= set(seen)
    assert not checked or seen["StackUnderflow"] > 100


@pytest.mark.parametrize("free", [0, 1, 2, 3])
def test_fused_words_stop_where_the_stack_is_full(free: int) -> None:
    pair, data = pair_of(checked=False)
    traced = Trace(pair[1].native, lambda _: None)
    states = []
    for vm in pair:
        vm.push(*(data + 4 * (i % 4) for i in range(DEEPEST - free)))
        states.append(vm.snapshot())
    seen: Counter[str] = Counter()
    for index, line in enumerate(sequences()):
        for word in (f"x{index}-2", f"call-x{index}-2"):
            for vm, state in zip(pair, states, strict=True):
                vm.restore(state)
            fast, slow = (outcome(vm, word, (), data) for vm in pair)
            assert fast == slow, (line, word)
            seen[kind(fast)] += 1
    traced.close()
    assert seen["StackOverflow"] >= 20
