"""Estimates what a piece can do from a position, on a board of which only the geometry is known.

Owns the chances: a block runs once from each position, conditions on geometry are decided, all
other conditions hold with a fixed chance.  The result is the number of moves to expect, and where
they lead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    And,
    Call,
    Capture,
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
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.zrf.rules import Piece, Rules

__all__ = ["Ends", "Mobility", "MobilityLimitError", "Moves", "moves_of_players", "number_of_moves"]

Chances = dict[str, float]
Ends = dict[tuple[str, str], float]
"""For each piece type and position where a move may lead, a number of moves; position "": the piece
leaves the board."""
Moves = dict[str, dict[tuple[str, str], Ends]]
"""For each player, by piece type and position: where its moves may lead."""

_MOST_STEPS = 36_000  # about a tenth of a second
_MOST_STEPS_AT_ONCE = 6_000  # of one piece on one position
_LEAST = 0.01  # a path with a smaller chance is not followed
_MOST_ROUNDS = 100

_HOLDS: Mapping[Question | NamedQuestion, float] = {
    Question.EMPTY: 0.6,
    Question.FRIEND: 0.2,
    Question.ENEMY: 0.2,
    Question.NEUTRAL: 0.0,
    Question.ON_BOARD: 1.0,
    Question.LAST_FROM: 0.05,
    Question.LAST_TO: 0.05,
    NamedQuestion.PIECE: 0.2,
    NamedQuestion.ATTACKED: 0.3,
}
_UNKNOWN = 0.5


class MobilityLimitError(Exception):
    """The blocks take too many steps."""


@dataclass(slots=True)
class _Path:
    """A running block: for each cursor the chances of the positions where it is.

    Attributes:
        first: Where the first of several movements ended; empty before.
        types: Types that the block has given to pieces.
        removed: Positions of captures.
    """

    here: Chances
    start: Chances
    mark: Chances
    to: Chances = field(default_factory=dict)
    first: Chances = field(default_factory=dict)
    types: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()

    @property
    def chance(self) -> float:
        return sum(self.here.values())

    def at(self, here: Chances) -> _Path:
        """Return a copy with the cursor elsewhere."""
        return _Path(here, self.start, self.mark, self.to, self.first, self.types, self.removed)

    def join(self, other: _Path) -> None:
        """Add the chances of a path that meets this one."""
        if not other.here:
            return
        if not self.here:
            self.start, self.mark = other.start, other.mark
            self.to, self.first = other.to, other.first
        else:
            self.start, self.mark = _sum(self.start, other.start), _sum(self.mark, other.mark)
            self.to, self.first = _sum(self.to, other.to), _sum(self.first, other.first)
        self.here = _sum(self.here, other.here)
        self.types |= other.types
        self.removed |= other.removed


class Mobility:
    """The mobility of the pieces of one player.

    Args:
        rules: The game.
        player: The player whose pieces move.
    """

    def __init__(self, rules: Rules, player: str) -> None:
        board = rules.board
        other = board.symmetries.get(player, {})
        self._links = {d: board.links.get(other.get(d, d), {}) for d in board.directions}
        self._zones = board.zones_of(player)
        self._type = ""
        self._ends: Ends = {}
        self._steps = 0

    def of(self, piece: Piece, position: str, most: int = _MOST_STEPS_AT_ONCE) -> tuple[Ends, int]:
        """Return the expected moves of a piece on a position, and the steps that were necessary.

        Raises:
            MobilityLimitError: They take too many steps.
        """
        self._type, self._ends, self._steps = piece.name, {}, most - 1
        for block in piece.moves:
            start = {position: 1.0}
            self._run(block.code, _Path(start, start, start))
        return self._ends, most - self._steps

    def _run(self, code: Code, path: _Path) -> None:
        for instruction in code.instructions:
            if path.chance < _LEAST:
                path.here = {}
                return
            self._steps -= 1
            if self._steps < 0:
                raise MobilityLimitError
            self._step(instruction, path)

    def _step(self, instruction: Instruction, path: _Path) -> None:  # noqa: C901 - a table
        match instruction:
            case Go(square=square):
                path.here = self._squares(square, path)
            case SetMark(square=square):
                path.mark = self._squares(square, path) or path.mark
            case SetFrom():
                path.start = path.here
            case SetTo():
                path.to = path.here
            case Verify(condition=condition):
                path.here, _ = self._split(condition, path)
            case Call(code=code):
                self._run(code, path)
            case If(condition=condition, then=then, otherwise=otherwise):
                path.here, without = self._split(condition, path)
                other = path.at(without)
                self._run(then, path)
                self._run(otherwise, other)
                path.join(other)
            case While(condition=condition, body=body):
                self._loop(condition, body, path)
            case Cascade():
                path.first = path.first or path.to or path.here
                path.start, path.to = path.here, {}
            case Capture(square=square):
                path.removed |= self._squares(square, path).keys()
            case ChangeType(type=kind):
                path.types |= {kind}
            case Add(types=types):
                self._add(types, path)

    def _loop(self, condition: Condition, body: Code, path: _Path) -> None:
        done = path.at({})
        for _ in range(_MOST_ROUNDS):
            path.here, without = self._split(condition, path)
            done.join(path.at(without))
            self._run(body, path)
            if not path.here:
                break
        path.here = {}
        path.join(done)

    def _add(self, types: tuple[str, ...], path: _Path) -> None:
        kinds = types or (self._type, *path.types)
        ends = _scaled(path.first or path.to or path.here, path.chance / len(kinds))
        for kind in kinds:
            for position, chance in ends.items():
                end = kind, "" if position in path.removed else position
                self._ends[end] = self._ends.get(end, 0.0) + chance

    # --- squares and conditions -----------------------------------------------------------

    def _squares(self, square: Square, path: _Path) -> Chances:  # noqa: PLR0911 - a table
        match square:
            case Neighbor(direction=name):
                links = self._links.get(name, {})
                return _moved(
                    (links[at], chance) for at, chance in path.here.items() if at in links
                )
            case Named(position=name):
                return {name: path.chance}
            case Cursor.HERE:
                return path.here
            case Cursor.FROM:
                return _scaled(path.start, path.chance)
            case Cursor.TO:
                return _scaled(path.to or path.here, path.chance)
            case Cursor.MARK:
                return _scaled(path.mark, path.chance)
            case _:
                return {}

    def _split(self, condition: Condition, path: _Path) -> tuple[Chances, Chances]:
        """Return the chances of the cursor's positions with the condition true, then with false."""
        with_it, without = {}, {}
        for at, chance in path.here.items():
            true = self._chance(condition, at, path)
            if true > 0:
                with_it[at] = chance * true
            if true < 1:
                without[at] = chance * (1 - true)
        return with_it, without

    def _chance(self, condition: Condition, here: str, path: _Path) -> float:
        match condition:
            case Constant(value=value):
                return float(value)
            case Not(condition=inner):
                return 1 - self._chance(inner, here, path)
            case And(conditions=parts):
                chance = 1.0
                for part in parts:
                    chance *= self._chance(part, here, path)
                return chance
            case Or(conditions=parts):
                chance = 1.0
                for part in parts:
                    chance *= 1 - self._chance(part, here, path)
                return 1 - chance
            case Test():
                return self._test(condition, here, path)

    def _test(self, test: Test, here: str, path: _Path) -> float:
        match test.square:
            case Cursor.HERE:
                at = here
            case Neighbor(direction=name):
                at = self._links.get(name, {}).get(here, "")
            case Named(position=name):
                at = name
            case square:
                at = _likeliest(self._squares(square, path))
        match test.question:
            case _ if not at:
                return 0.0
            case NamedQuestion.IN_ZONE:
                return float(at in self._zones.get(test.name, ()))
            case NamedQuestion.POSITION:
                return float(at == test.name)
            case Question.MARKED:
                return float(at == _likeliest(path.mark))
            case question:
                return _HOLDS.get(question, _UNKNOWN)


def number_of_moves(ends: Ends) -> float:
    """Return the expected number of moves; with or without promotion, a move counts once."""
    most: Chances = {}
    for (_, position), number in ends.items():
        most[position] = max(most.get(position, 0.0), number)
    return sum(most.values())


def moves_of_players(rules: Rules, players: Sequence[str]) -> tuple[Moves, bool]:
    """Return the expected moves of all pieces of some players, and whether none are missing.

    In large games only a sample of the positions is complete.
    """
    found: Moves = {}
    alike: dict[str, str] = {}
    names = [at.name for at in rules.board.positions if not at.dummy]
    left = _MOST_STEPS
    for player in players:
        same = alike.setdefault(rules.board.geometry_of(player), player)
        if same is not player:
            found[player] = found[same]
            continue
        mobility = Mobility(rules, player)
        moves = found[player] = {}
        for position in _scattered(names):
            row = {}
            for piece in rules.pieces:
                try:
                    most = min(left, _MOST_STEPS_AT_ONCE)
                    row[piece.name, position], steps = mobility.of(piece, position, most)
                except MobilityLimitError:
                    return found, False
                left -= steps
            moves.update(row)
    return found, True


def _scattered(names: list[str]) -> Iterator[str]:
    """Yield all names, from the middle of the list on, with large steps between them."""
    count = len(names)
    step = max(1, round(count * 0.382))
    while gcd(step, count) > 1:
        step += 1
    yield from (names[(count // 2 + at * step) % count] for at in range(count))


def _sum(one: Chances, other: Chances) -> Chances:
    if one is other:
        return one
    found = dict(one)
    for at, chance in other.items():
        found[at] = found.get(at, 0.0) + chance
    return found


def _moved(chances: Iterable[tuple[str, float]]) -> Chances:
    found: Chances = {}
    for at, chance in chances:
        found[at] = found.get(at, 0.0) + chance
    return found


def _scaled(chances: Chances, total: float) -> Chances:
    factor = total / (sum(chances.values()) or 1.0)
    return {at: chance * factor for at, chance in chances.items()}


def _likeliest(chances: Chances) -> str:
    return max(chances, key=chances.__getitem__, default="")
