"""Tests that superinstructions have the effect of their words: equal items, stores, steps, errors.

Owns a definition for every line of native/tables/superinstructions.def.  It runs with valid and
invalid items: too few items, invalid and unaligned addresses, zero divisors, valid and invalid
tokens, a nearly full stack.  The traced interpreter, which has no superinstructions, gives the
expected outcome.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.bindings.trace import Trace
from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM

TABLE = Path(__file__).resolve().parents[2] / "native" / "tables" / "superinstructions.def"
STACK_CAPACITY = 6144 + 64
"""The capacity of the parameter stack in items, while a word runs."""

PRELUDE = """
CREATE buffer 64 ALLOT
VARIABLE one  VARIABLE two  VARIABLE start
7 CONSTANT seven
: reader one @ ;
: writer two ! ;
4 [] table
: other 11 DROP ;
: taker DROP ;
DEFER later  ' other IS later
"""
WORDS = {"VAR": "one", "CONSTANT": "seven", "SCALE": "CELLS", "CALL": "other"}
JUMPS = {
    "0BRANCH": ("behind", "start", "itself"),
    "BRANCH": ("behind", "start", "end", "itself"),
    "(LOOP)": ("start",),
}
"""The targets of the jumps in the definitions of a line."""
EFFECTS = {name: effect.strip("() ").split("--") for name, effect, *_ in PRIMITIVES}
EFFECTS |= {name: ["", "x"] for name in ("LIT", "CONSTANT", "VAR", "reader")}
EFFECTS |= {"SCALE": ["n", "n"], "CALL": ["", ""], "writer": ["n", ""], "table": ["n", "addr"]}
EFFECTS |= {"later": ["", ""]}
"""The names of the items that a word pops, and of those that it pushes."""
LOOPED = ("(LOOP)", "I", "J")
OTHER_SLOTS = (["BRANCH"], ["0BRANCH"], ["(LOOP)"], ["reader"], ["writer"], ["table"], ["later"])
"""Instructions with special slots that are not in the table."""


def sequences() -> list[tuple[list[str], str]]:
    """Return the lines of the table, each with every target of its jump."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if line[:1] not in ("#", "")]
    return [(line, to) for line in (*lines, *OTHER_SLOTS) for to in JUMPS.get(line[-1], ("",))]


class Body:
    """The cells of a definition."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.cells: list[str | int | tuple[str, str]] = []
        self.at: dict[str, int] = {}
        """Offsets of the targets of jumps, in bytes from the first cell."""

    def add(self, *cells: str | int | tuple[str, str]) -> None:
        """Append words, numbers, and jumps with the names of their targets."""
        self.cells += cells

    def mark(self, target: str) -> None:
        """Name the next cell as a target."""
        self.at[target] = 4 * len(self.cells)

    def add_line(self, line: list[str], to: str) -> None:
        """Append the words of a line of the table; `to`: the target of its jump."""
        for word in line:
            if word == "LIT":
                self.add("LIT", self.number)
            elif word in JUMPS:
                self.mark("itself")
                self.add(word, (word, to))
            else:
                self.add(WORDS.get(word, word))

    def text(self, end: str) -> str:
        """Return the definition in Forth."""
        text = []
        for cell in self.cells:
            if isinstance(cell, tuple):
                text.append(f"start @ {self.at[cell[1]]} + ,")
            else:
                text.append(f"{cell} ," if isinstance(cell, int) else f"' {cell} ,")
        return f": {self.name} [ HERE start ! {' '.join(text)} ] {end}"


def definition(name: str, line: list[str], to: str, number: int, *, full: bool = False) -> str:
    """Return a definition that runs the line, in a counted loop if necessary, and pushes 99.

    `full`: when the line begins, the stack is as deep as at the call.
    """
    body = Body(name, number)
    if any(word in LOOPED for word in line):
        if full:
            body.add("2DROP")
        body.add("LIT", 3, "LIT", 0, "(DO)")
        if full:
            body.add("2DUP")
    body.mark("start")
    body.add_line(line, to)
    body.mark("behind")
    body.at["end"] = body.at["behind"] + 8
    return f"{body.text('99 ;')}\n: call-{name} {name} 98 ;"


def source() -> str:
    """Return the text of all definitions."""
    lines = [PRELUDE]
    for index, (line, to) in enumerate(sequences()):
        for number in (0, 2):
            lines.append(definition(f"x{index}-{number}", line, to, number))
        lines.append(definition(f"full-{index}", line, to, 2, full=True))
    return "\n".join(lines)


def outcome(vm: VM, word: str, args: tuple[int, ...], data: int) -> tuple[object, ...]:
    """Return the result or the error of a call, its steps, and the memory that it may change."""
    try:
        result: object = vm.call(word, *args)
    except ForthVMError as error:
        result = type(error).__name__, str(error)
    return result, vm.native.steps(), vm.native.read(data, 128)


def two_vms(*, checked: bool) -> tuple[list[VM], int]:
    """Return two VMs with all definitions and few steps, and the address of their buffer."""
    pair = [VM(library="core", checked=checked) for _ in range(2)]
    for vm in pair:
        vm.interpret(source())
        vm.native.run_limits = (60, 0.0)
    (data,) = pair[0].call("buffer")
    return pair, data


def kind(outcome: tuple[object, ...]) -> str:
    """Return the name of the error of an outcome, or "done"."""
    result = outcome[0]
    failed = isinstance(result, tuple) and result and isinstance(result[0], str)
    return str(result[0]) if failed else "done"


@pytest.mark.parametrize("checked", [False, True])
def test_superinstructions_have_the_effect_of_their_words(*, checked: bool) -> None:
    pair, data = two_vms(checked=checked)
    items = [0, 1, -1, 2, 5, data, data + 4, data + 8, data + 1, data + 62, 3, 0x7FFFFFFC, -4, 60]
    items += [pair[0].token(name) for name in ("other", "taker", "seven", "table", "DUP", "(;)")]
    dice = random.Random(5)
    seen: Counter[str] = Counter()
    traced = Trace(pair[1].native, lambda _: None)
    for index, (line, _) in enumerate(sequences()):
        for number in (0, 2):
            for count in range(14):
                # With 0 to 6 items, run directly and called by another word.
                args = tuple(dice.choice(items) for _ in range(count % 7))
                word = f"{'call-' if count > 6 else ''}x{index}-{number}"
                fast, slow = (outcome(vm, word, args, data) for vm in pair)
                assert fast == slow, (line, number, args)
                seen[kind(fast)] += 1
    traced.close()
    assert seen["done"] > 500
    assert {"AddressError", "DivisionError", "BadCodeError", "StepLimitExceeded"} <= set(seen)
    assert not checked or seen["StackUnderflow"] > 100


def growth(line: list[str]) -> int:
    """Return the maximal number of items that the words of a line add to the stack."""
    items = highest = 0
    for word in line:
        popped, pushed = (part.split() for part in EFFECTS[word])
        items += len(pushed) - len(popped)
        highest = max(highest, items)
    return highest


@pytest.mark.parametrize("free", [0, 1, 2, 3])
def test_superinstructions_overflow_like_their_words(free: int) -> None:
    pair, data = two_vms(checked=False)
    traced = Trace(pair[1].native, lambda _: None)
    states = []
    for vm in pair:
        vm.push(*(data + 4 * (i % 4) for i in range(STACK_CAPACITY - free)))
        states.append(vm.snapshot())
    overflows = 0
    for index, (line, _) in enumerate(sequences()):
        for word in (f"full-{index}", f"call-full-{index}"):
            for vm, state in zip(pair, states, strict=True):
                vm.restore(state)
            fast, slow = (outcome(vm, word, (), data) for vm in pair)
            assert fast == slow, (line, word)
            if growth(line) > free:
                assert kind(fast) == "StackOverflow", (line, word)
                overflows += 1
    traced.close()
    # No line grows the stack by more than two items.
    assert overflows >= (60, 16, 0, 0)[free]
    assert (overflows > 0) == (free < 2)
