"""Make the handlers of several words in one slot from native/fused.def.

Owns how bodies of words are joined: the parameter stack is followed while this runs, so that
items go from word to word in C variables, depth is checked once for all, and what is left is
stored once.  It knows the words of primitives.def and a few parts that are no primitives
(`{lit}`, `{call}`, ...); what a slot stands for is found by native/fuse.c, through the table
made here.

Nothing fused ever fails by itself.  What a handler cannot do at once (too few items, an address
that must be looked at closely, no steps left) makes it go to `alone`, where the first word that
has not been done is done by itself, with its errors and their places.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

TABLE = Path(__file__).resolve().parent / "fused.def"
MOST_CELLS = 16  # FVM_FUSED_CELLS of vm.h
SLOT_OPERANDS = 2
DEEPEST = 5  # items that stack_least and stack_most of vm.h know


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
        Part("if", 2, ("x",), (), kind="slot", ends="if"),
        Part("exit", 2, ("x",), (), ends="exit"),
        Part("until", 2, ("x",), (), kind="slot", ends="until"),
        Part("jump", 2, (), (), kind="slot", ends="jump"),
        Part("back", 2, (), (), kind="slot", ends="back"),
        Part("loop", 2, (), (), kind="slot", ends="loop"),
        Part("+loop", 2, ("n",), (), kind="slot", ends="+loop"),
        Part("call", 1, (), (), kind="slot", ends="call"),
        Part("execute", 1, ("x",), (), ends="execute"),
        Part("defer", 1, (), (), kind="value", ends="defer"),
        Part("jret", 2, (), (), ends="jret"),
        Part("ret", 1, (), (), ends="ret"),
    )
}  # fmt: skip
EXPANDED = {
    "m": ("m1", "m2"),
    "end": ("ret", "jret"),
}  # a name for two parts


@dataclass
class Sequence:
    """One line of fused.def: words whose slot is one, or a definition's body in a slot."""

    names: tuple[str, ...]
    parts: tuple[Part, ...]
    leaf: bool = False
    operands: list[Part] = field(default_factory=list)

    @property
    def cells(self) -> int:
        """Cells that a slot takes."""
        return 1 if self.leaf else sum(part.cells for part in self.parts)

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
    """The sequences of fused.def, each once."""
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
            found.setdefault(one, Sequence(one, parts))
    made = [s for s in found.values() if s.cells <= MOST_CELLS]
    made += [Sequence(s.names, s.parts, leaf=True) for s in found.values() if may_be_leaf(s.parts)]
    for one in made:
        one.operands = [part for part in one.parts if part.kind]
    return made


def may_be_leaf(parts: tuple[Part, ...]) -> bool:
    """Whether a definition of these words can be done where it is called.

    Then it is done as a whole or, by calling it, not at all; and nothing in it looks at the
    return stack.
    """
    if parts[-1].ends != "ret" or any(part.ends not in ("", "exit") for part in parts[:-1]):
        return False
    first = next((i for i, part in enumerate(parts) if part.commits), len(parts))
    return not any(part.bails for part in parts[first + 1 :]) and not any(
        _says(part, r"\brp\b") for part in parts
    )


class Joined:
    """The C text of one sequence, built part by part."""

    def __init__(self, sequence: Sequence) -> None:
        self.sequence = sequence
        self.lines: list[str] = []
        self.stack: list[str] = []  # what lies above the items not touched
        self.taken = 0
        self.most = 0
        self.names = 0
        self.committed = False
        self.bail = ""
        self.done = 0  # cells of the parts before this one

    # --- items ---------------------------------------------------------------------

    def pop(self) -> str:
        """The top item, which may be one that was there before."""
        if self.stack:
            return self.stack.pop()
        self.taken += 1
        return f"in{self.taken - 1}"

    def place(self, index: int) -> str:
        """Where the index-th item above the untouched ones lies in memory."""
        offset = index + 1 - self.taken
        return f"sp[{offset}]" if offset else "*sp"

    def settle(self) -> list[str]:
        """Puts everything where it lies between slots."""
        lines, left = [], len(self.stack)
        if self.taken == 0 and left > 0:
            lines.append("*sp = tos;")
        for index, item in enumerate(self.stack[:-1]):
            if item == f"in{self.taken - 1 - index}" and item != "in0":
                continue
            lines.append(f"{self.place(index)} = {item};")
        if left:
            if self.stack[-1] != "in0":
                lines.append(f"tos = {self.stack[-1]};")
        elif self.taken:
            lines.append(f"tos = sp[{-self.taken}];")
        if left != self.taken:
            lines.append(f"sp += {left - self.taken};")
        return lines

    # --- parts ---------------------------------------------------------------------

    def operand(self, part: Part, place: int) -> str:
        """What stands for OPERAND; a and b hold two, more are read behind the slot."""
        if self.pair:
            if part.kind == "pair":
                return "ip[-1].a"
        elif place < SLOT_OPERANDS:
            held = ("ip[-1].a", "ip[-1].b")[place]
            return f"AWAY({held})" if part.kind == "slot" else held
        behind = f"{'BODY' if self.sequence.leaf else 'BEHIND'}"
        text = f"{behind}({self.done})"
        if part.want in ("var", "call"):
            text = f"({behind}({self.done - 1}) + 4)"
        elif part.want not in ("lit", *SLOTS):
            sys.exit(f"{TABLE.name}: {self.sequence.title} has too many operands")
        return text if part.want in ("lit", "var") else f"code + ((uint32_t){text} >> 2)"

    @property
    def pair(self) -> bool:
        """Whether one part takes both operands of the slot."""
        return any(part.kind == "pair" for part in self.sequence.parts)

    def set_bail(self) -> None:
        """Says how the next part leaves all from itself on to `alone`."""
        text = "goto alone"
        if self.committed:
            text = f"do {{ {' '.join(self.settle())} ip += {self.done}; goto alone; }} while (0)"
        if text != self.bail:
            self.bail = text
            self.lines += ["#undef BAIL", f"#define BAIL {text}"]

    def add(self, part: Part, operand: str) -> None:  # noqa: C901 - in the order of the C text
        """A part that goes on with the next."""
        for name in part.before:
            if re.fullmatch(r"f\d?", name):
                sys.exit(f"{TABLE.name}: {self.sequence.title}: no floats")
        self.set_bail()
        before = [self.pop() for _ in part.before][::-1]
        base = len(self.stack) - self.taken
        self.most = max(self.most, base + len(part.before) + part.room, base + len(part.after))
        copies = self.copies(part)
        values: dict[str, str] = {}
        outs = []
        for item in part.after:
            source = copies.get(item)
            if source is not None:
                outs.append(before[part.before.index(source)])
                continue
            self.names += 1
            values[item] = f"v{self.names}"
            outs.append(f"v{self.names}")
        body = list(part.body)
        if all(item in copies for item in part.after) and not self.acts(part):
            body = []
        if body:
            self.lines += [f"    fvm_cell {value};" for value in values.values()]
            self.lines.append(f"    {{ /* {part.want.replace('*/', '* /')} */")
            used = " ".join(body)
            for name, value in zip(part.before, before, strict=True):
                if re.search(rf"\b{_c(name)}\b", used):
                    self.lines.append(f"        fvm_cell {_c(name)} = {value};")
            for item in part.after:
                if item not in part.before:
                    self.lines.append(f"        fvm_cell {_c(item)};")
            self.lines += [
                "        " + line.replace("OPERAND", operand).replace("FACTOR", "ip[-1].b")
                for line in body
            ]
            self.lines += [f"        {value} = {_c(item)};" for item, value in values.items()]
            self.lines.append("    }")
        self.stack += outs
        self.committed = self.committed or part.commits
        self.done += part.cells

    def copies(self, part: Part) -> dict[str, str]:
        """Outputs that are inputs: by name, or by the whole body being such copies."""
        found = {item: item for item in part.after if item in part.before}
        statements = [s.strip() for line in part.body for s in line.split(";") if s.strip()]
        for statement in statements:
            match = re.fullmatch(r"(\w+) = (\w+)", statement)
            if match and match[1] in part.after and match[2] in part.before:
                found[match[1]] = match[2]
        return found

    def acts(self, part: Part) -> bool:
        """Whether its body does more than copy items."""
        statements = [s.strip() for line in part.body for s in line.split(";") if s.strip()]
        return not all(re.fullmatch(r"\w+ = \w+", s) for s in statements)

    def leave(self, part: Part, operand: str) -> None:  # noqa: C901,PLR0912,PLR0915 - one per end
        """The last part, or a branch on the way."""
        self.set_bail()
        out, after = self.lines, self.done + part.cells
        step = f"    ip += {after - 1};" if after > 1 else ""
        if self.sequence.leaf:
            step = ""
        target = f"const fvm_slot *target = {operand};"
        fuel = ["    BURN(1);"]
        if part.ends in ("if", "until", "exit"):
            flag = self.pop()
            inside = [*self.settle(), "ip = target;", "NEXT;"]
            if part.ends == "until":
                inside = ["BURN(1);", *inside]
            if part.ends == "exit":
                target = "" if self.sequence.leaf else "uint32_t target = (uint32_t)*rp--;"
                inside = [*self.settle(), f"ip = code + ((uint32_t)BEHIND({self.done}) >> 2) + 1;"]
                inside.append("GOTO(target);")
                if self.sequence.leaf:
                    inside = ["fuel--;", *self.settle(), "NEXT;"]
            out += [f"    if ({flag} == 0) {{", f"        {target}"]
            out += [*(f"        {line}" for line in inside), "    }"]
            self.done = after
            if part is self.sequence.parts[-1]:
                out += [*(f"    {line}" for line in self.settle()), step, "    NEXT;"]
        elif part.ends in ("jump", "back"):
            out += [*(fuel if part.ends == "back" else []), f"    {target}"]
            out += [*(f"    {line}" for line in self.settle()), "    ip = target;", "    NEXT;"]
        elif part.ends in ("loop", "+loop"):
            by = "1" if part.ends == "loop" else self.pop()
            test = "index < rp[-1]"
            if part.ends == "+loop":
                test = f"{by} >= 0 ? index < rp[-1] : index >= rp[-1]"
            out += [
                "    if (FVM_UNLIKELY(rp < vm->rloop)) BAIL;",
                f"    fvm_cell index = (fvm_cell)((uint32_t)*rp + (uint32_t){by});",
                f"    if ({test}) {{",
                f"        {target}",
                *(f"    {line}" for line in fuel),
                "        *rp = index;",
                *(f"        {line}" for line in self.settle()),
                "        ip = target;",
                "        NEXT;",
                "    }",
                "    rp -= 3;",
                *(f"    {line}" for line in self.settle()),
                step,
                "    NEXT;",
            ]
        elif part.ends == "call":
            back = f"AFTER({after - 1})"
            if len(self.sequence.operands) == 1:  # b still holds the address behind the first cell
                back = f"(fvm_cell)((uint32_t)ip[-1].b + {4 * (after - 1)})"
            out += ["    RROOM(1);", "    BURN(1);", f"    {target}", f"    *++rp = {back};"]
            out += [*(f"    {line}" for line in self.settle()), "    ip = target;", "    NEXT;"]
        elif part.ends == "execute":
            token = self.pop()
            # An item more, as long as it may be a word with a DOES> part.
            self.most = max(self.most, len(self.stack) - self.taken + 1)
            out += [
                "    RROOM(1);",
                f"    uint32_t cfa = (uint32_t){token};",
                "    if (FVM_UNLIKELY(cfa - FVM_LOW > vm->span4)) BAIL;",
                "    fvm_cell made = (fvm_cell)((uint32_t)CELL_AT(cfa) ^ FVM_CODE_TAG), target;",
                "    if (FVM_LIKELY(made == FVM_OP_COLON)) target = (fvm_cell)(cfa + 4);",
                "    else if (made == FVM_OP_DOES && !vm->checked && cfa < vm->span4)",
                "        target = CELL_AT(cfa + 4);",
                "    else BAIL;",
                "    HOT(target);",
                "    BURN(1);",
                f"    *++rp = AFTER({after - 1});",
                *(f"    {line}" for line in self.settle()),
                "    if (made == FVM_OP_DOES) { *sp++ = tos; tos = (fvm_cell)(cfa + 8); }",
                "    ip = code + ((uint32_t)target >> 2);",
                "    NEXT;",
            ]
        elif part.ends == "defer":
            self.most = max(self.most, len(self.stack) - self.taken + 1)  # its body, for a while
            out += [
                f"    uint32_t cfa = (uint32_t)CELL_AT({operand}), target = cfa + 4;",
                "    HOT(target);",
                "    if (FVM_UNLIKELY((uint32_t)CELL_AT(cfa) != (FVM_CODE_TAG | FVM_OP_COLON) ||",
                "                     vm->rstack_high - rp < 2 || fuel < 2)) BAIL;",
                "    fuel -= 2;",
                f"    rp[1] = AFTER({after - 1});",
                f"    rp[2] = CELL_AT((uint32_t){operand} - 4u) + 8; /* behind EXECUTE */",
                "    rp += 2;",
                *(f"    {line}" for line in self.settle()),
                "    ip = code + (target >> 2);",
                "    NEXT;",
            ]
        elif part.ends == "jret":
            out += ["    fvm_cell target = *rp;", "    HOT(target);", "    rp--;"]
            out += [*(f"    {line}" for line in self.settle())]
            out += ["    ip = code + ((uint32_t)target >> 2);", "    NEXT;"]
        elif self.sequence.leaf:
            out += ["    fuel--;", *(f"    {line}" for line in self.settle()), "    NEXT;"]
        else:
            out += ["    uint32_t target = (uint32_t)*rp--;"]
            out += [*(f"    {line}" for line in self.settle()), step, "    GOTO(target);"]

    def text(self, index: int) -> list[str]:  # noqa: C901,PLR0912 - the order is that of the text
        """The whole handler."""
        place = 0
        parts = self.sequence.parts
        for part in parts:
            operand = ""
            if part.ends and part is not parts[-1] and part.ends not in ("if", "exit"):
                sys.exit(f"{TABLE.name}: {self.sequence.title} goes on behind its end")
            if part.kind:
                operand = self.operand(part, place)
                place += 1
            if part.ends:
                self.leave(part, operand)
            else:
                self.add(part, operand)
        if not parts[-1].ends:
            self.lines += [f"    {line}" for line in self.settle()]
            if self.done > 1:
                self.lines.append(f"    ip += {self.done - 1};")
            self.lines.append("    NEXT;")
        head = [f"HANDLER(fused_{index}) {{ /* {self.sequence.title} */"]
        if self.taken:
            head.append(f"    LEAST({self.taken});")
        if self.most > 0:
            head.append(f"    MOST({self.most});")
        if self.sequence.leaf:
            head += [
                "    if (FVM_UNLIKELY(rp >= vm->rstack_high || fuel <= 0))",
                "        goto alone;",
            ]
        self.lines = [line for line in self.lines if line]
        text = "\n".join(self.lines)
        said = "\n".join(line for line in self.lines if line[0] != "#")
        for value in (f"v{n + 1}" for n in range(self.names)):
            if len(re.findall(rf"\b{value}\b", said)) == len(("declared", "given")):
                at = next(i for i, line in enumerate(self.lines) if f" {value} = " in line)
                self.lines.insert(at + 1, f"        (void){value};")
        for item in range(self.taken):
            if re.search(rf"\bin{item}\b", text):
                head.append(f"    fvm_cell in{item} = {f'sp[{-item}]' if item else 'tos'};")
        if max(self.taken, self.most) > DEEPEST:
            sys.exit(f"{TABLE.name}: {self.sequence.title} goes too deep")
        return [*head, *self.lines, "}"]


SLOTS = ("if", "until", "jump", "back", "loop", "+loop", "call")


def _c(item: str) -> str:
    """The C variable for an item of a stack effect."""
    return "flag" if item == "?" else item.replace("'", "")


def want(name: str) -> str:
    """The C constant of a part."""
    return "FVM_WANT_" + {"+loop": "LOOP_BY"}.get(name, name.upper())


def outputs(words: Mapping[str, Word], ops: Mapping[str, str], note: str) -> dict[str, str]:
    """The generated files by name; ops: the C constants of primitives."""
    sequences = read(words)
    handlers = [f"/* {note} */"]
    labels = [f"/* {note} */"]
    for i, one in enumerate(sequences):
        handlers += Joined(one).text(i)
        labels.append(f"SPECIAL(FVM_OP_FUSED + {i}, fused_{i})")
    handlers.append("#undef BAIL")

    def constant(part: Part, name: str) -> str:
        return want(name) if part is SPECIAL.get(name) else ops[name]

    table = [f"/* {note} */", "static const fvm_sequence sequences[] = {"]
    starts: dict[str, list[int]] = {}
    for i, one in enumerate(sequences):
        wants = ", ".join(constant(p, n) for p, n in zip(one.parts, one.names, strict=True))
        table.append(
            f"    {{{len(one.parts)}, {int(one.leaf)}, {{{wants}}}}}, /* {i}: {one.title} */"
        )
        first = one.names[0]
        codes = STARTS.get(
            first if one.parts[0] is SPECIAL.get(first) else "", [constant(one.parts[0], first)]
        )
        for code in codes:
            starts.setdefault(code, []).append(i)
    table += ["};", "static const uint16_t candidates[] = {"]
    ranges, at = [], 0
    for code, places in starts.items():
        places.sort(key=lambda i: (-len(sequences[i].parts), -sequences[i].cells, i))
        table.append(f"    {', '.join(map(str, places))}, /* {code} */")
        ranges.append(f"    {{{code}, {at}, {len(places)}}},")
        at += len(places)
    table += ["};", "static const struct {", "    uint16_t code, from, count;", "} starts[] = {"]
    table += [*ranges, "};"]
    wants_enum = [f"    {want(n)}," for n in SPECIAL]
    wants_enum[0] = wants_enum[0].replace(",", " = 2000,")
    enum = ["enum fvm_want {", *wants_enum, "};"]
    return {
        "fused.inc": "\n".join(handlers) + "\n",
        "fused_ops.h": "\n".join(labels) + "\n",
        "fused_table.inc": "\n".join([table[0], *enum, *table[1:]]) + "\n",
    }


STARTS = {
    "lit": ["FVM_OP_LIT"], "var": ["FVM_OP_VAR"], "m1": ["FVM_OP_COLON", "FVM_OP_DOES"],
    "m2": ["FVM_OP_LIT", "FVM_OP_VAR"], "write": ["FVM_OP_COLON"], "scale": ["FVM_OP_COLON"],
    "index": ["FVM_OP_COLON", "FVM_OP_DOES"], "pick2": ["FVM_OP_LIT"], "pick3": ["FVM_OP_LIT"],
    "if": ["FVM_OP_ZBRANCH"], "exit": ["FVM_OP_ZBRANCH"], "until": ["FVM_OP_ZBRANCH"],
    "jump": ["FVM_OP_BRANCH"],
    "back": ["FVM_OP_BRANCH"], "loop": ["FVM_OP_LOOP_STEP"], "+loop": ["FVM_OP_LOOP_ADD"],
    "call": ["FVM_OP_COLON"], "ret": ["FVM_OP_RETURN"],
    "execute": ["FVM_OP_EXECUTE"], "jret": ["FVM_OP_BRANCH"],
    "defer": ["FVM_OP_DOES"],
}  # fmt: skip
