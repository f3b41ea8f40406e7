"""The words that share a slot: what native/tables/superinstructions.def says, read and checked.

Owns the parts that sequences are made of and which sequences there are.  How they become C is
native/fusion.py's business.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

TABLE = Path(__file__).resolve().parent / "tables" / "superinstructions.def"
MOST_CELLS = 24  # FVM_FUSED_CELLS of vm.h
MOST_PARTS = 28  # of superinstructions.c
SLOT_OPERANDS = 2


class Word(Protocol):
    """What is used of a record of primitives.def."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...]
    raw: bool
    call: str | None


@dataclass(frozen=True)
class Part:
    """A part of a sequence: its stack effect and what it does in C.

    `OPERAND` in the body stands for what its cell names or holds.
    """

    want: str
    cells: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...] = ()
    room: int = 0  # cells above its own inputs that it needs for a while
    kind: str = ""  # of the operand: value, slot; "" none
    ends: str = ""  # how it leaves the sequence

    @property
    def commits(self) -> bool:
        """Whether something has happened when it is done that cannot be done twice."""
        return _says(self, r"STORE_|rp--|rp -=|\*\+\+rp|rp\[-1\] =|fvm_put")

    @property
    def bails(self) -> bool:
        """Whether it may go to `alone`."""
        return _says(self, r"STORE_|LOAD_|FAIL|BAIL")


def _says(part: Part, pattern: str) -> bool:
    return re.search(pattern, " ".join(part.body)) is not None


def _push(text: str) -> tuple[str, ...]:
    return (f"x = {text};",)


MEMORY = "CELL_AT(OPERAND)"
SPECIAL = {
    part.want: part
    for part in (
        Part("lit", 2, (), ("x",), _push("OPERAND"), kind="value"),
        Part("var", 1, (), ("x",), _push("OPERAND"), kind="value"),
        Part("m1", 1, (), ("x",), _push(MEMORY), kind="value"),
        Part("const", 1, (), ("x",), _push(MEMORY), kind="value"),
        Part("cell", 2, (), ("x",), _push(MEMORY), kind="value"),
        Part("m2", 2, (), ("x",), _push(MEMORY), kind="value"),
        Part("write", 1, ("x",), (), ("STORE_CELL(OPERAND, x);",), room=1, kind="value"),
        Part(
            "scale", 1, ("n",), ("m",), ("m = (fvm_cell)((uint32_t)n * (uint32_t)OPERAND);",),
            room=1, kind="value",
        ),
        Part(
            "index", 1, ("n",), ("m",),
            ("m = (fvm_cell)((uint32_t)n * (uint32_t)FACTOR + (uint32_t)OPERAND);",),
            room=2, kind="pair",
        ),
        Part("pick2", 3, ("a", "b", "c"), ("a", "b", "c", "a2"), ("a2 = a;",)),
        Part("pick3", 3, ("a", "b", "c", "d"), ("a", "b", "c", "d", "a2"), ("a2 = a;",)),
        # other numbers and PICK, where a sequence begins: below it all items are in their places
        Part(
            "pick", 3, (), ("x",),
            (
                "uint32_t deep = (uint32_t)OPERAND;",
                "if (FVM_UNLIKELY(deep >= (uint32_t)(sp - vm->stack_least[0]))) BAIL;",
                "x = sp[-(int32_t)deep];",
            ),
            kind="value",
        ),
        Part("if", 2, ("x",), (), kind="slot", ends="if"),
        Part("exit", 2, ("x",), (), ends="exit"),
        Part("until", 2, ("x",), (), kind="slot", ends="until"),
        Part("jump", 2, (), (), kind="slot", ends="jump"),
        Part("back", 2, (), (), kind="slot", ends="back"),
        Part("loop", 2, (), (), kind="slot", ends="loop"),
        Part("+loop", 2, ("n",), (), kind="slot", ends="+loop"),
        Part("call", 1, (), (), kind="slot", ends="call"),
        Part("execute", 1, ("x",), (), ends="execute"),
        Part("defer", 1, (), (), kind="pair", ends="defer"),
        Part("jret", 2, (), (), ends="jret"),
        Part("ret", 1, (), (), ends="ret"),
        # a call of EXIT
        Part("return", 1, (), (), ends="return"),
        # 0BRANCH to {then}
        Part("when", 2, ("x",), (), ends="when"),
        Part("then", 0, (), (), ends="then"),
        # 0BRANCH to (LOOP); and what goes back to where the sequence begins
        Part("skip", 2, ("x",), (), kind="slot", ends="skip"),
        Part("again", 2, (), (), ends="again"),
        Part("round", 2, (), (), ends="round"),
        # the rest of a called definition, which is entered for it
        Part("rest", 0, (), (), ends="rest"),
        # a call of a definition that is done here: its words, and its end
        Part("(", 1, (), (), ends="open"),
        Part(")", 0, (), (), ends="close"),
    )
}  # fmt: skip
NAMED_ONLY = ("m1", "m2", "write", "scale", "index")  # operands that no cell holds
NARROW = ("lit", "cell", "skip", "again", "round")  # others take what these take
EXPANDED = {
    "m": ("m1", "m2"),
    "n": ("lit", "cell"),
    "end": ("ret", "jret"),
    "test": ("if", "skip"),
}  # a name for two parts


@dataclass
class Sequence:
    """One line of the table: words whose slot is one, or a definition's body in a slot."""

    names: tuple[str, ...]
    parts: tuple[Part, ...]
    leaf: bool = False

    @property
    def cells(self) -> int:
        """Cells that a slot takes."""
        if self.leaf:
            return 1
        cells = depth = 0
        for part in self.parts:
            depth -= part.ends == "close"
            cells += 0 if depth else part.cells
            depth += part.ends == "open"
        return cells

    @property
    def rank(self) -> tuple[int, int, int]:
        """Of those that fit, the least is taken: the longest, and what is said more narrowly."""
        narrow = sum(part.want in NARROW for part in self.parts)
        return -len(self.parts), -self.cells, -narrow

    @property
    def held(self) -> list[int]:
        """Parts whose operands lie in the slot; the others' are read from the cells."""
        pair = [i for i, part in enumerate(self.parts) if part.kind == "pair"]
        if pair:
            if any(part.want in NAMED_ONLY and part.kind == "value" for part in self.parts):
                sys.exit(f"{TABLE.name}: {self.title} has too many operands")
            return pair[:1] * SLOT_OPERANDS
        have = [i for i, part in enumerate(self.parts) if part.kind]
        round_about = self.parts[-1].ends in ("again", "round")

        def worth(index: int) -> tuple[bool, bool]:
            part = self.parts[index]
            return part.want not in NAMED_ONLY, round_about and part.kind == "slot"

        chosen = sorted(sorted(have, key=worth)[:SLOT_OPERANDS])
        if any(self.parts[i].want in NAMED_ONLY for i in have if i not in chosen):
            sys.exit(f"{TABLE.name}: {self.title} has too many operands")
        return chosen

    @property
    def title(self) -> str:
        """What comments call it."""
        text = " ".join(f"{{{n}}}" if n in SPECIAL else n for n in self.names)
        return (f": {text}" if self.leaf else text).replace("*/", "* /")


def plain(word: Word, name: str) -> Part:
    """The part that a primitive is; ends the program if it cannot be one."""
    text = " ".join(word.body)
    if word.call or word.raw or re.search(r"\bsp\b|FALLIBLE|RPUSH3?\(|SPEND", text):
        sys.exit(f"{TABLE.name}: {name} cannot be fused")
    return Part(name, 1, word.before, word.after, word.body)


# Words whose own bodies are not fit: what they spend must come after all that may fail.
OWN = {
    ">R": Part(
        ">R", 1, ("x",), (),
        (
            "RROOM(1);",
            "BURN(1);",
            "*++rp = x;",
        ),
    ),
    "LEAVE": Part("LEAVE", 1, (), (), ("if (rp < vm->rbase + 3) BAIL;", "rp[-1] = *rp;")),
}  # fmt: skip


def read(words: Mapping[str, Word]) -> list[Sequence]:
    """The sequences of superinstructions.def, each once."""
    found: dict[tuple[str, ...], Sequence] = {}
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        names = line.split(" # ")[0].split()
        if not names or names[0] == "#":
            continue
        lists: list[tuple[str, ...]] = [()]
        for name in names:
            inner = name[1:-1] if name[0] == "{" and name[-1] == "}" else ""
            if inner and inner not in SPECIAL and inner not in EXPANDED:
                sys.exit(f"{TABLE.name}:{number}: no part {name}")
            if not inner and name not in words:
                sys.exit(f"{TABLE.name}:{number}: no word {name}")
            choices = EXPANDED.get(inner, (inner or name,))
            lists = [(*one, choice) for one in lists for choice in choices]
        for one in lists:
            parts = tuple(SPECIAL.get(n) or OWN.get(n) or plain(words[n], n) for n in one)
            if not closed(parts):
                sys.exit(f"{TABLE.name}:{number}: ( and ) do not match or are left, or a late pick")
            found.setdefault(one, Sequence(one, parts))
    made = [s for s in found.values() if s.cells <= MOST_CELLS and s.names[-1] != "rest"]
    made += [Sequence(s.names, s.parts, leaf=True) for s in found.values() if may_be_leaf(s.parts)]
    for one in made:
        if len(one.parts) > MOST_PARTS:
            sys.exit(f"{TABLE.name}: {one.title} has too many parts")
    return made


def closed(parts: tuple[Part, ...]) -> bool:
    """Whether words that are entered end, and go nowhere else and do not look at who called.

    And whether {pick}, which looks below the items in variables, is where they begin.
    """
    depth = 0
    if any(part.want == "pick" for part in parts[1:]):
        return False
    for part in parts:
        depth += (part.ends == "open") - (part.ends == "close")
        inside = part.ends in ("", "open", "close", "when", "then") and not _says(part, r"\brp\b")
        if depth < 0 or (depth > 0 and not inside):
            return False
    return depth == 0


def may_be_leaf(parts: tuple[Part, ...]) -> bool:
    """Whether a definition of these words can be done where it is called.

    Nothing in it may look at the return stack.
    """
    inside = ("", "exit", "when", "then", "jret", "open", "close")
    if parts[-1].ends not in ("ret", "rest") or any(part.ends not in inside for part in parts[:-1]):
        return False
    return not any(_says(part, r"\brp\b") for part in parts)
