"""Translates blocks of move code to words of a script.

Owns the words: one for each block, and one for each shared macro call and state in which it is
called (flow.py).  Callees are written before their callers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    And,
    Call,
    Capture,
    Cascade,
    ChangeOwner,
    ChangeType,
    Code,
    Condition,
    Create,
    Cursor,
    Flip,
    Go,
    If,
    Instruction,
    Named,
    Neighbor,
    Question,
    SetAttribute,
    SetFlag,
    SetFrom,
    SetMark,
    SetPositionFlag,
    SetTo,
    Square,
    Test,
    Verify,
    While,
)
from forthvm.zrf.compiler.conditions import after_step
from forthvm.zrf.compiler.flow import Flow, State, Use
from forthvm.zrf.compiler.prefixes import failing_together
from forthvm.zrf.compiler.script import shown_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.zrf.choices import Choices
    from forthvm.zrf.compiler.conditions import Conditions
    from forthvm.zrf.compiler.geometry import Geometry
    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.compiler.usage import GameUsage
    from forthvm.zrf.rules import Block
    from forthvm.zrf.source import Origin

__all__ = ["Blocks"]


class Blocks:
    """The words of the blocks of one game."""

    def __init__(
        self,
        choices: Choices,
        names: Names,
        geometry: Geometry,
        conditions: Conditions,
        usage: GameUsage,
    ) -> None:
        self._names = names
        self._geometry = geometry
        self._conditions = conditions
        self._flow = Flow(usage)
        self._words: dict[tuple[Code, State], str] = {}
        self._usage = usage
        self._drops_copies = choices.copy_in_a_drop_takes == "copy"
        self._rounds = choices.while_rounds_per_position * len(geometry.order)

    def write_block(
        self,
        out: Writer,
        blocks: Sequence[Block],
        wanted: str,
        guard: tuple[str, ...],
        *,
        drop: bool,
    ) -> str:
        """Write the word of the first block, after the words that it calls; return its name.

        Args:
            out: The script.
            blocks: The block, and those after it that need not run if they fail like it.
            wanted: The name for the word, if it is free.
            guard: Lines before the block's code, such as tests whether it may run.
            drop: Whether the block drops a piece.
        """
        block, later = blocks[0], [later.code for later in blocks[1:]]
        entry = Use.DROP if drop else Use.NOTHING
        self._write_callees(out, block.code, entry)
        word = self._names.new(wanted)
        out.line()
        out.line(
            f"\\ {_place(block.origin)}" + (f" ({block.move_type})" if block.move_type else "")
        )
        out.line(f": {word} ( -- )", block.origin)
        with out.indented():
            # The kernel recognizes this beginning: random games then draw no drops on pieces.
            test = block.code.instructions[0] if drop and _needs_empty(block.code) else None
            if test is not None:
                self._write(out, test, entry)
            for line in (*guard, *self._prologue(block.code)):
                out.line(line, block.origin)
            skips = failing_together(block.code, later, self._usage)
            self._write_code(out, block.code, entry, skips, first=0 if test is None else 1)
        out.end_of_definition()
        return word

    def _prologue(self, code: Code) -> Iterator[str]:
        """Yield the lines that set mark and flags of a block that its code uses."""
        usage = self._usage.of(code)
        if usage.mark and not _begins_with_mark(code):
            yield "from z-mark !"
        if usage.position_flags:
            yield "z-clear-flags"
        for flag in sorted(usage.flags):
            yield f"{self._names.add('flag', flag)} OFF"

    # --- shared calls -----------------------------------------------------------------

    def _write_callees(self, out: Writer, code: Code, before: State) -> None:
        """Write the words of the calls in a code, the innermost first."""
        state = before
        for instruction in code.instructions:
            if self._flow.must_set(instruction, state):
                state |= Use.SET
            match instruction:
                case Call(code=callee):
                    self._write_call(out, callee, state)
                case If(then=then, otherwise=otherwise):
                    self._write_callees(out, then, state)
                    self._write_callees(out, otherwise, state)
                case While(body=body):
                    self._write_callees(out, body, self._flow.loop_entry(instruction, state))
            state = self._flow.step(instruction, state)

    def _write_call(self, out: Writer, code: Code, state: State) -> None:
        if (code, state) in self._words or not code.instructions:
            return
        self._write_callees(out, code, state)
        word = self._names.new(_call_name(code))
        self._words[code, state] = word
        out.line()
        out.line(f"\\ {_place(code.origin)}: ({code.name})")
        out.line(f": {word} ( -- )", code.origin)
        with out.indented():
            self._write_code(out, code, state)
        out.end_of_definition()

    # --- instructions -----------------------------------------------------------------

    def _write_code(
        self, out: Writer, code: Code, before: State, skips: Sequence[int] = (), first: int = 0
    ) -> None:
        """Write a run of instructions.

        Args:
            out: The script.
            code: The instructions.
            before: The state before them.
            skips: For the first instructions, how many words need not run if they fail.
            first: Index of the first instruction to write.
        """
        state, skipped = before, 0
        instructions = _with_steps_first(code.instructions, len(skips))
        for index, instruction in enumerate(instructions[first:]):
            skip = skips[index] if index < len(skips) else 0
            if skip != skipped:
                out.line(f"{skip} $skipWords !", instruction.origin)
                skipped = skip
            if self._flow.must_set(instruction, state):
                out.line("z-begin-drop" if state & Use.DROP else "z-begin", instruction.origin)
                state |= Use.SET
            self._write(out, instruction, state)
            state = self._flow.step(instruction, state)
        if skipped:
            out.line("0 $skipWords !")

    def _write(self, out: Writer, instruction: Instruction, state: State) -> None:
        match instruction:
            case If():
                self._write_if(out, instruction, state)
            case While():
                self._write_while(out, instruction, state)
            case Call(code=code, origin=origin):
                if code.instructions:
                    out.line(self._words[code, state], origin)
            case Verify(condition=condition, origin=origin):
                for part in _conjuncts(condition):
                    out.line(f"{self._conditions.text(part)} verify", origin)
            case Add():
                for line in self._add(instruction, state):
                    out.line(line, instruction.origin)
            case _:
                line = self._simple(instruction)
                if line:
                    out.line(line, instruction.origin)

    def _write_if(self, out: Writer, choice: If, state: State) -> None:
        ahead = self._ahead(choice.condition, choice.then)
        out.line(f"{ahead or self._conditions.text(choice.condition)} IF", choice.origin)
        with out.indented():
            if ahead:
                out.line("DROP", choice.origin)
            self._write_code(out, choice.then, state, first=1 if ahead else 0)
        if choice.otherwise.instructions or ahead:
            out.line("ELSE to" if ahead else "ELSE", choice.origin)
            with out.indented():
                self._write_code(out, choice.otherwise, state)
        out.line("ENDIF", choice.origin)

    def _ahead(self, condition: Condition, code: Code) -> str:
        """Return the text of a condition that steps, if the code begins with the same step.

        Empty: the condition must not move the cursor.
        """
        match code.instructions[:1]:
            case (Go(square=Neighbor() as step),):
                return self._conditions.ahead(condition, step)
        return ""

    def _write_while(self, out: Writer, loop: While, state: State) -> None:
        entry = self._flow.loop_entry(loop, state)
        ahead = self._ahead(loop.condition, loop.body)
        condition = ahead or self._conditions.text(loop.condition)
        ends = self._surely_ends(loop)
        if not ends:
            out.line(f"{self._rounds}", loop.origin)
        out.line(f"BEGIN {condition} WHILE", loop.origin)
        with out.indented():
            words = ["DROP"] * bool(ahead) + ["z-round"] * (not ends)
            if words:
                out.line(" ".join(words), loop.origin)
            self._write_code(out, loop.body, entry, first=1 if ahead else 0)
        words = ["REPEAT"] + ["to"] * bool(ahead) + ["DROP"] * (not ends)
        out.line(" ".join(words), loop.origin)

    def _surely_ends(self, loop: While) -> bool:
        """Return whether each round takes a step in one direction that leads off the board."""
        moves = [at for at in loop.body.instructions if isinstance(at, Go | Call | If | While)]
        if len(moves) != 1 or not isinstance(moves[0], Go):
            return False
        square = moves[0].square
        return isinstance(square, Neighbor) and not self._geometry.is_endless(square.direction)

    def _is_known(self, kind: str, name: str) -> bool:
        """Return whether the game has a thing of that name; only other variants may have it."""
        return not name or (kind, name) in self._names

    def _simple(self, instruction: Instruction) -> str:  # noqa: C901, PLR0911, PLR0912 - a table
        match instruction:
            case Go(square=square):
                return self._go(square)
            case SetMark(square=square):
                return self._at(square, "z-mark !")
            case SetFrom():
                return "here z-from !"
            case SetTo():
                return "here z-to !"
            case Cascade():
                return "z-cascade"
            case SetFlag(name=name, value=value):
                return f"{self._conditions.text(value)} {self._names.add('flag', name)} !"
            case SetPositionFlag(name=name, value=value, square=square):
                flag = self._names.add("position-flag", name)
                return self._at(square, f"{flag} z-flag!", value=value)
            case Capture(square=square):
                return self._at(square, "z-capture")
            case Create(type=kind) | ChangeType(type=kind) if not self._is_known("piece", kind):
                return ""
            case Create(player=player) if not self._is_known("player", player):
                return ""
            case SetAttribute(name=name) if not self._is_known("attribute", name):
                return ""
            case Create(player=player, type=kind, square=square):
                owner = self._names["player", player] if player else "for-player"
                piece = self._names["piece", kind] if kind else "current-piece-type"
                return self._at(square, "z-create", f"{owner} {piece}")
            case ChangeType(type=kind, square=square):
                return self._at(square, "z-change-type", self._names["piece", kind])
            case ChangeOwner(square=square):
                return self._at(square, "z-change-owner")
            case Flip(square=square):
                return self._at(square, "z-flip")
            case SetAttribute(name=name, value=value, square=square):
                bit = self._names["attribute", name]
                return self._at(square, "z-set-attribute", bit, value=value)
        raise AssertionError(instruction)

    def _go(self, square: Square) -> str:
        match square:
            case Cursor.HERE:
                return ""
            case Neighbor(direction=name):
                return f"{self._names['direction', name]} verify"
            case Cursor.LAST_FROM | Cursor.LAST_TO:
                return f"{self._conditions.square(square)} z-go"
            case _:
                return f"{self._conditions.square(square)} to"

    def _at(
        self, square: Square, words: str, before: str = "", *, value: Condition | None = None
    ) -> str:
        """Return words that act on a square, or that do nothing if it is off the board.

        Args:
            square: The square.
            words: The words, which begin with the position on top of the stack.
            before: Constants that they take below the position.
            value: A condition at the cursor whose flag they take below all.
        """
        flag = "" if value is None else self._conditions.text(value)
        match square:
            case Neighbor(direction=name):
                step, copy, drop = self._names["direction", name], "", ""
                if flag:
                    copy, drop = "OVER", "DROP"
                parts = [flag, "here", step, "IF", copy, before, "here", words, "ENDIF to", drop]
            case Cursor.LAST_FROM | Cursor.LAST_TO:
                position = self._conditions.square(square)
                parts = [position, "?? <> IF", flag, before, position, words, "ENDIF"]
            case _:
                parts = [flag, before, self._conditions.square(square), words]
        return " ".join(part for part in parts if part)

    # --- add --------------------------------------------------------------------------

    def _add(self, add: Add, state: State) -> Iterator[str]:
        state &= ~Use.SET
        if not (add.partial or add.copy or self._usage.every_move):
            if state == Use.NOTHING or (state == Use.DROP and not add.types):
                safely = "-safely" if self._usage.royals else ""
                plain = "z-drop" if state else "z-add"
                yield from self._each_type(add, plain + safely, f"z-add-as{safely}")
                return
            if state == Use.CAPTURES and not add.types and not self._usage.royals:
                yield "z-add-captures"
                return
        if add.partial:
            kind = self._names.add("type", add.continuation) if add.continuation else "0"
            yield f"{kind} z-go-on"
        if add.copy and state & Use.DROP and not state & Use.SAVED and self._drops_copies:
            yield from self._each_type(add, "z-add-all", "z-drop-copy-as")
        else:
            if add.copy:
                yield "z-copy"
            yield from self._each_type(add, "z-add-all", "z-add-all-as")
        if add.types:
            yield "z-end-add"
        if self._usage.discards:
            yield "z-discard"

    def _each_type(self, add: Add, plain: str, promoting: str) -> Iterator[str]:
        if not add.types:
            yield plain
        for kind in add.types:
            if not self._is_known("piece", kind):
                continue
            yield f"{self._names['piece', kind]} {promoting}"


def _begins_with_mark(code: Code) -> bool:
    """Return whether a block first sets the mark to a square that surely exists."""
    match code.instructions[:1]:
        case (SetMark(square=Cursor.HERE | Cursor.FROM | Cursor.TO | Named()),):
            return True
    return False


def _needs_empty(code: Code) -> bool:
    """Return whether a block begins with the test whether its position is empty."""
    match code.instructions[:1]:
        case (Verify(condition=Test(question=Question.EMPTY, square=Cursor.HERE)),):
            return True
    return False


def _with_steps_first(instructions: Sequence[Instruction], after: int) -> Sequence[Instruction]:
    """Return instructions that step first where they verify something about the next square.

    Args:
        instructions: The instructions.
        after: So many of them must stay where they are.
    """
    found = list(instructions)
    for index in range(after, len(found) - 1):
        match found[index : index + 2]:
            case [Verify(condition=condition) as verify, Go(square=Neighbor() as step) as go]:
                there = after_step(condition, step)
                if there not in (None, condition):
                    found[index : index + 2] = [go, replace(verify, condition=there)]
    return found


def _conjuncts(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of an `and`, which can be verified one after the other."""
    if isinstance(condition, And) and condition.conditions:
        for part in condition.conditions:
            yield from _conjuncts(part)
    else:
        yield condition


def _call_name(code: Code) -> str:
    """Return the name of the word for a macro call: `slide(n,2)`."""
    head, *arguments = code.name.split() or ["part"]
    return f"{head}({','.join(arguments)})" if arguments else head


def _place(origin: Origin | None) -> str:
    if origin is None:
        return "no place"
    file = shown_file(origin.place.file)
    return f"{file}:{origin.place.line}"
