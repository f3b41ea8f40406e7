"""Superinstructions do what their words do one by one: the same items, stores, steps and errors.

Owns a definition for every line of native/tables/superinstructions.def, run with items that suit it
and with items that do not: too few, addresses outside and odd ones, zeros to divide by, tokens and
what are none, a nearly full stack.  The traced loop, which runs words unfused, is the judge.
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
WORDS = {"VAR": "one", "CONSTANT": "seven", "SCALE": "CELLS", "CALL": "other"}
JUMPS = {
    "0BRANCH": ("behind", "start", "itself"),
    "BRANCH": ("behind", "start", "end", "itself"),
    "(LOOP)": ("start",),
}
"""Where the definitions of a line jump to."""
EFFECTS = {name: effect.strip("() ").split("--") for name, effect, *_ in PRIMITIVES}
EFFECTS |= {name: ["", "x"] for name in ("LIT", "CONSTANT", "VAR", "reader")}
EFFECTS |= {"SCALE": ["n", "n"], "CALL": ["", ""], "writer": ["n", ""], "table": ["n", "addr"]}
EFFECTS |= {"later": ["", ""]}
"""Items that a word takes and leaves."""
LOOPED = ("(LOOP)", "I", "J")
BESIDE = (["BRANCH"], ["0BRANCH"], ["(LOOP)"], ["reader"], ["writer"], ["table"], ["later"])
"""What has slots of its own that are not in the table."""


def sequences() -> list[tuple[list[str], str]]:
    """The lines of the table, each with every place that it may jump to."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if line[:1] not in ("#", "")]
    return [(line, to) for line in (*lines, *BESIDE) for to in JUMPS.get(line[-1], ("",))]


class Body:
    """The cells of a definition."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.cells: list[str | int | tuple[str, str]] = []
        self.at: dict[str, int] = {}
        """Bytes from the first cell to places that jumps go to."""

    def add(self, *cells: str | int | tuple[str, str]) -> None:
        """Words, numbers, and (jump, where to)."""
        self.cells += cells

    def mark(self, place: str) -> None:
        """What comes next has this name."""
        self.at[place] = 4 * len(self.cells)

    def add_line(self, line: list[str], to: str) -> None:
        """The words of a line of the table; `to`: where it jumps."""
        for word in line:
            if word == "LIT":
                self.add("LIT", self.number)
            elif word in JUMPS:
                self.mark("itself")
                self.add(word, (word, to))
            else:
                self.add(WORDS.get(word, word))

    def text(self, end: str) -> str:
        """All of it in Forth."""
        text = []
        for cell in self.cells:
            if isinstance(cell, tuple):
                text.append(f"start @ {self.at[cell[1]]} + ,")
            else:
                text.append(f"{cell} ," if isinstance(cell, int) else f"' {cell} ,")
        return f": {self.name} [ HERE start ! {' '.join(text)} ] {end}"


def definition(name: str, line: list[str], to: str, number: int, *, full: bool = False) -> str:
    """A definition of the line: in a counted loop if it needs one, with 99 after it.

    `full`: the line begins with as many items on the stack as the definition.
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
    """All definitions."""
    lines = [PRELUDE]
    for index, (line, to) in enumerate(sequences()):
        for number in (0, 2):
            lines.append(definition(f"x{index}-{number}", line, to, number))
        lines.append(definition(f"full-{index}", line, to, 2, full=True))
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
def test_superinstructions_do_what_their_words_do(*, checked: bool) -> None:
    pair, data = pair_of(checked=checked)
    items = [0, 1, -1, 2, 5, data, data + 4, data + 8, data + 1, data + 62, 3, 0x7FFFFFFC, -4, 60]
    items += [pair[0].token(name) for name in ("other", "taker", "seven", "table", "DUP", "(;)")]
    dice = random.Random(5)
    seen: Counter[str] = Counter()
    traced = Trace(pair[1].native, lambda _: None)
    for index, (line, _) in enumerate(sequences()):
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


def rise(line: list[str]) -> int:
    """By how many items the stack grows at most while the words of a line run."""
    items = highest = 0
    for word in line:
        takes, leaves = (part.split() for part in EFFECTS[word])
        items += len(leaves) - len(takes)
        highest = max(highest, items)
    return highest


@pytest.mark.parametrize("free", [0, 1, 2, 3])
def test_superinstructions_stop_where_the_stack_is_full(free: int) -> None:
    pair, data = pair_of(checked=False)
    traced = Trace(pair[1].native, lambda _: None)
    states = []
    for vm in pair:
        vm.push(*(data + 4 * (i % 4) for i in range(DEEPEST - free)))
        states.append(vm.snapshot())
    overflows = 0
    for index, (line, _) in enumerate(sequences()):
        for word in (f"full-{index}", f"call-full-{index}"):
            for vm, state in zip(pair, states, strict=True):
                vm.restore(state)
            fast, slow = (outcome(vm, word, (), data) for vm in pair)
            assert fast == slow, (line, word)
            if rise(line) > free:
                assert kind(fast) == "StackOverflow", (line, word)
                overflows += 1
    traced.close()
    # No line grows the stack by more than two items.
    assert overflows >= (60, 16, 0, 0)[free]
    assert (overflows > 0) == (free < 2)
