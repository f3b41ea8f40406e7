"""Rhythmomachia 2: another program's rules on the same board, `rules/rithmomachia.md` section 10.

Owns that option set whole.  The board, set-up and numbers are section 2's; sections 4 to 8 do
not hold here except where a reading below says so.

A turn is a row of actions: attacks, one move, attacks, and its end.  One action is one ply.

Readings, where the page is silent:
- Blue is White, who moves first in the other rules too.
- The one move must be made before a turn may end, unless there is none to make.
- An attack is one piece against one victim.  Direct confrontation lowers by the attacker's
  number; the attack at a distance by its product with the count of squares, or by the exact
  quotient, in any direction in which its class moves, over pieces too (section 6).
- Nothing is lowered below 0.  What is lowered for nothing is the player's choice.
- `r2-formation` lets attacks at a distance lower a victim by less than is left of it; off, each
  of them must take the whole rating alone.  `r2-direct = also-joint` does the same for direct
  confrontation; `equal` wants the attacker's number to be what is left of the victim then.
- Of a pyramid each part is a victim, and so is its total (section 5); a piece may attack each
  of them once.  The pyramid attacks as one piece, each time with a part in that part's
  directions, or with the total in any part's.
- `r2-siege` is section 6's: after the move, without being asked, and the pyramid whole.
- `r2-swap` is decided at the start of the owner's turn, for parts lost in the turn before it,
  and only while the pyramid still stands.
- The three ratings are put in order by size, not by where they stand; a pyramid stands for its
  total or one part (section 8).  Nothing may stand between on the line, or on the two legs.
- The player whose turn ends wins by a harmony or when no enemy is left.
- `draw_after` counts turns without capture; the page has it for the other rules only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

from models.rithmomachia_board import (
    DIAGONAL,
    ORTHOGONAL,
    OTHER,
    RUN,
    SETUP,
    SETUP_PARTS,
    Board,
    Parts,
    Piece,
    diagonals,
    orthogonals,
    reads,
    territory,
    walk,
)
from models.rithmomachia_game import position
from models.rithmomachia_glory import progression

__all__ = ["Action", "Options2", "State2", "position2", "start2"]

STEPS: Final = {"R": ORTHOGONAL, "T": DIAGONAL, "S": ORTHOGONAL + DIAGONAL}
WHOLE: Final = "total"


@dataclass(frozen=True)
class Options2:
    """The choices of section 10 that have more than one value."""

    direct: str = "equal"
    formation: str = "on"
    siege: str = "off"
    swap: str = "on"
    harmony: tuple[str, ...] = ("arithmetic", "geometric", "harmonic")
    shape: tuple[str, ...] = ("line", "triangle")
    enemy: int = 1
    draw_after: int = 0


class Action(NamedTuple):
    """One ply.  `kind` is move, attack, swap or end.

    An attack lowers `target` by `amount`: a square, for pyramids with the part or `total`.
    A swap gives up the piece on `start` for `part`.
    """

    kind: str
    start: str = ""
    goal: str = ""
    part: str = ""
    amount: int = 0


Target = tuple[str, str]  # a square, and of a pyramid the part or WHOLE


@dataclass(frozen=True)
class State2:
    """A position within a turn.

    `lowered` holds what this turn's attacks took off ratings, `used` who has attacked what,
    `lost` the parts that this turn's attacks took, `swaps` those that the side to move may
    still have back.
    """

    options: Options2
    board: Board
    parts: Parts
    turn: str = "W"
    moved: bool = False
    lowered: Mapping[Target, int] = field(default_factory=dict)
    used: frozenset[tuple[str, Target]] = frozenset()
    lost: tuple[Piece, ...] = ()
    swaps: tuple[Piece, ...] = ()
    quiet: int = 0
    caught: bool = False
    ended: str = ""  # who has just ended his turn

    # --- what may be done ------------------------------------------------------------------

    @cached_property
    def actions(self) -> list[Action]:
        """Everything that the player may do now."""
        found = set(self._swaps()) | set(self._attacks())
        moves = set() if self.moved else set(self._moves())
        if not moves:
            found.add(Action("end"))
        return sorted(found | moves)

    def _pieces(self, side: str) -> Iterator[tuple[str, Piece]]:
        return ((name, piece) for name, piece in self.board.items() if piece.side == side)

    def _units(self, piece: Piece) -> tuple[Piece, ...]:
        """What a piece moves and attacks as: itself, or each part."""
        return self.parts[piece.side] if piece.kind == "P" else (piece,)

    def _moves(self) -> Iterator[Action]:
        for square, piece in self._pieces(self.turn):
            for unit in self._units(piece):
                for goal in self._ends(square, unit.kind):
                    if goal not in self.board:
                        yield Action("move", square, goal)

    def _ends(self, square: str, kind: str) -> Iterator[str]:
        """Where a class's move ends, if that were empty."""
        length = RUN[kind]
        for step in STEPS[kind]:
            line = walk(square, step)
            if len(line) >= length and not any(at in self.board for at in line[: length - 1]):
                yield line[length - 1]

    def _attacks(self) -> Iterator[Action]:
        for square, piece in self._pieces(self.turn):
            units = [(unit.kind, unit.value) for unit in self._units(piece)]
            if piece.kind == "P":
                total = sum(value for _, value in units)
                units += [(kind, total) for kind, _ in units]
            for kind, value in units:
                yield from self._direct(square, kind, value)
                yield from self._distant(square, kind, value)

    def _direct(self, square: str, kind: str, value: int) -> Iterator[Action]:
        joint = self.options.direct == "also-joint"
        for goal in self._ends(square, kind):
            for target, left, _ in self._targets(goal):
                if value == left or (joint and value < left):
                    yield from self._attack(square, target, value)

    def _distant(self, square: str, kind: str, value: int) -> Iterator[Action]:
        for step in STEPS[kind]:
            for count, goal in enumerate(walk(square, step), start=2):
                amounts = [value * count]
                if value % count == 0:
                    amounts.append(value // count)
                for target, left, full in self._targets(goal):
                    for amount in amounts:
                        alone = amount == left == full
                        if alone or (self.options.formation == "on" and amount <= left):
                            yield from self._attack(square, target, amount)

    def _attack(self, square: str, target: Target, amount: int) -> Iterator[Action]:
        if (square, target) not in self.used:
            yield Action("attack", square, target[0], target[1], amount)

    def _targets(self, square: str) -> Iterator[tuple[Target, int, int]]:
        """Victims on a square: each with what is left of its rating, and the full rating."""
        piece = self.board.get(square)
        if piece is None or piece.side == self.turn:
            return
        ratings = {"": piece.value}
        if piece.kind == "P":
            ratings = {str(part)[1:]: part.value for part in self.parts[piece.side]}
            ratings[WHOLE] = sum(ratings.values())
        for name, full in ratings.items():
            yield (square, name), full - self.lowered.get((square, name), 0), full

    def _swaps(self) -> Iterator[Action]:
        if any(piece.kind == "P" for _, piece in self._pieces(self.turn)):
            for part in self.swaps:
                for square, piece in self._pieces(self.turn):
                    if piece == part:
                        yield Action("swap", square, "", str(part)[1:])

    # --- doing it ----------------------------------------------------------------------------

    def play(self, action: Action) -> State2:
        """The position after an action."""
        return {"move": self._move, "attack": self._strike, "swap": self._swap, "end": self._end}[
            action.kind
        ](action)

    def _move(self, action: Action) -> State2:
        board = dict(self.board)
        board[action.goal] = board.pop(action.start)
        used = frozenset((action.goal if a == action.start else a, t) for a, t in self.used)
        after = replace(self, board=board, used=used, moved=True, swaps=())
        if self.options.siege == "on":
            for square, piece in list(after._pieces(OTHER[self.turn])):
                around = orthogonals(square), diagonals(square)
                if any(all(after._blocks(name) for name in four) for four in around):
                    after = after._without((square, WHOLE if piece.kind == "P" else ""))
        return after

    def _blocks(self, name: str | None) -> bool:
        return name is None or (name in self.board and self.board[name].side == self.turn)

    def _strike(self, action: Action) -> State2:
        target = (action.goal, action.part)
        lowered = {**self.lowered, target: self.lowered.get(target, 0) + action.amount}
        used = self.used | {(action.start, target)}
        after = replace(self, lowered=lowered, used=used, swaps=())
        (left,) = (rest for known, rest, _ in after._targets(action.goal) if known == target)
        return after._without(target) if left == 0 else after

    def _without(self, target: Target) -> State2:
        """The position without a captured piece, part, or whole pyramid."""
        square, name = target
        board, parts, lost = dict(self.board), dict(self.parts), self.lost
        side = board[square].side
        if name:
            gone = tuple(part for part in parts[side] if name in (WHOLE, str(part)[1:]))
            parts[side] = tuple(part for part in parts[side] if part not in gone)
            lost += gone
        if not name or not parts[side]:
            del board[square]
        return replace(self, board=board, parts=parts, lost=lost, caught=True)

    def _swap(self, action: Action) -> State2:
        part = reads(self.turn + action.part)
        board, parts = dict(self.board), dict(self.parts)
        del board[action.start]
        order = SETUP_PARTS[self.turn]
        parts[self.turn] = tuple(sorted((*parts[self.turn], part), key=order.index))
        left = tuple(other for other in self.swaps if other != part)
        return replace(self, board=board, parts=parts, swaps=left)

    def _end(self, _action: Action) -> State2:
        return State2(
            self.options,
            self.board,
            self.parts,
            OTHER[self.turn],
            swaps=self.lost if self.options.swap == "on" else (),
            quiet=0 if self.caught else self.quiet + 1,
            ended=self.turn,
        )

    # --- the end -------------------------------------------------------------------------------

    @cached_property
    def winner(self) -> str | None:
        """Who has won, an empty text for a draw, None while the game goes on."""
        side = self.ended
        if side and (self._harmony(side) or not any(self._pieces(OTHER[side]))):
            return side
        return "" if 0 < self.options.draw_after <= self.quiet else None

    def _harmony(self, side: str) -> bool:
        inside = territory(OTHER[side])
        here = {name: piece for name, piece in self.board.items() if name in inside}
        for three in combinations(here, 3):
            strangers = sum(here[name].side != side for name in three)
            if strangers <= self.options.enemy and self._shaped(three) and self._tuned(three):
                return True
        return False

    def _shaped(self, three: tuple[str, ...]) -> bool:
        for corner in three:
            one, two = (name for name in three if name != corner)
            first, second = self._sight(corner, one), self._sight(corner, two)
            if first is None or second is None:
                continue
            (step, far), (other, wide) = first, second
            if "line" in self.options.shape and far == wide and _opposite(step, other):
                return True
            legs = step in ORTHOGONAL and other in ORTHOGONAL and not _opposite(step, other)
            if "triangle" in self.options.shape and legs and step != other:
                return True
        return False

    def _sight(self, square: str, other: str) -> tuple[tuple[int, int], int] | None:
        """Direction and distance to a square, if it lies in line with nothing between."""
        for step in ORTHOGONAL + DIAGONAL:
            line = walk(square, step)
            if other in line:
                far = line.index(other)
                return None if any(name in self.board for name in line[:far]) else (step, far)
        return None

    def _tuned(self, three: tuple[str, ...]) -> bool:
        one, two, last = (self._ratings(self.board[name]) for name in three)
        return any(
            progression(a, b, c) in self.options.harmony for a in one for b in two for c in last
        )

    def _ratings(self, piece: Piece) -> set[int]:
        values = [unit.value for unit in self._units(piece)]
        return {*values, sum(values)} if piece.kind == "P" else set(values)


def _opposite(step: tuple[int, int], other: tuple[int, int]) -> bool:
    return step == (-other[0], -other[1])


def start2(options: Options2 = Options2()) -> State2:
    """The first position."""
    return State2(options, SETUP, SETUP_PARTS)


def position2(
    pieces: Mapping[str, str],
    options: Options2 = Options2(),
    *,
    turn: str = "W",
    parts: Mapping[str, str] | None = None,
) -> State2:
    """A position, written as for `rithmomachia_game.position`."""
    plain = position(pieces, turn=turn, parts=parts)
    return State2(options, plain.board, plain.parts, turn)
