"""Compose the handlers of superinstructions from the bodies of primitives.

Owns the parser of superinstructions.def and the C text of its handlers; superinstructions.c finds
the cells that a superinstruction replaces.  Of the VM it may know only the macros of
superinstructions.h.

A part is one word of a superinstruction.  The generator tracks the parameter stack: items pass from
part to part in C variables, and each handler checks the depth once and stores its results once.  A
superinstruction never fails.  If it cannot complete (too few items, an address that needs more
checks, no fuel), it takes the unfused fallback before it has changed anything: its first word runs
alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

MAX_PARTS = 4  # the same number as in superinstructions.c
MAX_ITEMS = 5  # largest index of vm->stack_least and vm->stack_most
OPERANDS = ("ip[-1].a", "ip[-1].b")


class Word(Protocol):
    """Fields of a record of primitives.def."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...]
    raw: bool
    call: str | None


@dataclass(frozen=True)
class Part:
    """One word of a superinstruction; OPERAND in its body is a field of the slot."""

    op: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...]
    cells: int = 1
    extra_depth: int = 0  # additional stack cells that the unfused library word needs
    control: bool = False  # the body ends the handler and stores the stack items itself (SPILL)

    @property
    def text(self) -> str:
        """The body as one line."""
        return " ".join(self.body)

    @property
    def falls_back(self) -> bool:
        """Whether the part may take the unfused fallback."""
        return re.search(r"STORE_|LOAD_|RNEED|FAIL|FALLBACK|SPEND", self.text) is not None

    @property
    def has_effect(self) -> bool:
        """Whether the part changes more than items of the parameter stack."""
        return re.search(r"STORE_|rp--|rp -=|\+\+rp|rp\[-1\] =|fvm_put", self.text) is not None


_TARGET = "const fvm_slot *target = TARGET_SLOT(OPERAND);"
_GO = "ip = target; NEXT;"
_LOOP = (
    _TARGET,
    "if (FVM_UNLIKELY(rp < vm->rloop)) FALLBACK;",
    "fvm_cell index = (fvm_cell)((uint32_t)*rp + 1u);",
    "if (index < rp[-1]) { SPEND_OR_FALL_BACK; *rp = index; SPILL; " + _GO + " }",
    "rp -= 3; SPILL; SKIP; NEXT;",
)
# Words with an operand in their slot, and words that end a superinstruction.
SPECIAL = {
    "LIT": Part("FVM_OP_LIT", (), ("x",), ("x = OPERAND;",), cells=2),
    "VAR": Part("FVM_OP_VAR", (), ("x",), ("x = OPERAND;",)),
    "CONSTANT": Part("FVM_OP_CONSTANT", (), ("x",), ("x = fvm_cell_in(mem, (uint32_t)OPERAND);",)),
    "SCALE": Part(
        "FVM_OP_SCALE", ("n",), ("m",), ("m = (fvm_cell)((uint32_t)n * (uint32_t)OPERAND);",),
        extra_depth=1,
    ),
    "0BRANCH": Part(
        "FVM_OP_JUMP_ZERO", ("x",), (),
        (
            "if (x == 0) {", _TARGET,
            "if (FVM_UNLIKELY(target < ip + BEFORE)) SPEND_OR_FALL_BACK;",
            "SPILL; " + _GO + " }", "SPILL; SKIP; NEXT;",
        ),
        cells=2, control=True,
    ),
    "BRANCH": Part(
        "FVM_OP_JUMP", (), (),
        (_TARGET, "if (FVM_UNLIKELY(target < ip + BEFORE)) SPEND_OR_FALL_BACK;", "SPILL; " + _GO),
        cells=2, control=True,
    ),
    "(LOOP)": Part("FVM_OP_LOOP_BACK", (), (), _LOOP, cells=2, control=True),
    "CALL": Part(
        "FVM_OP_CALL", (), (),
        (
            "if (FVM_UNLIKELY(rp >= vm->rstack_high)) FALLBACK;", _TARGET, "SPEND_OR_FALL_BACK;",
            "*++rp = (fvm_cell)((uint32_t)(ip - code) * 4u + 4u * SKIPPED);", "SPILL; " + _GO,
        ),
        control=True,
    ),
    "(;)": Part("FVM_OP_RETURN", (), (), ("SPILL; SKIP; RETURN;",), control=True),
}  # fmt: skip


@dataclass(frozen=True)
class Superinstruction:
    """One line of superinstructions.def."""

    title: str
    parts: tuple[Part, ...]

    @property
    def operands(self) -> list[int]:
        """Indexes of the parts that have an operand."""
        return [i for i, part in enumerate(self.parts) if "OPERAND" in part.text]


def primitive(word: Word, op: str, location: str) -> Part:
    """Return a primitive as a part; exit if a handler cannot contain its body.

    `op`: C constant of the opcode; `location`: file, line and word, for the message.
    """
    part = Part(op, word.before, word.after, word.body)
    floats = any(re.fullmatch(r"f\d?", item) for item in (*word.before, *word.after))
    if word.call or word.raw or floats or re.search(r"\bsp\b|FALLIBLE|RPUSH3?\(|SPEND", part.text):
        sys.exit(f"{location} cannot be a part")
    return part


def read(path: Path, words: Mapping[str, Word], ops: Mapping[str, str]) -> list[Superinstruction]:
    """Return the superinstructions of the table, the longest first."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        names = line.split()
        if not names or names[0] == "#":
            continue
        location = f"{path.name}:{number}:"
        parts = []
        for name in names:
            if name not in SPECIAL and name not in words:
                sys.exit(f"{location} no word {name}")
            parts.append(
                SPECIAL.get(name) or primitive(words[name], ops[name], f"{location} {name}")
            )
        sequence = Superinstruction(line.strip().replace("*/", "* /"), tuple(parts))
        check(sequence, location)
        found.append(sequence)
    return sorted(found, key=lambda sequence: -len(sequence.parts))


def check(sequence: Superinstruction, location: str) -> None:
    """Exit if the generator cannot compose a handler for the sequence."""
    if not 1 < len(sequence.parts) <= MAX_PARTS or len(sequence.operands) > len(OPERANDS):
        sys.exit(f"{location} too many or too few parts or operands")
    if any(part.control for part in sequence.parts[:-1]):
        sys.exit(f"{location} a control word before the end")
    effects = [i for i, part in enumerate(sequence.parts) if part.has_effect]
    if effects and any(part.falls_back for part in sequence.parts[effects[0] + 1 :]):
        sys.exit(f"{location} a part that may fall back follows one with an effect")


class Handler:
    """The C text of one superinstruction, composed part by part."""

    def __init__(self, sequence: Superinstruction) -> None:
        self.sequence = sequence
        self.lines: list[str] = []
        self.stack: list[str] = []  # C variables of the items that are not in stack memory
        self.popped = 0  # number of items popped from stack memory
        self.max_depth = 0  # maximum depth relative to the depth at the start
        self.cells = 0  # number of cells of the parts added so far

    def pop(self) -> str:
        """Pop an item; return its variable."""
        if self.stack:
            return self.stack.pop()
        self.popped += 1
        return f"in{self.popped - 1}"

    def spill(self) -> str:
        """Return C code that stores the items where the next slot expects them."""
        pushed = len(self.stack)
        lines = ["*sp = tos;"] if self.popped == 0 and pushed > 0 else []
        for index, item in enumerate(self.stack[:-1]):
            # Not stored: an item that was loaded from the same stack slot.  in0 comes from tos.
            if item != f"in{self.popped - 1 - index}" or item == "in0":
                lines.append(f"sp[{index + 1 - self.popped}] = {item};")
        if pushed:
            lines.append(f"tos = {self.stack[-1]};")
        elif self.popped:
            lines.append(f"tos = sp[{-self.popped}];")
        if pushed != self.popped:
            lines.append(f"sp += {pushed - self.popped};")
        return " ".join(lines)

    def add(self, index: int, part: Part) -> None:
        """Add the body of a part, in a block with variables for its items."""
        before = [self.pop() for _ in part.before][::-1]
        made = [item for item in part.after if item not in part.before]
        outs = [
            before[part.before.index(item)] if item in part.before else f"v{index}_{position}"
            for position, item in enumerate(part.after)
        ]
        base = len(self.stack) - self.popped
        depth = base + max(len(part.before) + part.extra_depth, len(part.after))
        self.max_depth = max(self.max_depth, depth)
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
        """Return a line of the body of part `index` with the placeholders replaced.

        OPERAND: the field of the slot; SPILL: code that stores the items; SKIP: code that moves ip
        to the slot after the sequence; SKIPPED: number of cells after the first cell; BEFORE:
        number of cells before this part.
        """
        if "OPERAND" in line:
            line = line.replace("OPERAND", OPERANDS[self.sequence.operands.index(index)])
        line = line.replace("SPILL;", self.spill()).replace("SKIPPED", f"{self.cells - 1}u")
        line = line.replace("BEFORE", f"{self.cells - self.sequence.parts[index].cells}")
        return line.replace("SKIP;", f"ip += {self.cells - 1};")

    def text(self, number: int) -> list[str]:
        """Return the C text of the handler."""
        for index, part in enumerate(self.sequence.parts):
            self.add(index, part)
        if not self.sequence.parts[-1].control:
            self.lines.append(f"    {self.spill()} ip += {self.cells - 1}; NEXT;")
        if max(self.popped, self.max_depth) > MAX_ITEMS:
            sys.exit(f"{self.sequence.title}: uses more than {MAX_ITEMS} stack items")
        head = [f"HANDLER(super_{number}) {{ /* {self.sequence.title} */"]
        head += [f"    NEED({self.popped});"] if self.popped else []
        head += [f"    ROOM({self.max_depth});"] if self.max_depth > 0 else []
        for item in range(self.popped):
            head.append(f"    fvm_cell in{item} = {f'sp[{-item}]' if item else 'tos'};")
            head.append(f"    (void)in{item};")
        return [*head, *self.lines, "}"]


def variable(item: str) -> str:
    """Return the C variable for an item of a stack effect."""
    return "flag" if item == "?" else item.replace("'", "")


def outputs(
    path: Path, words: Mapping[str, Word], ops: Mapping[str, str], note: str
) -> dict[str, str]:
    """Return the generated files by name.  ops: the C constants of primitives."""
    handlers, labels, table = [note], [note], [note]
    for number, sequence in enumerate(read(path, words, ops)):
        handlers += Handler(sequence).text(number)
        labels.append(f"SPECIAL(FVM_OP_SUPER + {number}, super_{number})")
        first, second, *_ = [*sequence.operands, MAX_PARTS, MAX_PARTS]
        parts = ", ".join(part.op for part in sequence.parts)
        table.append(f"{{{len(sequence.parts)}, {{{first}, {second}}}, {{{parts}}}}},")
    texts = {"handlers": handlers, "labels": labels, "table": table}
    return {f"super_{name}.inc": "\n".join(lines) + "\n" for name, lines in texts.items()}
