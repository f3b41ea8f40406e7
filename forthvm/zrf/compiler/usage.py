"""Tells which parts of the state of a block its code uses, in calls too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    Cascade,
    ChangeType,
    Code,
    Cursor,
    Flip,
    Instruction,
    NamedQuestion,
    Question,
    SetFlag,
    SetFrom,
    SetMark,
    SetPositionFlag,
    SetTo,
    Square,
    Test,
    inner_codes,
    own_tests,
)
from forthvm.zrf.compiler.flow import EFFECTS
from forthvm.zrf.rules import CaptureCount, Captured, Checkmated

if TYPE_CHECKING:
    from forthvm.zrf.choices import Choices
    from forthvm.zrf.rules import Rules

__all__ = ["GameUsage", "Usage"]

_STATE = (SetFrom, SetTo, Cascade, *EFFECTS)


@dataclass(slots=True)
class Usage:
    """What a piece of code uses."""

    state: bool = False  # from, to, saved movements or effects
    adds: bool = False
    mark: bool = False
    last: bool = False  # last-from or last-to
    partial: bool = False
    promotes: bool = False
    continues_with_any: bool = False  # has an `add-partial` without a type of moves
    attacks: bool = False
    goal_positions: bool = False
    flips: bool = False
    flags: set[str] = field(default_factory=set)
    position_flags: set[str] = field(default_factory=set)
    promotions: set[str] = field(default_factory=set)
    continuations: set[str] = field(default_factory=set)  # move types that `add-partial` names

    def join(self, other: Usage) -> None:
        """Add what another piece of code uses."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) | getattr(other, name))


class GameUsage:
    """What the blocks of a game use.

    Attributes:
        total: What all blocks together use.
        watches: Whether goals ask which pieces left the board.
        counts_captures: Whether goals ask how many pieces a player has captured.
        recycles: Whether pieces that leave the board return to a store.
        takes_promotions: Whether promotions take the new type from a store.
        discards: Whether `add` discards saved movements ("discard cascades").
        counting: The option "maximal captures": 0, 1, or 2.
        records: Whether moves record pieces that leave the board.
        every_move: Whether every move must record more than where it begins and ends.
        can_repeat: Whether a position may occur again.  It may not if each move is a drop, which
            takes a piece from a store, and no piece returns to a store.
        royals: The players and piece types that no move may leave attacked.
        asks_for_attacks: Whether move code or goals ask whether a position is attacked.
    """

    def __init__(self, rules: Rules, choices: Choices) -> None:
        self._known: dict[Code, Usage] = {}
        self._of_items: dict[int, Usage] = {}  # by id: the rules keep the instructions alive
        self.total = Usage()
        for block in rules.blocks():
            self.total.join(self.of(block.code))
        options = rules.options
        self.recycles = options.get("recycle captures", "false") not in ("", "false", "default")
        self.watches = any(isinstance(part, Captured) for part in rules.goal_conditions())
        self.counts_captures = any(
            isinstance(part, CaptureCount) for part in rules.goal_conditions()
        )
        captures = options.get("maximal captures", "false")
        by_value = 2 if choices.maximal_captures_2_is == "value" else 1
        self.counting = {"true": 1, "1": 1, "2": by_value}.get(captures, 0)
        self.takes_promotions = options.get("recycle promotions") == "true"
        self.discards = options.get("discard cascades") == "true"
        passes = options.get("pass turn", "false") != "false"
        self.can_repeat = self.recycles or passes or any(piece.moves for piece in rules.pieces)
        self.records = self.recycles or self.watches or self.counts_captures or self.counting > 0
        self.every_move = (
            self.records or self.takes_promotions or not choices.promotion_keeps_attributes
        )
        in_danger = _in_goals(rules, Captured) if choices.captured_allows_danger else []
        royals = _in_goals(rules, Checkmated)
        self.royals = [at for at in royals if at not in in_danger]
        self.asks_for_attacks = bool(royals) or self.total.attacks

    def of(self, code: Code) -> Usage:
        """Return what a run of instructions uses."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = Usage()
            for instruction in code.instructions:
                known.join(self._of_instruction(instruction))
        return known

    def adds(self, item: Instruction) -> bool:
        """Return whether an instruction contains an `add`."""
        return self._of_instruction(item).adds

    def needs_state(self, item: Instruction, *, drop: bool) -> bool:
        """Return whether an instruction needs from, to, saved movements or effects.

        Args:
            item: The instruction.
            drop: Whether its block drops a piece.
        """
        usage = self._of_instruction(item)
        return usage.state or (self.every_move and usage.adds) or (drop and usage.promotes)

    def _of_instruction(self, item: Instruction) -> Usage:
        known = self._of_items.get(id(item))
        if known is None:
            known = self._of_items[id(item)] = Usage(state=isinstance(item, _STATE))
            self._visit(item, known)
        return known

    def _visit(self, item: Instruction, usage: Usage) -> None:
        _visit_square(getattr(item, "square", None), usage)
        for test in own_tests(item):
            _visit_test(test, usage)
        for code in inner_codes(item):
            usage.join(self.of(code))
        match item:
            case Add(types=types):
                _visit_add(item, usage)
                usage.promotions.update(types)
            case ChangeType(type=kind):
                usage.promotions.add(kind)
            case SetMark():
                usage.mark = True
            case Flip():
                usage.flips = True
            case SetFlag(name=name):
                usage.flags.add(name)
            case SetPositionFlag(name=name):
                usage.position_flags.add(name)


def _visit_add(add: Add, usage: Usage) -> None:
    usage.adds = True
    usage.partial |= add.partial
    usage.state |= add.partial or add.copy
    usage.promotes |= bool(add.types)
    usage.continues_with_any |= add.partial and not add.continuation
    if add.partial and add.continuation:
        usage.continuations.add(add.continuation)


def _visit_square(square: Square | None, usage: Usage) -> None:
    if isinstance(square, Cursor):
        usage.mark |= square is Cursor.MARK
        usage.state |= square in (Cursor.FROM, Cursor.TO)
        usage.last |= square in (Cursor.LAST_FROM, Cursor.LAST_TO)


def _visit_test(test: Test, usage: Usage) -> None:
    question = test.question
    _visit_square(test.square, usage)
    usage.mark |= question is Question.MARKED
    usage.goal_positions |= question is Question.GOAL_POSITION
    usage.last |= question in (Question.LAST_FROM, Question.LAST_TO)
    usage.attacks |= question in (NamedQuestion.ATTACKED, NamedQuestion.DEFENDED)
    if question is NamedQuestion.FLAG:
        usage.flags.add(test.name)
    elif question is NamedQuestion.POSITION_FLAG:
        usage.position_flags.add(test.name)


def _in_goals(rules: Rules, kind: type[Checkmated | Captured]) -> list[tuple[str, str]]:
    """Return the players and piece types of the goals of one kind."""
    return list(
        dict.fromkeys(
            (player, piece)
            for goal in rules.goals
            for part in goal.conditions()
            if isinstance(part, kind)
            for player in goal.players
            for piece in part.pieces
        )
    )
