"""Make the handlers of several words in one slot from native/tables/superinstructions.def.

Owns how bodies of words are joined: the parameter stack is followed while this runs, so that
items go from word to word in C variables, depth is checked once for all, and what is left is
stored once.  It knows the words of primitives.def and a few parts that are no primitives
(`{lit}`, `{call}`, ...); what a slot stands for is found by
native/vm/superinstructions.c, through the table made here.

Nothing fused ever fails by itself.  What a handler cannot do at once (too few items, an address
that must be looked at closely, no steps left) makes it go to `alone`, where the first word that
has not been done is done by itself, with its errors and their places.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sequences import SPECIAL, TABLE, Part, Sequence, Word, read

DEEPEST = 5  # items that stack_least and stack_most of vm.h know


@dataclass
class Frame:
    """A body that is being joined: the sequence's own cells, or those of a word that it calls."""

    call: str  # C for what the calling cell holds; "" for the sequence's own
    at: int = 0  # cells of the parts before this one

    def address(self, index: int) -> str:
        """C for where its cell number index lies."""
        if not self.call:
            return f"AFTER({index - 1})"
        return f"(fvm_cell)((uint32_t){self.call} + {4 + 4 * index}u)"

    def cell(self, index: int) -> str:
        """C for what that cell holds."""
        return f"CELL_AT({self.address(index)})" if self.call else f"BEHIND({index - 1})"


@dataclass
class When:
    """What was so where a flag decided about the words up to {then}."""

    line: int
    stack: list[str]
    taken: int
    committed: bool
    calls: int


class Joined:
    """The C text of one sequence, built part by part."""

    def __init__(self, sequence: Sequence) -> None:
        self.sequence = sequence
        self.lines: list[str] = []
        self.stack: list[str] = []  # what lies above the items not touched
        self.taken = 0
        self.most = 0
        self.names = 0
        self.merges = 0
        self.deepest = 0
        self.committed = False
        self.bail = ""
        self.frames = [Frame("")]
        self.calls = 0  # made here and not yet paid for
        self.here = 0  # number of this part
        self.index = 0
        self.step = ""
        self.looped = ""
        self.whens: list[When] = []
        if sequence.leaf:
            self.enter()

    # --- items ---------------------------------------------------------------------

    def pop(self) -> str:
        """The top item, which may be one that was there before."""
        if self.stack:
            return self.stack.pop()
        self.taken += 1
        self.deepest = max(self.deepest, self.taken)
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
        if self.calls:
            lines.append(f"fuel -= {self.calls};")
        return lines

    # --- parts ---------------------------------------------------------------------

    @property
    def done(self) -> int:
        """Cells of the parts before this one, in the body that it stands in."""
        return self.frames[-1].at

    def operand(self, part: Part) -> str:
        """What stands for OPERAND: a and b hold two, others are in the cells."""
        held = self.sequence.held
        if part.kind == "pair":
            return "ip[-1].a"
        if self.here in held:
            place = ("ip[-1].a", "ip[-1].b")[held.index(self.here)]
            return f"AWAY({place})" if part.kind == "slot" else place
        frame = self.frames[-1]
        if part.want in ("var", "cell", "call"):
            text = f"({frame.cell(self.done)} + 4)"
        elif part.want in ("const", "defer"):
            text = f"({frame.cell(self.done)} + 8)"
        else:
            text = frame.cell(self.done + 1)
        return f"SLOT_OF({text})" if part.kind == "slot" else text

    def set_bail(self) -> None:
        """Says how the next part leaves all from itself on to `alone`."""
        text = "goto alone"
        if self.committed:
            text = f"do {{ {' '.join(self.give_up())} goto alone; }} while (0)"
        if text != self.bail:
            self.bail = text
            self.lines += ["#undef BAIL", f"#define BAIL {text}"]

    def give_up(self, past: str = " + 1") -> list[str]:
        """Goes to, or past, the cell of this part, in the words that have been entered."""
        lines = self.settle()
        for outer, inner in pairwise(self.frames):
            lines.append(f"*++rp = {outer.address(outer.at + 1)}; /* of {inner.at} */")
        frame = self.frames[-1]
        if frame.call:
            lines.append(f"ip = SLOT_OF({frame.address(frame.at)}){past};")
        elif frame.at:
            lines.append(f"ip += {frame.at};")
        return lines

    # --- words that are done where they are called ------------------------------------

    def enter(self) -> None:
        """A call, if there is room and fuel for all that follow in it."""
        if len(self.frames) == 1:
            depth = most = calls = int(self.sequence.leaf)
            for part in self.sequence.parts[self.here :]:
                depth += (part.ends == "open") - (part.ends == "close")
                calls += part.ends == "open"
                most = max(most, depth)
                if depth == 0:
                    break
            room = "rp >= vm->rstack_high" if most == 1 else f"vm->rstack_high - rp < {most}"
            calls += self.calls + (not self.sequence.leaf)  # and what it may end with
            self.set_bail()
            self.lines += [f"    if (FVM_UNLIKELY({room} || fuel < {calls}))", "        BAIL;"]
        self.frames.append(Frame(self.frames[-1].cell(self.done)))
        self.calls += 1

    def come_back(self) -> None:
        """The end of a word that was entered."""
        self.frames.pop()
        self.frames[-1].at += 1

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
                "        "
                + line.replace("OPERAND", operand).replace(*FACTOR).replace("BURN(1);", self.burn)
                for line in body
            ]
            self.lines += [f"        {value} = {_c(item)};" for item, value in values.items()]
            self.lines.append("    }")
        self.stack += outs
        self.committed = self.committed or part.commits
        self.frames[-1].at += part.cells

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

    def leave(self, part: Part, operand: str) -> None:
        """A part that leaves the sequence, at its end or on the way."""
        self.set_bail()
        after = self.done + part.cells
        self.step = f"    ip += {after - 1};" if after > 1 and not self.sequence.leaf else ""
        if part.ends in ("ret", "jret") and self.sequence.leaf:
            self.lines += [*self.settled(), "    NEXT;"]
        else:
            getattr(self, "leave_by_" + NAMES.get(part.ends, part.ends))(part, operand, after)
        self.frames[-1].at = after

    @property
    def burn(self) -> str:
        """A step, if there is fuel for it and for the calls."""
        return f"BURN({self.calls + 1});"

    def settled(self) -> list[str]:
        """`settle`, as lines of a handler."""
        return [f"    {line}" for line in self.settle()]

    def leave_by_if(self, part: Part, operand: str, after: int) -> None:
        """Ahead if the flag is 0."""
        self.branch(part, operand, [])

    def leave_by_until(self, part: Part, operand: str, after: int) -> None:
        """Back if the flag is 0."""
        self.branch(part, operand, [self.burn])

    def branch(self, part: Part, operand: str, before: list[str]) -> None:
        """Goes there if the flag is 0; else on."""
        flag = self.pop()
        inside = [f"const fvm_slot *target = {operand};", *before, *self.settle()]
        self.lines += [
            f"    if ({flag} == 0) {{",
            *(f"        {line}" for line in [*inside, "ip = target;", "NEXT;"]),
            "    }",
        ]
        self.go_on(part)

    def go_on(self, part: Part) -> None:
        """With the next slot, if that was the last part."""
        if part is self.sequence.parts[-1]:
            self.lines += [*self.settled(), self.step, "    NEXT;"]

    def leave_by_exit(self, part: Part, operand: str, after: int) -> None:
        """To the end if the flag is 0."""
        flag = self.pop()
        if self.sequence.leaf:
            inside = [*self.settled(), "    NEXT;"]
        else:
            end = self.frames[-1].cell(self.done + 1)
            inside = [*self.settled(), f"    ip = SLOT_OF({end}) + 1;", "    RETURN;"]
        self.lines += [f"    if ({flag} == 0) {{", *(f"    {x}" for x in inside), "    }"]
        self.go_on(part)

    def leave_by_skip(self, part: Part, operand: str, after: int) -> None:
        """To the next round of a loop if the flag is 0."""
        flag = self.pop()
        inside = [
            "if (FVM_UNLIKELY(rp < vm->rloop)) BAIL;",
            f"const fvm_slot *target = {operand};",
            "fvm_cell index = (fvm_cell)((uint32_t)*rp + 1u);",
            "if (FVM_UNLIKELY(index >= rp[-1])) {",
            "    rp -= 3;",
            *(f"    {line}" for line in self.settle()),
            "    ip = target + 2;",
            "    NEXT;",
            "}",
            self.burn,
            "*rp = index;",
            *self.settle(),
            "ip = SLOT_OF(CELL_AT(CELL_OF(target) + 4));",
            "NEXT;",
        ]
        self.lines += [f"    if ({flag} == 0) {{", *(f"        {x}" for x in inside), "    }"]
        self.go_on(part)

    def leave_by_when(self, part: Part, operand: str, after: int) -> None:
        """On if the flag is not 0, up to {then}; else behind that."""
        flag = self.pop()
        line = len(self.lines)
        self.whens.append(When(line, list(self.stack), self.taken, self.committed, self.calls))
        self.lines.append(f"    if ({flag} != 0) {{")

    def leave_by_then(self, part: Part, operand: str, after: int) -> None:
        """What the flag 0 goes to, and the words before it unless they end."""
        when = self.whens.pop()
        if self.sequence.parts[self.here - 1].ends in ENDS:
            self.stack, self.taken = when.stack, when.taken
            self.committed, self.calls = when.committed, when.calls
        else:
            self.merge(when)
        self.lines.append("    }")
        self.bail = ""

    def merge(self, when: When) -> None:
        """Both ways go on together: items that differ go into variables of their own."""
        taken = max(self.taken, when.taken)
        own = [f"in{i}" for i in range(taken - 1, self.taken - 1, -1)] + self.stack
        other = [f"in{i}" for i in range(taken - 1, when.taken - 1, -1)] + when.stack
        if len(own) != len(other):
            sys.exit(f"{TABLE.name}: {self.sequence.title} leaves not the same items both ways")
        for i, (mine, theirs) in enumerate(zip(own, other, strict=True)):
            if mine != theirs:
                self.merges += 1
                own[i] = f"m{self.merges}"
                self.lines.insert(when.line, f"    fvm_cell {own[i]} = {theirs};")
                self.lines.append(f"        {own[i]} = {mine};")
        if self.calls != when.calls:  # paid for here, so that nothing before is done again
            self.lines.append(f"        fuel -= {self.calls - when.calls};")
            self.committed = True
        self.stack, self.taken, self.calls = own, taken, when.calls
        self.committed = self.committed or when.committed

    def leave_by_jump(self, part: Part, operand: str, after: int) -> None:
        """There."""
        self.lines += [f"    const fvm_slot *target = {operand};", *self.settled()]
        self.lines += ["    ip = target;", "    NEXT;"]

    def leave_by_back(self, part: Part, operand: str, after: int) -> None:
        """Back there, which is a step."""
        self.lines.append(f"    {self.burn}")
        self.leave_by_jump(part, operand, after)

    def leave_by_again(self, part: Part, operand: str, after: int) -> None:
        """Back to where the sequence begins."""
        self.lines += [f"    {self.burn}", *self.settled(), self.start_over()]

    def start_over(self) -> str:
        """Once more, if there are as many items as before without the checks."""
        self.looped = "in" if len(self.stack) == self.taken else "top"
        return f"    goto fused_{self.index}_{self.looped};"

    def leave_by_loop(self, part: Part, operand: str, after: int) -> None:
        """Back, if a round of the loop is left."""
        by = self.pop() if part.ends == "+loop" else "1"
        test = "index < rp[-1]"
        if part.ends == "+loop":
            test = f"{by} >= 0 ? index < rp[-1] : index >= rp[-1]"
        again = [*self.settle(), "ip = target;", "NEXT;"]
        if part.ends == "round":
            again = [*self.settle(), self.start_over().strip()]
        self.lines += [
            "    if (FVM_UNLIKELY(rp < vm->rloop)) BAIL;",
            f"    fvm_cell index = (fvm_cell)((uint32_t)*rp + (uint32_t){by});",
            f"    if ({test}) {{",
            f"        const fvm_slot *target = {operand};" if operand else "",
            f"        {self.burn}",
            "        *rp = index;",
            *(f"        {line}" for line in again),
            "    }",
            "    rp -= 3;",
            *self.settled(),
            self.step,
            "    NEXT;",
        ]

    def leave_by_call(self, part: Part, operand: str, after: int) -> None:
        """To a definition."""
        self.lines += [
            "    RROOM(1);",
            f"    {self.burn}",
            f"    const fvm_slot *target = {operand};",
        ]
        self.lines += [
            f"    *++rp = {self.back(after)};",
            *self.settled(),
            "    ip = target;",
            "    NEXT;",
        ]

    def leave_by_execute(self, part: Part, operand: str, after: int) -> None:
        """To the definition, or the word with a DOES> part, on the stack."""
        token = self.pop()
        self.lines += ["    RROOM(1);", f"    uint32_t cfa = (uint32_t){token};"]
        back = f"*++rp = {self.back(after)};"
        self.run_word("!vm->checked", [self.burn, back])

    def leave_by_defer(self, part: Part, operand: str, after: int) -> None:
        """Through a word of DEFER, which lies on the return stack, too."""
        self.most = max(self.most, len(self.stack) - self.taken + 1)  # its body, for a while
        self.lines += [
            f"    uint32_t cfa = (uint32_t)CELL_AT({operand});",
            f"    if (FVM_UNLIKELY(rp + 1 >= vm->rstack_high || fuel < {2 + self.calls})) BAIL;",
            "    /* Behind EXECUTE. */",
            f"    fvm_cell part = cell_at(mem + (uint32_t){operand} - 4, 0) + 8;",
        ]
        steps = [
            "fuel -= 2;",
            f"rp[1] = {self.back(after)};",
            "rp[2] = part;",
            "rp += 2;",
        ]
        self.lines.append("    if (FVM_LIKELY(cfa == (uint32_t)FACTOR)) {".replace(*FACTOR))
        self.lines += [f"        {line}" for line in [*steps, *self.settle()]]
        self.lines += ["        ip = SLOT_OF(cfa + 4);", "        NEXT;", "    }"]
        self.run_word("true", steps)

    def back(self, after: int) -> str:
        """Where the word that is called returns to."""
        if len(self.sequence.held) == 1 and self.sequence.parts[0].kind != "pair":
            # b still holds the address behind the first cell
            return f"(fvm_cell)((uint32_t)ip[-1].b + {4 * (after - 1)}u)"
        return self.frames[-1].address(after)

    def run_word(self, condition: str, steps: list[str]) -> None:
        """Goes to what the word at cfa runs; an item more, as it may have a DOES> part."""
        self.most = max(self.most, len(self.stack) - self.taken + 1)
        steps = [*steps, *self.settle()]
        self.lines += [
            "    uint32_t to;",
            "    HOT_TO(cfa + 4, to);",
            "    uint32_t made = (uint32_t)CELL_AT(cfa) ^ FVM_CODE_TAG;",
            "    if (FVM_LIKELY(made == FVM_OP_COLON)) {",
            *(f"        {step}" for step in steps),
            "        ip = code + to;",
            "        NEXT;",
            "    }",
            f"    if (made != FVM_OP_DOES || !({condition})) BAIL;",
            "    HOT_TO(CELL_AT(cfa + 4), to);",
            *(f"    {step}" for step in steps),
            "    *sp++ = tos;",
            "    tos = (fvm_cell)(cfa + 8);",
            "    ip = code + to;",
            "    NEXT;",
        ]

    def leave_by_jret(self, part: Part, operand: str, after: int) -> None:
        """To the end, and so to who called."""
        self.lines += ["    uint32_t to;", "    HOT_TO(*rp, to);", "    rp--;"]
        self.lines += [*self.settled(), "    ip = code + to;", "    NEXT;"]

    def leave_by_rest(self, part: Part, operand: str, after: int) -> None:
        """Into the called word, where this part stands."""
        self.lines += [*(f"    {line}" for line in self.give_up("")), "    NEXT;"]

    def leave_by_return(self, part: Part, operand: str, after: int) -> None:
        """EXIT, which is called and takes its own return address: to who called the caller."""
        self.most = max(self.most, len(self.stack) - self.taken + 1)  # that address, for a while
        self.lines += ["    RROOM(1);", "    uint32_t to;", "    HOT_TO(*rp, to);"]
        self.lines += [f"    {self.burn}", "    rp--;", *self.settled()]
        self.lines += ["    ip = code + to;", "    NEXT;"]

    def leave_by_ret(self, part: Part, operand: str, after: int) -> None:
        """To who called."""
        self.lines += [*self.settled(), f"    RETURN_FROM({after - 1});"]

    def text(self, index: int) -> list[str]:  # noqa: C901,PLR0912 - the order is that of the text
        """The whole handler."""
        self.index = index
        parts = self.sequence.parts
        for self.here, part in enumerate(parts):
            rest = parts[self.here + 1 :]
            if part.ends in ENDS and rest and rest[0].ends != "then":
                sys.exit(f"{TABLE.name}: {self.sequence.title} goes on behind its end")
            if part.ends == "open":
                self.enter()
            elif part.ends == "close":
                self.come_back()
            elif part.ends:
                self.leave(part, self.operand(part) if part.kind else "")
            else:
                self.add(part, self.operand(part) if part.kind else "")
        if parts[-1].ends in ("", "close", "then"):
            self.lines += self.settled()
            if self.done > 1:
                self.lines.append(f"    ip += {self.done - 1};")
            self.lines.append("    NEXT;")
        head = [f"HANDLER(fused_{index}) {{ /* {self.sequence.title} */"]
        if self.looped == "top":
            head.append(f"fused_{index}_top:;")
        if self.deepest:
            head.append(f"    LEAST({self.deepest});")
        if self.most > 0:
            head.append(f"    MOST({self.most});")
        if self.looped == "in":
            head.append(f"fused_{index}_in:;")
        self.lines = [line for line in self.lines if line]
        text = "\n".join(self.lines)
        said = "\n".join(line for line in self.lines if line[0] != "#")
        for value in (f"v{n + 1}" for n in range(self.names)):
            if len(re.findall(rf"\b{value}\b", said)) == len(("declared", "given")):
                at = next(i for i, line in enumerate(self.lines) if f" {value} = " in line)
                self.lines.insert(at + 1, f"        (void){value};")
        for value in (f"m{n + 1}" for n in range(self.merges)):
            if len(re.findall(rf"\b{value}\b", said)) == len(("declared", "given")):
                head_at = next(i for i, line in enumerate(self.lines) if f" {value} = " in line)
                self.lines.insert(head_at + 1, f"    (void){value};")
        for item in range(self.deepest):
            if re.search(rf"\bin{item}\b", text):
                head.append(f"    fvm_cell in{item} = {f'sp[{-item}]' if item else 'tos'};")
        if max(self.deepest, self.most) > DEEPEST:
            sys.exit(f"{TABLE.name}: {self.sequence.title} goes too deep")
        return [*head, *self.lines, "}"]


FACTOR = ("FACTOR", "ip[-1].b")  # the second operand of a pair
# Ends behind which nothing follows but what a flag leads to.
GOES = ("jump", "back", "again", "loop", "+loop", "round", "call", "execute", "defer")
ENDS = (*GOES, "jret", "ret", "return", "rest")
NAMES = {"+loop": "loop", "round": "loop"}


def _c(item: str) -> str:
    """The C variable for an item of a stack effect."""
    return "flag" if item == "?" else item.replace("'", "")


def want(name: str) -> str:
    """The C constant of a part."""
    renamed = {"+loop": "LOOP_BY", "(": "OPEN", ")": "CLOSE"}
    return "FVM_WANT_" + renamed.get(name, name.upper())


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
        held = [*one.held, 255, 255]
        table.append(
            f"    {{{len(one.parts)}, {int(one.leaf)}, {{{held[0]}, {held[1]}}}, {{{wants}}}}},"
            f" /* {i}: {one.title} */"
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
        places.sort(key=lambda i: (*sequences[i].rank, i))
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
    "const": ["FVM_OP_DOES"], "cell": ["FVM_OP_VAR"], "skip": ["FVM_OP_ZBRANCH"],
    "m2": ["FVM_OP_LIT", "FVM_OP_VAR"], "pick": ["FVM_OP_LIT"], "return": ["FVM_OP_COLON"],
    "write": ["FVM_OP_COLON"], "scale": ["FVM_OP_COLON"],
    "index": ["FVM_OP_COLON", "FVM_OP_DOES"], "pick2": ["FVM_OP_LIT"], "pick3": ["FVM_OP_LIT"],
    "if": ["FVM_OP_ZBRANCH"], "exit": ["FVM_OP_ZBRANCH"], "until": ["FVM_OP_ZBRANCH"],
    "jump": ["FVM_OP_BRANCH"], "round": ["FVM_OP_LOOP_STEP"],
    "back": ["FVM_OP_BRANCH"], "loop": ["FVM_OP_LOOP_STEP"], "+loop": ["FVM_OP_LOOP_ADD"],
    "call": ["FVM_OP_COLON"], "ret": ["FVM_OP_RETURN"],
    "execute": ["FVM_OP_EXECUTE"], "jret": ["FVM_OP_BRANCH"],
    "defer": ["FVM_OP_DOES"], "(": ["FVM_OP_COLON"],
}  # fmt: skip
