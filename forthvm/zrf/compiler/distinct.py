"""Works out whether two blocks, or one block twice, can add equal moves.

Zillions counts equal moves once.  The kernel has to compare all moves of a list for that, so it
helps to know that no two can be equal.  Owns the proof: each block is followed along all its ways,
from all positions at once, with what conditions say about the content of squares.  Moves of a piece
differ if they lead to different positions, if different types arrive there, or if one of their ways
needs an empty square where the other needs a piece.  Drops differ if they put the piece where their
block begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    And,
    Call,
    Cascade,
    ChangeType,
    Code,
    Condition,
    Constant,
    Cursor,
    Go,
    If,
    Instruction,
    Named,
    NamedQuestion,
    Neighbor,
    Not,
    Or,
    Question,
    SetFrom,
    SetMark,
    SetTo,
    Square,
    Test,
    Verify,
    While,
    inner_codes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.zrf.rules import Block, Rules

__all__ = ["adds_distinct_moves"]

_MOST_WORK = 8_000_000  # steps times positions: about a quarter of a second
_FEW_POSITIONS = 400  # on smaller boards, a step takes as long as with so many
_EMPTY, _FRIEND, _OTHER = 1, 2, 4  # what may stand on a square
_ANYTHING = _EMPTY | _FRIEND | _OTHER
_CONTENTS = {
    Question.EMPTY: _EMPTY,
    Question.FRIEND: _FRIEND,
    Question.ENEMY: _OTHER,
    Question.NEUTRAL: _OTHER,
    NamedQuestion.PIECE: _FRIEND | _OTHER,
    Question.ON_BOARD: _ANYTHING,
}
_GEOMETRY = (NamedQuestion.IN_ZONE, NamedQuestion.POSITION)
_EXACT = (Question.EMPTY, Question.FRIEND, Question.ENEMY)
"""Questions whose answer no also says what stands on the square."""


class _UnprovenError(Exception):
    """Equal moves are possible, or the blocks are too complicated."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a way has led, for each position where a block may begin.

    Attributes:
        ends: The number of the position, -1 if the way does not exist.
        pairs: The pairs of beginning and end as a set: an integer with a bit for each pair.
        whole: The place of which this is the part in some zone; None: of none.
    """

    ends: tuple[int, ...]
    pairs: int
    whole: _Place | None = None

    @property
    def square(self) -> _Place:
        """The place that stands for the square, in zones and outside."""
        return self.whole or self


Kind = tuple[object, ...]
Contents = dict[_Place, int]
Moves = dict[tuple[Kind, _Place], list[Contents]]
"""For each move what the ways that add it need."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way through a block up to some instruction.

    Attributes:
        to: Where the movement ends, if not at the cursor.
        first: Where the first of several movements ended.
        contents: What may stand on squares that conditions have asked about.
        added: The moves of this way so far.
    """

    here: _Place
    mark: _Place
    to: _Place | None = None
    first: _Place | None = None
    contents: Contents = field(default_factory=dict)
    added: tuple[tuple[Kind, _Place], ...] = ()


class _Board:
    """The places of one board, each of which exists once."""

    def __init__(self, rules: Rules, order: Sequence[str], player: str) -> None:
        self._links = rules.board.links
        self._symmetry = rules.board.symmetries.get(player, {})
        self._zones = rules.board.zones_of(player)
        self._order = order
        self._number = {name: at for at, name in enumerate(order)}
        self._places: dict[tuple[_Place | None, tuple[int, ...]], _Place] = {}
        self._steps: dict[tuple[_Place, str], _Place] = {}
        self._ends: dict[str, list[int]] = {}
        self.start = self._place(tuple(range(len(order))))

    def _place(self, ends: tuple[int, ...], whole: _Place | None = None) -> _Place:
        place = self._places.get((whole, ends))
        if place is None:
            size, pairs = len(ends), bytearray(len(ends) ** 2 // 8 + 1)
            for at, end in enumerate(ends):
                if end >= 0:
                    bit = at * size + end
                    pairs[bit // 8] |= 1 << bit % 8
            place = _Place(ends, int.from_bytes(pairs, "little"), whole)
            self._places[whole, ends] = place
        return place

    def part(self, place: _Place, test: Test, *, wanted: bool) -> _Place:
        """Return a place without the positions where a test of geometry fails."""
        zone = self._zones.get(test.name, ())
        names = (test.name,) if test.question is NamedQuestion.POSITION else zone
        inside = {self._number[name] for name in names if name in self._number}
        ends = tuple(at if (at in inside) == wanted else -1 for at in place.ends)
        return place if ends == place.ends else self._place(ends, place.square)

    def square(self, square: Square, way: _Way) -> _Place:
        match square:
            case Neighbor(direction=name):
                return self._neighbor(way.here, self._symmetry.get(name, name))
            case Named(position=name):
                return self._place((self._number.get(name, -1),) * len(self._order))
            case Cursor.HERE:
                return way.here
            case Cursor.FROM if way.first is None:
                return self.start
            case Cursor.MARK:
                return way.mark
            case Cursor.TO:
                return way.to or way.here
            case _:
                raise _UnprovenError

    def _neighbor(self, place: _Place, direction: str) -> _Place:
        known = self._steps.get((place, direction))
        if known is None:
            ends = self._ends.get(direction)
            if ends is None:
                links = self._links.get(direction, {})
                ends = [self._number.get(links.get(name, ""), -1) for name in self._order]
                ends = self._ends[direction] = [*ends, -1]  # also the neighbor of no position
            known = self._place(tuple(ends[at] for at in place.ends))
            self._steps[place, direction] = known
        return known


class _Blocks:
    """Follows the blocks of one player."""

    def __init__(self, board: _Board, steps: int) -> None:
        self._board = board
        self._drop = False
        self._types_tell = True
        self._moves: Moves = {}
        self._known: dict[object, Moves] = {}
        self._changing: dict[Code, bool] = {}
        self.steps = steps

    def changes_type(self, code: Code) -> bool:
        """Return whether a code contains `change-type`."""
        known = self._changing.get(code)
        if known is None:
            known = self._changing[code] = any(
                isinstance(part, ChangeType) or any(map(self.changes_type, inner_codes(part)))
                for part in code.instructions
            )
        return known

    def moves(self, block: Block, *, drop: bool, types_tell: bool) -> Moves:
        """Return the moves of a block, each with what its ways need.

        Args:
            block: The block.
            drop: Whether it drops a piece.
            types_tell: Whether moves differ if `add` names different types.
        """
        parts = block.code.instructions
        calls = (part.code if isinstance(part, Call) else part for part in parts)
        alike = (drop, types_tell, *calls)
        if alike not in self._known:
            self._drop, self._types_tell, self._moves = drop, types_tell, {}
            self._run(block.code, [_Way(self._board.start, self._board.start)])
            self._known[alike] = self._moves
        return self._known[alike]

    def _run(self, code: Code, ways: list[_Way]) -> list[_Way]:
        for instruction in code.instructions:
            if not ways:
                break
            ways = _joined(after for way in ways for after in self._step(instruction, way))
        return ways

    def _step(self, instruction: Instruction, way: _Way) -> Sequence[_Way]:  # noqa: C901, PLR0911 - a table
        self._spend_step()
        match instruction:
            case Go(square=square):
                here = self._board.square(square, way)
                return [replace(way, here=here)] if here.pairs else []
            case SetMark(square=square):
                if isinstance(square, Neighbor):
                    raise _UnprovenError  # off the board, it leaves the former mark
                return [replace(way, mark=self._board.square(square, way))]
            case SetTo():
                return [replace(way, to=way.here)]
            case Cascade():
                return [replace(way, first=way.first or way.to or way.here, to=None)]
            case SetFrom():
                raise _UnprovenError
            case Verify(condition=condition):
                return self._where(condition, way, wanted=True)
            case Call(code=code):
                return self._run(code, [way])
            case If(condition=condition, then=then, otherwise=otherwise):
                return [
                    *self._run(then, self._where(condition, way, wanted=True)),
                    *self._run(otherwise, self._where(condition, way, wanted=False)),
                ]
            case While(condition=condition, body=body):
                return self._loop(condition, body, way)
            case Add():
                return [self._add(instruction, way)]
        return [way]

    def _spend_step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise _UnprovenError

    def _loop(self, condition: Condition, body: Code, way: _Way) -> list[_Way]:
        left, running = [], [way]
        while running:
            self._spend_step()
            left += [at for one in running for at in self._where(condition, one, wanted=False)]
            inside = [at for one in running for at in self._where(condition, one, wanted=True)]
            running = self._run(body, inside)
        return left

    def _add(self, add: Add, way: _Way) -> _Way:
        place, added = way.first or way.to or way.here, way.added
        # A drop may be the same as one of another type, or as one that begins elsewhere.
        if self._drop and (add.types or place.square is not self._board.start):
            raise _UnprovenError
        for kind in add.types or ("",):
            move = (
                (kind if self._types_tell else "", add.partial, add.continuation, add.copy),
                place,
            )
            for other, there in added:
                if other == move[0] and there.pairs & place.pairs:
                    raise _UnprovenError
            added = (*added, move)
            self._moves.setdefault(move, []).append(way.contents)
        return replace(way, added=added)

    def _where(self, condition: Condition, way: _Way, *, wanted: bool) -> list[_Way]:
        """Return the way, with what the condition says about squares, unless it ends there."""
        here, contents = self._inside(condition, way.here, wanted=wanted), dict(way.contents)
        way = replace(way, here=here, contents=contents)
        possible = here.pairs and self._note(condition, way, contents, wanted=wanted)
        return [way] if possible else []

    def _inside(self, condition: Condition, here: _Place, *, wanted: bool) -> _Place:
        """Return the part of a place where geometry lets a condition have a value."""
        match condition:
            case Not(condition=inner):
                return self._inside(inner, here, wanted=not wanted)
            case And(conditions=parts) if wanted:
                for part in parts:
                    here = self._inside(part, here, wanted=True)
            case Or(conditions=parts) if not wanted:
                for part in parts:
                    here = self._inside(part, here, wanted=False)
            case Test(question=question, square=Cursor.HERE) if question in _GEOMETRY:
                return self._board.part(here, condition, wanted=wanted)
        return here

    def _note(self, condition: Condition, way: _Way, contents: Contents, *, wanted: bool) -> bool:
        """Enter what a condition says about squares; return whether it is possible."""
        match condition:
            case Constant(value=value):
                return value == wanted
            case Not(condition=inner):
                return self._note(inner, way, contents, wanted=not wanted)
            case And(conditions=parts) if wanted:
                return all(self._note(part, way, contents, wanted=True) for part in parts)
            case Or(conditions=parts) if not wanted:
                return all(self._note(part, way, contents, wanted=False) for part in parts)
            case Test(question=question, square=Cursor.HERE) if question in _CONTENTS:
                may = _CONTENTS[question]
                if not wanted:
                    may = _ANYTHING & ~may if question in _EXACT else _ANYTHING
                may &= contents.get(way.here.square, _ANYTHING)
                contents[way.here.square] = may
                return bool(may)
        return True


def _joined(ways: Iterator[_Way]) -> list[_Way]:
    """Join ways that lead to the same places and have added the same moves."""
    found: dict[object, _Way] = {}
    for way in ways:
        key = way.here, way.mark, way.to, way.first, way.added
        other = found.get(key)
        found[key] = way if other is None else replace(way, contents=_either(way, other))
    return list(found.values())


def _either(one: _Way, other: _Way) -> Contents:
    """Return what may stand on squares after one way or the other."""
    known = other.contents
    return {at: may | known[at] for at, may in one.contents.items() if at in known}


def _exclude(one: Contents, other: Contents) -> bool:
    """Return whether no board allows both."""
    return any(not may & other.get(at, _ANYTHING) for at, may in one.items())


def _check(blocks: _Blocks, piece: Sequence[Block], *, drop: bool) -> None:
    """Check that no two blocks of a piece add equal moves.

    Raises:
        _UnprovenError: They may.
    """
    # With `change-type`, moves may be equal although `add` names other types.
    types_tell = not any(blocks.changes_type(block.code) for block in piece)
    known: dict[Kind, dict[_Place, list[Contents]]] = {}
    pairs: dict[Kind, int] = {}
    for block in piece:
        moves = blocks.moves(block, drop=drop, types_tell=types_tell)
        for (kind, place), needs in moves.items():
            if not place.pairs & pairs.get(kind, 0):
                continue
            for there, others in known[kind].items():
                if there.pairs & place.pairs and not (
                    there.square is place.square
                    and all(_exclude(one, other) for one in needs for other in others)
                ):
                    raise _UnprovenError
        for (kind, place), needs in moves.items():
            known.setdefault(kind, {}).setdefault(place, []).extend(needs)
            pairs[kind] = pairs.get(kind, 0) | place.pairs


def adds_distinct_moves(rules: Rules, order: Sequence[str]) -> bool:
    """Return whether no list of moves can contain equal ones; false if that is not plain.

    Args:
        rules: The game.
        order: The positions in the order of the script.
    """
    steps = _MOST_WORK // max(len(order), _FEW_POSITIONS)
    alike = {rules.board.geometry_of(player): player for player in rules.players}
    try:
        for player in alike.values():
            blocks = _Blocks(_Board(rules, order, player), steps)
            for piece in rules.pieces:
                _check(blocks, piece.moves, drop=False)
                _check(blocks, piece.drops, drop=True)
            steps = blocks.steps
    except _UnprovenError:
        return False
    return True
