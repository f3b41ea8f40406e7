"""Tells which parts of the state of a block its code uses, in calls too.

It must not know ForthScript.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    And,
    Call,
    Cascade,
    ChangeType,
    Code,
    Condition,
    Cursor,
    If,
    Instruction,
    NamedQuestion,
    Not,
    Or,
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
from forthvm.zrf.compiler.flow import EFFECTS
from forthvm.zrf.compiler.goals import parts_of
from forthvm.zrf.rules import Captured

if TYPE_CHECKING:
    from forthvm.zrf.rules import Rules

__all__ = ["GameUsage", "Usage", "usage_of"]

_STATE = (SetFrom, SetTo, Cascade, *EFFECTS)


@dataclass(slots=True)
class Usage:
    """What a piece of code uses."""

    state: bool = False  # from, to, saved movements or effects
    mark: bool = False
    position_flags: bool = False
    last: bool = False  # last-from or last-to
    partial: bool = False
    promotes: bool = False
    continues_with_any: bool = False  # has an `add-partial` without a type of moves
    attacks: bool = False
    goal_positions: bool = False
    flags: set[str] = field(default_factory=set)
    promotions: set[str] = field(default_factory=set)
    position_flag_names: set[str] = field(default_factory=set)

    def join(self, other: Usage) -> None:
        """Add what another piece of code uses."""
        self.flags |= other.flags
        self.promotions |= other.promotions
        self.position_flag_names |= other.position_flag_names
        for name in (
            "state",
            "mark",
            "position_flags",
            "last",
            "partial",
            "promotes",
            "continues_with_any",
            "attacks",
            "goal_positions",
        ):
            setattr(self, name, getattr(self, name) or getattr(other, name))


class GameUsage:
    """What the blocks of a game use.

    Attributes:
        total: What all blocks together use.
        watches: Whether goals ask which pieces left the board.
        recycles: Whether pieces that leave the board return to a store.
        takes_promotions: Whether promotions take the new type from a store.
        counting: The option "maximal captures": 0, 1, or 2.
        every_move: Whether every move must record something when it is made.
    """

    def __init__(self, rules: Rules) -> None:
        self._known: dict[int, Usage] = {}
        self._kept: list[object] = []  # keeps the keys of _known alive
        self.total = Usage()
        for piece in rules.pieces:
            for block in (*piece.moves, *piece.drops):
                self.total.join(self.of(block.code))
        options = rules.options
        self.recycles = options.get("recycle captures", "false") not in ("", "false", "default")
        self.watches = any(
            isinstance(part, Captured) for goal in rules.goals for part in parts_of(goal.condition)
        )
        captures = options.get("maximal captures", "false")
        self.counting = {"true": 1, "1": 1, "2": 2}.get(captures, 0)
        self.takes_promotions = options.get("recycle promotions") == "true"
        self.every_move = (
            self.total.last
            or self.recycles
            or self.watches
            or self.takes_promotions
            or self.counting > 0
        )

    def of(self, code: Code) -> Usage:
        """Return what a run of instructions uses."""
        known = self._known.get(id(code))
        if known is None:
            known = self._known[id(code)] = Usage()
            self._kept.append(code)
            for instruction in code.instructions:
                known.join(self._of_instruction(instruction))
        return known

    def _of_instruction(self, item: Instruction) -> Usage:
        known = self._known.get(id(item))
        if known is None:
            known = self._known[id(item)] = Usage(state=isinstance(item, _STATE))
            self._kept.append(item)
            self._visit(item, known)
        return known

    def _visit(self, item: Instruction, usage: Usage) -> None:  # noqa: C901 - a table
        square = getattr(item, "square", None)
        if square is not None:
            _visit_square(square, usage)
        match item:
            case Call(code=code):
                usage.join(self.of(code))
            case If(condition=condition, then=then, otherwise=otherwise):
                _visit_condition(condition, usage)
                usage.join(self.of(then))
                usage.join(self.of(otherwise))
            case While(condition=condition, body=body):
                _visit_condition(condition, usage)
                usage.join(self.of(body))
            case Verify(condition=condition):
                _visit_condition(condition, usage)
            case Add(types=types):
                _visit_add(item, usage)
                usage.promotions.update(types)
            case ChangeType(type=kind):
                usage.promotions.add(kind)
            case SetMark():
                usage.mark = True
            case SetAttribute(value=value):
                _visit_condition(value, usage)
            case SetFlag(name=name, value=value):
                usage.flags.add(name)
                _visit_condition(value, usage)
            case SetPositionFlag(name=name, value=value):
                usage.position_flags = True
                usage.position_flag_names.add(name)
                _visit_condition(value, usage)


def _visit_add(add: Add, usage: Usage) -> None:
    usage.partial = usage.partial or add.partial
    usage.state = usage.state or add.partial or add.copy
    usage.promotes = usage.promotes or bool(add.types)
    usage.continues_with_any |= add.partial and not add.continuation


def _visit_square(square: Square, usage: Usage) -> None:
    if isinstance(square, Cursor):
        usage.mark = usage.mark or square is Cursor.MARK
        usage.state = usage.state or square in (Cursor.FROM, Cursor.TO)
        usage.last = usage.last or square in (Cursor.LAST_FROM, Cursor.LAST_TO)


def _visit_condition(condition: Condition, usage: Usage) -> None:
    match condition:
        case Not(condition=inner):
            _visit_condition(inner, usage)
        case And(conditions=parts) | Or(conditions=parts):
            for part in parts:
                _visit_condition(part, usage)
        case Test(question=question, name=name, square=square):
            _visit_square(square, usage)
            usage.mark = usage.mark or question is Question.MARKED
            usage.goal_positions |= question is Question.GOAL_POSITION
            usage.last = usage.last or question in (Question.LAST_FROM, Question.LAST_TO)
            usage.attacks |= question in (NamedQuestion.ATTACKED, NamedQuestion.DEFENDED)
            if question is NamedQuestion.FLAG:
                usage.flags.add(name)
            elif question is NamedQuestion.POSITION_FLAG:
                usage.position_flags = True
                usage.position_flag_names.add(name)


def usage_of(rules: Rules) -> GameUsage:
    """Return what the blocks of a game use."""
    return GameUsage(rules)
