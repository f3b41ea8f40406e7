"""Tests that superinstructions have the effect of their words: equal items, stores, steps, errors.

Owns a definition for every line of native/tables/superinstructions.def.  The definition runs with
valid and invalid items: too few items, invalid and unaligned addresses, zero divisors, valid and
invalid tokens, a nearly full stack.  The traced interpreter, which has no superinstructions,
produces the expected outcome.
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
"""A word of PRELUDE for each name in the table that stands for words of a kind."""
JUMPS = {
    "0BRANCH": ("behind", "start", "itself"),
    "BRANCH": ("behind", "start", "end", "itself"),
    "(LOOP)": ("start",),
}
"""The targets of the jumps in the definitions of a line; each target has its own definition."""
EFFECTS = {name: effect.strip("() ").split("--") for name, effect, *_ in PRIMITIVES}
EFFECTS |= {name: ["", "x"] for name in ("LIT", "CONSTANT", "VAR", "reader")}
EFFECTS |= {"SCALE": ["n", "n"], "CALL": ["", ""], "writer": ["n", ""], "table": ["n", "addr"]}
EFFECTS |= {"later": ["", ""]}
"""The names of the items that a word pops, and of those that it pushes."""
LOOP_WORDS = ("(LOOP)", "I", "J")  # words that must run in a counted loop
OTHER_SLOTS = (["BRANCH"], ["0BRANCH"], ["(LOOP)"], ["reader"], ["writer"], ["table"], ["later"])
"""Instructions with special slots that are not in the table."""


def sequences() -> list[tuple[list[str], str]]:
    """Return the lines of the table, each with every target of its jump."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if line[:1] not in ("#", "")]
    return [
        (line, target) for line in (*lines, *OTHER_SLOTS) for target in JUMPS.get(line[-1], ("",))
    ]


class Body:
    """The cells of a definition."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.cells: list[str | int | tuple[str, str]] = []
        self.offsets: dict[str, int] = {}
        """Offsets of the targets of jumps, in bytes from the first cell."""

    def add(self, *cells: str | int | tuple[str, str]) -> None:
        """Append words, numbers, and jumps with the names of their targets."""
        self.cells += cells

    def mark(self, target: str) -> None:
        """Name the next cell as a target."""
        self.offsets[target] = 4 * len(self.cells)

    def add_line(self, line: list[str], target: str) -> None:
        """Append the words of a line of the table; `target`: the target of its jump."""
        for word in line:
            if word == "LIT":
                self.add("LIT", self.number)
            elif word in JUMPS:
                self.mark("itself")
                self.add(word, (word, target))
            else:
                self.add(WORDS.get(word, word))

    def text(self, end: str) -> str:
        """Return the definition in Forth."""
        text = []
        for cell in self.cells:
            if isinstance(cell, tuple):
                text.append(f"start @ {self.offsets[cell[1]]} + ,")
            else:
                text.append(f"{cell} ," if isinstance(cell, int) else f"' {cell} ,")
        return f": {self.name} [ HERE start ! {' '.join(text)} ] {end}"


def definition(name: str, line: list[str], target: str, number: int, *, full: bool = False) -> str:
    """Return a definition that runs the line, in a counted loop if necessary, and pushes 99.

    `number`: operand of LIT; `full`: when the line begins, the stack is as deep as at the call.
    """
    body = Body(name, number)
    if any(word in LOOP_WORDS for word in line):
        if full:
            body.add("2DROP")
        body.add("LIT", 3, "LIT", 0, "(DO)")
        if full:
            body.add("2DUP")
    body.mark("start")
    body.add_line(line, target)
    body.mark("behind")
    body.offsets["end"] = body.offsets["behind"] + 8
    return f"{body.text('99 ;')}\n: call-{name} {name} 98 ;"


def source() -> str:
    """Return the text of all definitions."""
    lines = [PRELUDE]
    for index, (line, target) in enumerate(sequences()):
        for number in (0, 2):
            lines.append(definition(f"x{index}-{number}", line, target, number))
        lines.append(definition(f"full-{index}", line, target, 2, full=True))
    return "\n".join(lines)


def outcome(vm: VM, word: str, args: tuple[int, ...], buffer: int) -> tuple[object, ...]:
    """Return the result or the error of a call, its steps, and the memory from `buffer` on."""
    try:
        result: object = vm.call(word, *args)
    except ForthVMError as error:
        result = type(error).__name__, str(error)
    return result, vm.native.steps(), vm.native.read(buffer, 128)


def pair_of_vms(*, checked: bool) -> tuple[list[VM], int]:
    """Return two VMs with all definitions and a low step limit, and the address of `buffer`."""
    pair = [VM(library="core", checked=checked) for _ in range(2)]
    for vm in pair:
        vm.interpret(source())
        vm.native.run_limits = (60, 0.0)
    (buffer,) = pair[0].call("buffer")
    return pair, buffer


def result_name(outcome: tuple[object, ...]) -> str:
    """Return the name of the error of an outcome, or "done"."""
    result = outcome[0]
    failed = isinstance(result, tuple) and result and isinstance(result[0], str)
    return str(result[0]) if failed else "done"


@pytest.mark.slow
@pytest.mark.parametrize("checked", [False, True])
def test_superinstructions_have_the_effect_of_their_words(*, checked: bool) -> None:
    pair, buffer = pair_of_vms(checked=checked)
    items = [0, 1, -1, 2, 5, buffer, buffer + 4, buffer + 8, buffer + 1, buffer + 62]
    items += [3, 0x7FFFFFFC, -4, 60]
    items += [pair[0].token(name) for name in ("other", "taker", "seven", "table", "DUP", "(;)")]
    generator = random.Random(5)
    results: Counter[str] = Counter()
    trace = Trace(pair[1].native, lambda _: None)
    for index, (line, _) in enumerate(sequences()):
        for number in (0, 2):
            for count in range(14):
                # The first 7 iterations call the word directly, with 0 to 6 items; the others call
                # it through another word.
                args = tuple(generator.choice(items) for _ in range(count % 7))
                word = f"{'call-' if count > 6 else ''}x{index}-{number}"
                untraced, traced_outcome = (outcome(vm, word, args, buffer) for vm in pair)
                assert untraced == traced_outcome, (line, number, args)
                results[result_name(untraced)] += 1
    trace.close()
    assert results["done"] > 500
    assert {"AddressError", "DivisionError", "BadCodeError", "StepLimitExceeded"} <= set(results)
    assert not checked or results["StackUnderflow"] > 100


def growth(line: list[str]) -> int:
    """Return the maximal number of items that the words of a line add to the stack."""
    items = highest = 0
    for word in line:
        popped, pushed = (part.split() for part in EFFECTS[word])
        items += len(pushed) - len(popped)
        highest = max(highest, items)
    return highest


@pytest.mark.sampled(2)
@pytest.mark.parametrize("free", [0, 1, 2, 3])
def test_superinstructions_overflow_like_their_words(free: int) -> None:
    pair, buffer = pair_of_vms(checked=False)
    trace = Trace(pair[1].native, lambda _: None)
    states = []
    for vm in pair:
        vm.push(*(buffer + 4 * (i % 4) for i in range(STACK_CAPACITY - free)))
        states.append(vm.snapshot())
    overflows = 0
    for index, (line, _) in enumerate(sequences()):
        for word in (f"full-{index}", f"call-full-{index}"):
            for vm, state in zip(pair, states, strict=True):
                vm.restore(state)
            untraced, traced_outcome = (outcome(vm, word, (), buffer) for vm in pair)
            assert untraced == traced_outcome, (line, word)
            if growth(line) > free:
                assert result_name(untraced) == "StackOverflow", (line, word)
                overflows += 1
    trace.close()
    # With `free` free cells: the minimum number of overflows.  No line pushes more than two items.
    assert overflows >= (60, 16, 0, 0)[free]
    assert (overflows > 0) == (free < 2)
