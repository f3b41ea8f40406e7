"""What the Splut fragments generate and what their engine finds, worked out in Python.

Owns a second account of the same moves, this time in the engine's order and with its texts,
and of the article's alpha-beta.  Unlike models/splut.py it follows the fragments where they
leave the rules: a throw is two moves, and the search does not know that the first is partial.
It must not know forthvm.

A board is 81 cells, top row first; a piece is `South troll`, `West sstone`, `South lock`.
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
# The article's order of directions, and the scan that `next` makes.
_STEPS: Final = {"north": -9, "south": 9, "east": 1, "west": -1}
_BACK: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
_SCAN: Final = tuple(sorted(_ARENA, key=lambda i: (i % 9, -(i // 9))))
_STONES: Final = ("sstone", "nstone", "wstone", "estone")
_MOVER: Final = {"sstone": "f1", "nstone": "h1", "wstone": "g1", "estone": "i1"}
_FLIGHT: Final = {"sstone": "f9", "nstone": "h9", "wstone": "g9", "estone": "i9"}
_WIPED: Final = (*_MOVER.values(), *_FLIGHT.values(), "a1", "b9")

# The article's duel: slots played once, then those that repeat.
DUEL_ORDER: Final = (
    ("South", "North", "North"),
    ("?Cleaner", *["South"] * 3, *["North"] * 3),
)


def _next(at: int, direction: str) -> int | None:
    """The neighbour, None off the arena."""
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
    """A generated move: its text, the cells after it, whether the player goes on."""

    text: str
    cells: Cells
    partial: bool = False


class _Builder:
    """A move under construction: edits in order, with their texts."""

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

    def done(self, *, partial: bool = False) -> Option:
        return Option(" ".join(self.parts), tuple(self.after), partial)


class _Scan:
    """One generation: the board, and whose pieces move.

    Stones that the moves create belong to the player whose turn it is, also where the engine asks
    for the moves of another one: `$GenerateMoves` leaves the for-player alone.
    """

    def __init__(self, cells: Cells, player: str, turn: str) -> None:
        self.cells = cells
        self.player = player
        self.turn = turn
        present = {_type(piece) for piece in cells}
        self.missing = [stone for stone in _STONES if stone not in present]

    def stone(self, at: int | None) -> str:
        """The stone's type there, empty if there is none."""
        kind = _type(self.cells[at]) if at is not None else ""
        return kind if kind in _STONES else ""

    def mine(self, name: str) -> bool:
        piece = self.cells[_AT[name]]
        return piece != "" and _owner(piece) == self.player

    def free(self, at: int | None) -> bool:
        return at is not None and not self.cells[at]

    def may_fly(self, stone: str) -> bool:
        mover = _MOVER[stone]
        locked = self.cells[_AT[mover]] != "" and not self.mine(mover)
        other = any(self.mine(name) for kind, name in _FLIGHT.items() if kind != stone)
        return not locked and not other and not self.mine("b9")

    def building(self) -> _Builder:
        return _Builder(self.cells, self.player)

    # --- the moves lists, in the hosts' and fragments' order -----------------------------

    def lock(self, _at: int) -> Iterator[Option]:
        if self.mine("a1"):
            yield Option("Pass", self.cells)
        if self.player == "?Cleaner":
            wiped = tuple("" if NAMES[i] in _WIPED else piece for i, piece in enumerate(self.cells))
            yield Option("Pass", wiped)

    def steps(self, at: int) -> Iterator[Option]:
        for direction in _STEPS:
            to = _next(at, direction)
            if to is not None and self.free(to):
                move = self.building()
                move.move(at, to)
                yield move.done()

    def troll(self, at: int) -> Iterator[Option]:
        yield from self.steps(at)
        for direction in _STEPS:
            to, behind = _next(at, direction), _next(at, _BACK[direction])
            stone = self.stone(behind)
            if stone and to is not None and behind is not None and self.free(to):
                move = self.building()
                move.move(at, to)
                move.capture(behind)
                move.lock(_MOVER[stone])
                move.create(f"{self.turn} {stone}", at)
                yield move.done()
        for direction in _STEPS:
            to = _next(at, direction)
            if to is not None and self.stone(to):
                move = self.building()
                move.move(at, to)
                yield move.done(partial=True)

    def dwarf(self, at: int) -> Iterator[Option]:
        yield from self.steps(at)
        for direction in _STEPS:
            row = []
            to = _next(at, direction)
            while to is not None and self.cells[to]:
                row.append(to)
                to = _next(to, direction)
            if to is None or not row:
                continue
            move = self.building()
            move.move(at, row[0])
            for source in reversed(row):
                piece = self.cells[source]
                if _type(piece) in _STONES:
                    move.lock(_MOVER[_type(piece)])
                goal = _next(source, direction)
                assert goal is not None
                move.create(piece, goal)
            yield move.done()

    def wizard(self, at: int) -> Iterator[Option]:
        yield from self.steps(at)
        for direction in _STEPS:
            to = _next(at, direction)
            if to is None or not self.free(to):
                continue
            for square in _SCAN:
                stone = self.stone(square)
                goal = _next(square, direction)
                if not stone or goal is None or not (self.free(goal) or goal == at):
                    continue
                if self.may_fly(stone):
                    move = self.building()
                    move.move(at, to)
                    move.capture(square)
                    self.fly(move, stone, goal)
                    yield move.done()
        for direction in _STEPS:
            to = _next(at, direction)
            stone = self.stone(to)
            if not stone or to is None or not self.may_fly(stone):
                continue
            goal = _next(to, direction)
            if goal is not None and self.free(goal):
                move = self.building()
                move.move(at, to)
                self.fly(move, stone, goal)
                yield move.done()

    def fly(self, move: _Builder, stone: str, goal: int) -> None:
        move.lock(_MOVER[stone])
        move.lock(_FLIGHT[stone])
        move.create(f"{self.turn} {stone}", goal)

    def drops(self, at: int) -> Iterator[Option]:
        """Throws, from the landing square back to the player's own troll."""
        if at not in _ARENA:
            return
        for stone in self.missing:
            for direction in _STEPS:
                if self.lands(at, direction):
                    move = self.building()
                    hit = self.cells[at]
                    move.create(f"{self.player} {stone}", at)
                    if _type(hit) == "wizard":
                        for square in _SCAN:
                            if self.cells[square] in (
                                f"{_owner(hit)} dwarf",
                                f"{_owner(hit)} troll",
                            ):
                                move.capture(square)
                    move.lock("a1")
                    move.lock(_MOVER[stone])
                    yield move.done()

    def passable(self, at: int) -> bool:
        return not self.cells[at] or _type(self.cells[at]) == "dwarf"

    def lands(self, at: int, direction: str) -> bool:
        """Whether a stone that the own troll throws that way comes down on `at`."""
        beyond = _next(at, direction)
        stopped = beyond is None or _type(self.cells[beyond]) in ("troll", *_STONES)
        if _type(self.cells[at]) != "wizard" and not (stopped and self.passable(at)):
            return False
        back = _next(at, _BACK[direction])
        while back is not None and self.passable(back):
            back = _next(back, _BACK[direction])
        return back is not None and self.cells[back] == f"{self.player} troll"

    def all(self, *, only_drops: bool = False) -> Iterator[Option]:
        lists: dict[str, Callable[[int], Iterator[Option]]] = {
            "lock": self.lock,
            "troll": self.troll,
            "dwarf": self.dwarf,
            "wizard": self.wizard,
        }
        stopped = self.mine("a1")
        passed = False
        for at, piece in enumerate(self.cells):
            kind = _type(piece)
            if kind in lists and _owner(piece) == self.player and not only_drops:
                for option in lists[kind](at):
                    if option.text == "Pass":
                        if not passed:
                            yield option
                        passed = True
                    elif not stopped:
                        yield option
            yield from self.drops(at)


def generate(
    cells: Cells, player: str, *, turn: str | None = None, only_drops: bool = False
) -> list[Option]:
    """A player's moves in the engine's order.

    Args:
        cells: the board.
        player: whose pieces move.
        turn: whose turn it is, if it is not that player's.
        only_drops: inside a throw.
    """
    return list(_Scan(cells, player, turn or player).all(only_drops=only_drops))


# --- the engine -----------------------------------------------------------------------------


@lru_cache(maxsize=20000)
def evaluate(cells: Cells, player: str) -> int:
    """The hosts' `Eval`: what a player's pieces are worth to him."""
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
    once, again = order
    return once[slot] if slot < len(once) else again[(slot - len(once)) % len(again)]


@dataclass(frozen=True)
class Report:
    """What the engine did at the root: best move, its score, and evaluations per move."""

    best: str
    score: int
    evaluations: tuple[int, ...]


class _Search:
    """The article's alpha-beta over the generated moves.

    Its signs are right while a change of sides lies between a node and its leaves only once
    at most; with two hostile nodes in a row they are not, and this follows the article.
    """

    def __init__(self, order: tuple[tuple[str, ...], tuple[str, ...]], me: str) -> None:
        self.order = order
        self.me = me
        self.evaluations = 0

    def score(self, cells: Cells, slot: int, depth: int, alpha: int, beta: int) -> int:
        hostile = _player(self.order, slot) != self.me
        if depth == 0:
            self.evaluations += 1
            value = evaluate(cells, self.me)
            return -value if hostile else value
        best = -10000
        options = generate(cells, _player(self.order, slot), turn=self.me)
        assert options, "a player without moves: the article's search would have none either"
        for option in options:
            best = max(best, self.score(option.cells, slot + 1, depth - 1, alpha, beta))
            if hostile:
                alpha, beta = -beta, -alpha
            alpha = max(alpha, best)
            if alpha >= beta:
                best = alpha
                break
            if hostile:
                alpha, beta = -beta, -alpha
        return -best if hostile else best


def custom_engine(  # noqa: PLR0913 - keyword-only options
    cells: Cells,
    slot: int,
    *,
    draw: Callable[[int, int], int] | RandomStream,
    depth: int = 3,
    order: tuple[tuple[str, ...], tuple[str, ...]] = DUEL_ORDER,
    only_drops: bool = False,
) -> Report:
    """What `Custom-Engine` reports; `draw` stands for $RAND-WITHIN."""
    me = _player(order, slot)
    best, text, counts = -10000, "", []
    for option in generate(cells, me, only_drops=only_drops):
        search = _Search(order, me)
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
    """The same question answered without pruning, chance or sign tricks."""
    me = _player(order, slot)
    leaves = 0

    def value(cells: Cells, slot: int, depth: int) -> int:
        nonlocal leaves
        if depth == 0:
            leaves += 1
            return evaluate(cells, me)
        player = _player(order, slot)
        values = [value(o.cells, slot + 1, depth - 1) for o in generate(cells, player, turn=me)]
        return max(values) if player == me else min(values)

    best, text, counts = -10000, "", []
    for option in generate(cells, me, only_drops=only_drops):
        leaves = 0
        score = value(option.cells, slot + 1, depth)
        counts.append(leaves)
        if best < score:
            best, text = score, option.text
    return Report(text, best, tuple(counts))
