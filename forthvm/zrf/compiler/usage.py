"""Tells which parts of the state of a block its code uses, in calls too.

It must not know ForthScript.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    Cascade,
    ChangeType,
    Code,
    Cursor,
    NamedQuestion,
    Question,
    SetFlag,
    SetFrom,
    SetMark,
    SetPositionFlag,
    SetTo,
    Test,
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
        ):
            setattr(self, name, getattr(self, name) or getattr(other, name))


class GameUsage:
    """What the blocks of a game use.

    Attributes:
        every_move: Whether every move must record something when it is made.
    """

    def __init__(self, rules: Rules) -> None:
        self._known: dict[int, Usage] = {}
        self._kept: list[Code] = []
        self.total = Usage()
        for piece in rules.pieces:
            for block in (*piece.moves, *piece.drops):
                self.total.join(self.of(block.code))
        self.stores = any(piece.drops for piece in rules.pieces)
        self.recycles = rules.options.get("recycle captures", "false") not in ("", "false")
        self.watches = any(
            isinstance(part, Captured) for goal in rules.goals for part in parts_of(goal.condition)
        )
        captures = rules.options.get("maximal captures", "false")
        self.counting = {"true": 1, "1": 1, "2": 2}.get(captures, 0)
        self.continues_with_any = self.total.continues_with_any
        self.every_move = self.total.last or self.recycles or self.watches or bool(self.counting)

    def of(self, code: Code) -> Usage:
        """Return what a run of instructions uses."""
        known = self._known.get(id(code))
        if known is None:
            known = self._known[id(code)] = Usage()
            self._kept.append(code)
            for instruction in code.instructions:
                self._visit(instruction, known)
        return known

    def _visit(self, item: object, usage: Usage) -> None:  # noqa: C901, PLR0912 - a table
        match item:
            case Code():
                usage.join(self.of(item))
                return
            case Cursor():
                usage.mark = usage.mark or item is Cursor.MARK
                usage.state = usage.state or item in (Cursor.FROM, Cursor.TO)
                usage.last = usage.last or item in (Cursor.LAST_FROM, Cursor.LAST_TO)
                return
            case tuple():
                for part in item:
                    self._visit(part, usage)
                return
            case Test(question=question, name=name):
                usage.mark = usage.mark or question is Question.MARKED
                usage.last = usage.last or question in (Question.LAST_FROM, Question.LAST_TO)
                usage.position_flags |= question is NamedQuestion.POSITION_FLAG
                usage.attacks |= question in (NamedQuestion.ATTACKED, NamedQuestion.DEFENDED)
                if question is NamedQuestion.FLAG:
                    usage.flags.add(name)
                if question is NamedQuestion.POSITION_FLAG:
                    usage.position_flag_names.add(name)
            case Add(partial=partial, copy=copy, types=types):
                usage.promotes = usage.promotes or bool(types)
                usage.continues_with_any |= partial and not item.continuation
                usage.promotions.update(types)
                usage.partial = usage.partial or partial
                usage.state = usage.state or partial or copy
            case ChangeType(type=kind):
                usage.promotions.add(kind)
            case SetFlag(name=name):
                usage.flags.add(name)
            case SetPositionFlag(name=name):
                usage.position_flags = True
                usage.position_flag_names.add(name)
            case SetMark():
                usage.mark = True
        usage.state = usage.state or isinstance(item, _STATE)
        if is_dataclass(item) and not isinstance(item, Enum):
            for part in fields(item):
                if part.name != "origin":
                    self._visit(getattr(item, part.name), usage)


def usage_of(rules: Rules) -> GameUsage:
    """Return what the blocks of a game use."""
    return GameUsage(rules)
