"""The moves of the Splut fragments and the search of their engine, in plain Python.

Owns a second implementation of the moves, in the order of the engine and with the same texts, and
of the article's alpha-beta search.  Unlike models/splut.py, it follows the fragments where they
differ from the rules: a throw is two moves, and the search ignores that the first one is partial.
This file does not use forthvm.

A board is 81 cells, top row first.  A piece is, for example, `South troll`, `West sstone` or
`South lock`.  A lock is not a piece of the rules: it is on a square outside the arena and stores a
fact about its owner (see `_MOVER` and the next lines).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from tests.articles.random_stream import RandomStream

__all__ = ["DUEL_ORDER", "Option", "Report", "custom_engine", "evaluate", "generate", "minimax"]

Cells = tuple[str, ...]

NAMES: Final = tuple("abcdefghi"[i % 9] + str(9 - i // 9) for i in range(81))
_AT: Final = {name: index for index, name in enumerate(NAMES)}
_ARENA: Final = frozenset(i for i in range(81) if abs(i % 9 - 4) + abs(i // 9 - 4) <= 4)
# The article's order of directions, and the order in which `next` visits the squares.
_STEPS: Final = {"north": -9, "south": 9, "east": 1, "west": -1}
_OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
_NEXT_ORDER: Final = tuple(sorted(_ARENA, key=lambda i: (i % 9, -(i // 9))))
_STONES: Final = ("sstone", "nstone", "wstone", "estone")
# Squares of locks: the owner moved the stone last; the owner levitated the stone in this turn; the
# owner's turn has ended by a throw; the owner may not levitate a stone any more in this turn.
_MOVER: Final = {"sstone": "f1", "nstone": "h1", "wstone": "g1", "estone": "i1"}
_LEVITATOR: Final = {"sstone": "f9", "nstone": "h9", "wstone": "g9", "estone": "i9"}
_TURN_ENDED: Final = "a1"
_LEVITATION_ENDED: Final = "b9"
# The squares that the chance player ?Cleaner clears before each round of turns.
_CLEARED: Final = (*_MOVER.values(), *_LEVITATOR.values(), _TURN_ENDED, _LEVITATION_ENDED)
_LOWEST_SCORE: Final = -10000  # the article's initial value of the best score

# The turn order of the article's duel: the turns played once, then the repeated turns.
DUEL_ORDER: Final = (
    ("South", "North", "North"),
    ("?Cleaner", *["South"] * 3, *["North"] * 3),
)


def _next(at: int, direction: str) -> int | None:
    """Return the neighbour of a square, None if it is outside the arena."""
    column = at % 9 + {"east": 1, "west": -1}.get(direction, 0)
    to = at + _STEPS[direction]
    return to if 0 <= column <= 8 and to in _ARENA else None


@cache
def _type(piece: str) -> str:
    return piece.partition(" ")[2]


@cache
def _owner(piece: str) -> str:
    return piece.partition(" ")[0]


@dataclass(frozen=True)
class Option:
    """A generated move: its text, the cells after it, and whether it is partial."""

    text: str
    cells: Cells
    partial: bool = False


class _Builder:
    """A move under construction: its edits in order, with their texts."""

    def __init__(self, cells: Cells, player: str) -> None:
        self.before = cells
        self.after = list(cells)
        self.player = player
        self.parts: list[str] = []

    def move(self, at: int, to: int) -> None:
        sign = "x" if self.before[to] else "-"
        self.parts.append(f"{_type(self.before[at])} {NAMES[at]} {sign} {NAMES[to]}")
        self.after[at] = ""
        self.after[to] = self.before[at]

    def capture(self, at: int) -> None:
        self.parts.append(f"x {NAMES[at]}")
        self.after[at] = ""

    def create(self, piece: str, at: int) -> None:
        self.parts.append(f"{piece} {NAMES[at]}")
        self.after[at] = piece

    def lock(self, name: str) -> None:
        self.create(f"{self.player} lock", _AT[name])

    def option(self, *, partial: bool = False) -> Option:
        return Option(" ".join(self.parts), tuple(self.after), partial)


class _Generator:
    """Generates the moves of one player's pieces on a board.

    Stones that a move creates belong to the player to move (`turn`), even if the engine generates
    the moves of another player (`player`): `$GenerateMoves` does not change the for-player.
    """

    def __init__(self, cells: Cells, player: str, turn: str) -> None:
        self.cells = cells
        self.player = player
        self.turn = turn
        present = {_type(piece) for piece in cells}
        self.missing = [stone for stone in _STONES if stone not in present]

    def stone(self, at: int | None) -> str:
        """Return the type of the stone on a square, "" if there is no stone."""
        kind = _type(self.cells[at]) if at is not None else ""
        return kind if kind in _STONES else ""

    def is_own(self, name: str) -> bool:
        piece = self.cells[_AT[name]]
        return piece != "" and _owner(piece) == self.player

    def is_empty(self, at: int | None) -> bool:
        return at is not None and not self.cells[at]

    def may_levitate(self, stone: str) -> bool:
        """Return whether no lock prevents the player from levitating a stone."""
        mover = _MOVER[stone]
        locked = self.cells[_AT[mover]] != "" and not self.is_own(mover)
        levitated_other = any(
            self.is_own(name) for kind, name in _LEVITATOR.items() if kind != stone
        )
        return not locked and not levitated_other and not self.is_own(_LEVITATION_ENDED)

    def new_move(self) -> _Builder:
        return _Builder(self.cells, self.player)

    # --- the move lists, in the order of the host scripts and the fragments --------------

    def lock(self, _at: int) -> Iterator[Option]:
        """Yield the moves of lock pieces: passes, and for ?Cleaner the removal of all locks."""
        if self.is_own(_TURN_ENDED):
            yield Option("Pass", self.cells)
        if self.player == "?Cleaner":
            cleared = tuple(
                "" if NAMES[i] in _CLEARED else piece for i, piece in enumerate(self.cells)
            )
            yield Option("Pass", cleared)

    def steps(self, at: int) -> Iterator[Option]:
        """Yield the steps to adjacent empty squares."""
        for direction in _STEPS:
            to = _next(at, direction)
            if to is not None and self.is_empty(to):
                move = self.new_move()
                move.move(at, to)
                yield move.option()

    def troll(self, at: int) -> Iterator[Option]:
        """Yield steps, steps that drag the stone behind the troll, and pick-ups of a stone."""
        yield from self.steps(at)
        for direction in _STEPS:
            to, behind = _next(at, direction), _next(at, _OPPOSITE[direction])
            stone = self.stone(behind)
            if stone and to is not None and behind is not None and self.is_empty(to):
                move = self.new_move()
                move.move(at, to)
                move.capture(behind)
                move.lock(_MOVER[stone])
                move.create(f"{self.turn} {stone}", at)
                yield move.option()
        for direction in _STEPS:
            to = _next(at, direction)
            if to is not None and self.stone(to):
                move = self.new_move()
                move.move(at, to)
                yield move.option(partial=True)

    def dwarf(self, at: int) -> Iterator[Option]:
        """Yield steps, and pushes of a row of pieces."""
        yield from self.steps(at)
        for direction in _STEPS:
            row = []
            to = _next(at, direction)
            while to is not None and self.cells[to]:
                row.append(to)
                to = _next(to, direction)
            if to is None or not row:
                continue
            move = self.new_move()
            move.move(at, row[0])
            for source in reversed(row):
                piece = self.cells[source]
                if _type(piece) in _STONES:
                    move.lock(_MOVER[_type(piece)])
                goal = _next(source, direction)
                assert goal is not None
                move.create(piece, goal)
            yield move.option()

    def wizard(self, at: int) -> Iterator[Option]:
        """Yield steps, steps that levitate a stone, and pushes of an adjacent stone."""
        yield from self.steps(at)
        for direction in _STEPS:
            to = _next(at, direction)
            if to is None or not self.is_empty(to):
                continue
            for square in _NEXT_ORDER:
                stone = self.stone(square)
                goal = _next(square, direction)
                if not stone or goal is None or not (self.is_empty(goal) or goal == at):
                    continue
                if self.may_levitate(stone):
                    move = self.new_move()
                    move.move(at, to)
                    move.capture(square)
                    self.levitate(move, stone, goal)
                    yield move.option()
        for direction in _STEPS:
            to = _next(at, direction)
            stone = self.stone(to)
            if not stone or to is None or not self.may_levitate(stone):
                continue
            goal = _next(to, direction)
            if goal is not None and self.is_empty(goal):
                move = self.new_move()
                move.move(at, to)
                self.levitate(move, stone, goal)
                yield move.option()

    def levitate(self, move: _Builder, stone: str, goal: int) -> None:
        """Add to a move the locks of a levitated stone, and the stone on its new square."""
        move.lock(_MOVER[stone])
        move.lock(_LEVITATOR[stone])
        move.create(f"{self.turn} {stone}", goal)

    def drops(self, at: int) -> Iterator[Option]:
        """Yield the throws that land on a square: they put a missing stone there."""
        if at not in _ARENA:
            return
        for stone in self.missing:
            for direction in _STEPS:
                if self.can_land(at, direction):
                    move = self.new_move()
                    hit = self.cells[at]
                    move.create(f"{self.player} {stone}", at)
                    if _type(hit) == "wizard":
                        for square in _NEXT_ORDER:
                            if self.cells[square] in (
                                f"{_owner(hit)} dwarf",
                                f"{_owner(hit)} troll",
                            ):
                                move.capture(square)
                    move.lock(_TURN_ENDED)
                    move.lock(_MOVER[stone])
                    yield move.option()

    def passable(self, at: int) -> bool:
        """Return whether a thrown stone flies over a square."""
        return not self.cells[at] or _type(self.cells[at]) == "dwarf"

    def can_land(self, at: int, direction: str) -> bool:
        """Return whether a stone that an own troll throws in a direction lands on `at`."""
        beyond = _next(at, direction)
        stops_here = beyond is None or _type(self.cells[beyond]) in ("troll", *_STONES)
        if _type(self.cells[at]) != "wizard" and not (stops_here and self.passable(at)):
            return False
        back = _next(at, _OPPOSITE[direction])
        while back is not None and self.passable(back):
            back = _next(back, _OPPOSITE[direction])
        return back is not None and self.cells[back] == f"{self.player} troll"

    def all(self, *, only_drops: bool = False) -> Iterator[Option]:
        """Yield all moves in the order of the engine: of each square, its piece, then its drops."""
        lists: dict[str, Callable[[int], Iterator[Option]]] = {
            "lock": self.lock,
            "troll": self.troll,
            "dwarf": self.dwarf,
            "wizard": self.wizard,
        }
        turn_ended = self.is_own(_TURN_ENDED)
        passed = False
        for at, piece in enumerate(self.cells):
            kind = _type(piece)
            if kind in lists and _owner(piece) == self.player and not only_drops:
                for option in lists[kind](at):
                    if option.text == "Pass":
                        if not passed:
                            yield option
                        passed = True
                    elif not turn_ended:
                        yield option
            yield from self.drops(at)


def generate(
    cells: Cells, player: str, *, turn: str | None = None, only_drops: bool = False
) -> list[Option]:
    """Return a player's moves in the engine's order.

    Args:
        cells: the board.
        player: the owner of the moving pieces.
        turn: the player to move; the default is `player`.
        only_drops: whether the position is between the two moves of a throw.
    """
    return list(_Generator(cells, player, turn or player).all(only_drops=only_drops))


# --- the engine -----------------------------------------------------------------------------


@lru_cache(maxsize=20000)
def evaluate(cells: Cells, player: str) -> int:
    """Return the score of a player, as the `Eval` of the host scripts does."""
    stones = [i for i, piece in enumerate(cells) if _type(piece) in _STONES]
    total = 0
    for at, piece in enumerate(cells):
        if not piece:
            continue
        kind = _type(piece)
        worth = {"wizard": 1000, "dwarf": 100}.get(kind, 0)
        if kind == "troll":
            worth = -sum(abs(at % 9 - s % 9) + abs(at // 9 - s // 9) for s in stones)
        total += 3 * worth if _owner(piece) == player else -worth
    return total


def _player(order: tuple[tuple[str, ...], tuple[str, ...]], slot: int) -> str:
    """Return the player of a turn; `slot` is the number of the turn, from 0."""
    first, repeated = order
    return first[slot] if slot < len(first) else repeated[(slot - len(first)) % len(repeated)]


@dataclass(frozen=True)
class Report:
    """The engine's result at the root: best move, its score, and evaluations per root move."""

    best: str
    score: int
    evaluations: tuple[int, ...]


class _Search:
    """The article's alpha-beta over the generated moves.

    The article's signs are wrong if two nodes of an opponent follow each other.  This search
    reproduces that error.
    """

    def __init__(self, order: tuple[tuple[str, ...], tuple[str, ...]], searcher: str) -> None:
        self.order = order
        self.searcher = searcher
        self.evaluations = 0

    def score(self, cells: Cells, slot: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a position for the searching player, with the article's signs."""
        opponents_turn = _player(self.order, slot) != self.searcher
        if depth == 0:
            self.evaluations += 1
            value = evaluate(cells, self.searcher)
            return -value if opponents_turn else value
        best = _LOWEST_SCORE
        options = generate(cells, _player(self.order, slot), turn=self.searcher)
        assert options, "a player without moves, for which the article's search is not defined"
        for option in options:
            best = max(best, self.score(option.cells, slot + 1, depth - 1, alpha, beta))
            if opponents_turn:
                alpha, beta = -beta, -alpha
            alpha = max(alpha, best)
            if alpha >= beta:
                best = alpha
                break
            if opponents_turn:
                alpha, beta = -beta, -alpha
        return -best if opponents_turn else best


def custom_engine(  # noqa: PLR0913 - keyword-only options
    cells: Cells,
    slot: int,
    *,
    draw: Callable[[int, int], int] | RandomStream,
    depth: int = 3,
    order: tuple[tuple[str, ...], tuple[str, ...]] = DUEL_ORDER,
    only_drops: bool = False,
) -> Report:
    """Return the result of `Custom-Engine`.

    It adds a random number from 0 to 5 to each score; `draw` replaces $RAND-WITHIN.
    """
    searcher = _player(order, slot)
    best, text, counts = _LOWEST_SCORE, "", []
    for option in generate(cells, searcher, only_drops=only_drops):
        search = _Search(order, searcher)
        score = search.score(option.cells, slot + 1, depth, best, 10000)
        score += draw(0, 5)
        counts.append(search.evaluations)
        if best < score:
            best, text = score, option.text
    return Report(text, best, tuple(counts))


def minimax(
    cells: Cells,
    slot: int,
    *,
    depth: int = 3,
    order: tuple[tuple[str, ...], tuple[str, ...]] = DUEL_ORDER,
    only_drops: bool = False,
) -> Report:
    """Return the result of plain minimax, without pruning, chance and sign errors."""
    searcher = _player(order, slot)
    leaves = 0

    def value(cells: Cells, slot: int, depth: int) -> int:
        nonlocal leaves
        if depth == 0:
            leaves += 1
            return evaluate(cells, searcher)
        player = _player(order, slot)
        values = [
            value(option.cells, slot + 1, depth - 1)
            for option in generate(cells, player, turn=searcher)
        ]
        return max(values) if player == searcher else min(values)

    best, text, counts = _LOWEST_SCORE, "", []
    for option in generate(cells, searcher, only_drops=only_drops):
        leaves = 0
        score = value(option.cells, slot + 1, depth)
        counts.append(leaves)
        if best < score:
            best, text = score, option.text
    return Report(text, best, tuple(counts))
