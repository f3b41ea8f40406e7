"""Compose the handlers of superinstructions from the bodies of primitives.

Owns the parser of superinstructions.def and the C text of its handlers; superinstructions.c finds
the cells that a superinstruction replaces.  It must not know the VM beyond the macros of
superinstructions.h.

The generator tracks the parameter stack, so items pass from part to part in C variables,
the depth is checked once, and the result is stored once.  A superinstruction never fails: when it
cannot run (too few items, an address that needs more checks, no fuel) it takes the unfused
fallback, before it has changed anything, and its first word runs by itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

MAX_PARTS = 4  # as in superinstructions.c
MAX_ITEMS = 5  # of vm->stack_least and vm->stack_most
OPERANDS = ("ip[-1].a", "ip[-1].b")


class Word(Protocol):
    """The fields of a record of primitives.def that are used here."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...]
    raw: bool
    call: str | None


@dataclass(frozen=True)
class Part:
    """A part of a superinstruction; OPERAND in its body is a field of the slot."""

    op: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...]
    cells: int = 1
    room: int = 0  # stack cells that a library word needs in addition when it is called
    control: bool = False  # the body ends the handler, and finds the stacks as SETTLE leaves them

    @property
    def text(self) -> str:
        """The body as one line."""
        return " ".join(self.body)

    @property
    def falls_back(self) -> bool:
        """Whether it may take the unfused fallback."""
        return re.search(r"STORE_|LOAD_|FAIL|FALLBACK|SPEND", self.text) is not None

    @property
    def has_effect(self) -> bool:
        """Whether it changes more than items of the parameter stack."""
        return re.search(r"STORE_|rp--|rp -=|\+\+rp|rp\[-1\] =|fvm_put", self.text) is not None


_TARGET = "const fvm_slot *target = AWAY(OPERAND);"
_GO = "ip = target; NEXT;"
_STEP = (
    _TARGET,
    "if (FVM_UNLIKELY(rp < vm->rloop)) FALLBACK;",
    "fvm_cell index = (fvm_cell)((uint32_t)*rp + 1u);",
    "if (index < rp[-1]) { SPEND_OR_FALL_BACK; *rp = index; SETTLE; " + _GO + " }",
    "rp -= 3; SETTLE; PASS; NEXT;",
)
# Words that take an operand from their slot, and those that end a superinstruction.
SPECIAL = {
    "LIT": Part("FVM_OP_LIT", (), ("x",), ("x = OPERAND;",), cells=2),
    "VAR": Part("FVM_OP_VAR", (), ("x",), ("x = OPERAND;",)),
    "CONSTANT": Part("FVM_OP_CONSTANT", (), ("x",), ("x = cell_at(mem, (uint32_t)OPERAND);",)),
    "SCALE": Part(
        "FVM_OP_SCALE", ("n",), ("m",), ("m = (fvm_cell)((uint32_t)n * (uint32_t)OPERAND);",),
        room=1,
    ),
    "0BRANCH": Part(
        "FVM_OP_JUMP_ZERO", ("x",), (),
        (
            "if (x == 0) {", _TARGET,
            "if (FVM_UNLIKELY(target < ip + BEFORE)) SPEND_OR_FALL_BACK;",
            "SETTLE; " + _GO + " }", "SETTLE; PASS; NEXT;",
        ),
        cells=2, control=True,
    ),
    "BRANCH": Part(
        "FVM_OP_JUMP", (), (),
        (_TARGET, "if (FVM_UNLIKELY(target < ip + BEFORE)) SPEND_OR_FALL_BACK;", "SETTLE; " + _GO),
        cells=2, control=True,
    ),
    "(LOOP)": Part("FVM_OP_LOOP_BACK", (), (), _STEP, cells=2, control=True),
    "CALL": Part(
        "FVM_OP_CALL", (), (),
        (
            "if (FVM_UNLIKELY(rp >= vm->rstack_high)) FALLBACK;", _TARGET, "SPEND_OR_FALL_BACK;",
            "*++rp = (fvm_cell)((uint32_t)(ip - code) * 4u + 4u * PASSED);", "SETTLE; " + _GO,
        ),
        control=True,
    ),
    "(;)": Part("FVM_OP_RETURN", (), (), ("SETTLE; PASS; RETURN;",), control=True),
}  # fmt: skip


@dataclass(frozen=True)
class Superinstruction:
    """A line of the table."""

    title: str
    parts: tuple[Part, ...]

    @property
    def operands(self) -> list[int]:
        """The parts that have an operand."""
        return [i for i, part in enumerate(self.parts) if "OPERAND" in part.text]


def primitive(word: Word, op: str, fault: str) -> Part:
    """A primitive as a part; ends the program if it cannot be one."""
    part = Part(op, word.before, word.after, word.body)
    floats = any(re.fullmatch(r"f\d?", item) for item in (*word.before, *word.after))
    if word.call or word.raw or floats or re.search(r"\bsp\b|FALLIBLE|RPUSH3?\(|SPEND", part.text):
        sys.exit(f"{fault} cannot be a part")
    return part


def read(path: Path, words: Mapping[str, Word], ops: Mapping[str, str]) -> list[Superinstruction]:
    """The lines of the table, the longest first."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        names = line.split()
        if not names or names[0] == "#":
            continue
        fault = f"{path.name}:{number}:"
        parts = []
        for name in names:
            if name not in SPECIAL and name not in words:
                sys.exit(f"{fault} no word {name}")
            parts.append(SPECIAL.get(name) or primitive(words[name], ops[name], f"{fault} {name}"))
        one = Superinstruction(line.strip().replace("*/", "* /"), tuple(parts))
        check(one, fault)
        found.append(one)
    return sorted(found, key=lambda one: -len(one.parts))


def check(one: Superinstruction, fault: str) -> None:
    """Ends the program if the handler could not be composed."""
    if not 1 < len(one.parts) <= MAX_PARTS or len(one.operands) > len(OPERANDS):
        sys.exit(f"{fault} too many or too few parts or operands")
    if any(part.control for part in one.parts[:-1]):
        sys.exit(f"{fault} a control word before the end")
    effects = [i for i, part in enumerate(one.parts) if part.has_effect]
    if effects and any(part.falls_back for part in one.parts[effects[0] + 1 :]):
        sys.exit(f"{fault} a part that may fall back follows one with an effect")


class Handler:
    """The C text of one superinstruction, composed part by part."""

    def __init__(self, one: Superinstruction) -> None:
        self.one = one
        self.lines: list[str] = []
        self.stack: list[str] = []  # C variables of the items above those still in memory
        self.taken = 0  # items popped that were on the stack before
        self.most = 0  # maximum depth above those
        self.cells = 0  # of the parts so far

    def pop(self) -> str:
        """The variable of the top item, which may have been on the stack before."""
        if self.stack:
            return self.stack.pop()
        self.taken += 1
        return f"in{self.taken - 1}"

    def settle(self) -> str:
        """C that stores the items where the next slot expects them."""
        left = len(self.stack)
        lines = ["*sp = tos;"] if self.taken == 0 and left > 0 else []
        for index, item in enumerate(self.stack[:-1]):
            if item != f"in{self.taken - 1 - index}" or item == "in0":
                lines.append(f"sp[{index + 1 - self.taken}] = {item};")
        if left:
            lines.append(f"tos = {self.stack[-1]};")
        elif self.taken:
            lines.append(f"tos = sp[{-self.taken}];")
        if left != self.taken:
            lines.append(f"sp += {left - self.taken};")
        return " ".join(lines)

    def add(self, index: int, part: Part) -> None:
        """Add the body of a part, with its items in variables of its own."""
        before = [self.pop() for _ in part.before][::-1]
        made = [item for item in part.after if item not in part.before]
        outs = [
            before[part.before.index(item)] if item in part.before else f"v{index}_{place}"
            for place, item in enumerate(part.after)
        ]
        base = len(self.stack) - self.taken
        self.most = max(self.most, base + max(len(part.before) + part.room, len(part.after)))
        self.stack += outs
        self.cells += part.cells
        body = [self.expand(line, index) for line in part.body]
        new = [out for out in outs if out.startswith(f"v{index}_")]
        self.lines += [f"    fvm_cell {out};" for out in new]
        self.lines.append("    {")
        for item, value in zip(part.before, before, strict=True):
            if re.search(rf"\b{variable(item)}\b", part.text):
                self.lines.append(f"        fvm_cell {variable(item)} = {value};")
        self.lines += [f"        fvm_cell {variable(item)};" for item in made]
        self.lines += [f"        {line}" for line in body]
        for out, item in zip(new, made, strict=True):
            self.lines.append(f"        {out} = {variable(item)}; (void){out};")
        self.lines.append("    }")

    def expand(self, line: str, index: int) -> str:
        """A line of a body with OPERAND, SETTLE, PASS, PASSED and BEFORE replaced."""
        if "OPERAND" in line:
            line = line.replace("OPERAND", OPERANDS[self.one.operands.index(index)])
        line = line.replace("SETTLE;", self.settle()).replace("PASSED", f"{self.cells - 1}u")
        line = line.replace("BEFORE", f"{self.cells - self.one.parts[index].cells}")
        return line.replace("PASS;", f"ip += {self.cells - 1};")

    def text(self, number: int) -> list[str]:
        """The whole handler."""
        for index, part in enumerate(self.one.parts):
            self.add(index, part)
        if not self.one.parts[-1].control:
            self.lines.append(f"    {self.settle()} ip += {self.cells - 1}; NEXT;")
        if max(self.taken, self.most) > MAX_ITEMS:
            sys.exit(f"{self.one.title}: too deep a look at the stack")
        head = [f"HANDLER(super_{number}) {{ /* {self.one.title} */"]
        head += [f"    LEAST({self.taken});"] if self.taken else []
        head += [f"    MOST({self.most});"] if self.most > 0 else []
        for item in range(self.taken):
            head.append(f"    fvm_cell in{item} = {f'sp[{-item}]' if item else 'tos'};")
            head.append(f"    (void)in{item};")
        return [*head, *self.lines, "}"]


def variable(item: str) -> str:
    """The C variable for an item of a stack effect."""
    return "flag" if item == "?" else item.replace("'", "")


def outputs(
    path: Path, words: Mapping[str, Word], ops: Mapping[str, str], note: str
) -> dict[str, str]:
    """The generated files by name; ops: the C constants of primitives."""
    found = read(path, words, ops)
    handlers, labels, table = [note], [note], [note]
    for number, one in enumerate(found):
        handlers += Handler(one).text(number)
        labels.append(f"SPECIAL(FVM_OP_SUPER + {number}, super_{number})")
        held = [*one.operands, MAX_PARTS, MAX_PARTS]
        parts = ", ".join(part.op for part in one.parts)
        table.append(f"{{{len(one.parts)}, {{{held[0]}, {held[1]}}}, {{{parts}}}}},")
    texts = {"handlers": handlers, "labels": labels, "table": table}
    return {f"super_{name}.inc": "\n".join(lines) + "\n" for name, lines in texts.items()}
