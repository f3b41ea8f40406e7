"""Tells which parts of a running block's state may be in use where an instruction runs.

Owns the abstract state: a simple slide needs no arrays of effects, and most blocks end at their
first conditions, so the script should not pay for the state before it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    Call,
    Capture,
    Cascade,
    ChangeOwner,
    ChangeType,
    Code,
    Create,
    Flip,
    If,
    Instruction,
    SetAttribute,
    SetFrom,
    SetTo,
    While,
)

if TYPE_CHECKING:
    from forthvm.zrf.compiler.usage import GameUsage

__all__ = ["EFFECTS", "Flow", "State", "Use"]

EFFECTS = (Capture, Create, ChangeType, ChangeOwner, Flip, SetAttribute)


State = int
"""What may be in use when an instruction runs: a sum of constants of `Use`."""


class Use:
    """Parts of a state.  They are numbers: large files need a million tests of them."""

    NOTHING = 0
    FROM = 1  # `from` may differ from the position of the block
    TO = 2  # `to` may be set
    SAVED = 4  # movements may have been saved by `cascade`
    CAPTURES = 8  # captures may be pending
    EFFECTS = 16  # other effects may be pending
    DROP = 32  # the block drops a piece
    SET = 64  # from, to, saved movements and effects have been set


class Flow:
    """Follows the state through code; results for shared code are kept."""

    def __init__(self, usage: GameUsage) -> None:
        self._usage = usage
        self._after: dict[tuple[Code, State], State] = {}

    def after(self, code: Code, before: State) -> State:
        """Return the state after a run of instructions."""
        key = code, before
        known = self._after.get(key)
        if known is None:
            known = before
            for instruction in code.instructions:
                known = self.step(instruction, known)
            self._after[key] = known
        return known

    def must_set(self, instruction: Instruction, before: State) -> bool:
        """Return whether the state of the block must be set just before an instruction.

        A call sets it inside if necessary.
        """
        if before & Use.SET or isinstance(instruction, Call):
            return False
        return self._usage.needs_state(instruction, drop=bool(before & Use.DROP))

    def step(self, instruction: Instruction, before: State) -> State:  # noqa: PLR0911 - a table
        """Return the state after one instruction."""
        if self.must_set(instruction, before):
            before |= Use.SET
        match instruction:
            case SetFrom():
                return before | Use.FROM
            case SetTo():
                return before | Use.TO
            case Cascade():
                return (before | Use.SAVED | Use.FROM) & ~Use.TO
            case Add():
                after = before & ~(Use.CAPTURES | Use.EFFECTS)
                return after & ~Use.SAVED if self._usage.discards else after
            case Capture():
                return before | Use.CAPTURES
            case If(then=then, otherwise=otherwise):
                return self.after(then, before) | self.after(otherwise, before)
            case While():
                return before | self.loop_entry(instruction, before)
            case Call(code=code):
                return self.after(code, before)
        return before | Use.EFFECTS if isinstance(instruction, EFFECTS) else before

    def loop_entry(self, loop: While, before: State) -> State:
        """Return the state in which the body of a loop may start, in any round."""
        entry = before
        while (wider := entry | self.after(loop.body, entry)) != entry:
            entry = wider
        return entry
