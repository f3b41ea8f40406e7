"""Works out which positions the blocks of a piece can touch, whatever stands on the board.

Owns the analysis: from each position the path of a block is followed with all conditions open, and
the result is the set of the positions that it visits or asks about.  A block can only attack a
position of its set, and only changes there can open or close an attack.  Sets are integers with a
bit for each position.  `Walk` describes what most blocks touch, which is much shorter than the
sets: steps, then perhaps a slide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Code,
    Cursor,
    Instruction,
    Named,
    Neighbor,
    Question,
    Square,
    inner_codes,
    own_tests,
)
from forthvm.zrf.compiler.paths import Ask, Branch, Loop, Move, Narrow, Path, Paths, Run, Save

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.zrf.compiler.paths import Step
    from forthvm.zrf.rules import Block, Rules

__all__ = ["BlockReach", "Reach", "Walk", "walk_of"]

_MOST_STEPS = 400_000  # about half a second


class _LimitError(Exception):
    """The blocks of a game are too large for the analysis."""


@dataclass(frozen=True, slots=True)
class BlockReach:
    """What one block can touch.

    Attributes:
        rows: For each position where the block may begin, the set of positions that it can touch.
        walk: A walk that touches these positions; None if there is no simple one.
        reads_more: Whether the block depends on more than the pieces on these positions.
    """

    rows: tuple[int, ...]
    walk: Walk | None
    reads_more: bool


@dataclass(slots=True)
class _State:
    """The positions where the cursor and the marks of a running block may be."""

    here: int
    start: int
    to: int
    mark: int
    touched: int

    def join(self, other: _State) -> None:
        self.here |= other.here
        self.start |= other.start
        self.to |= other.to
        self.mark |= other.mark
        self.touched |= other.touched


class Reach:
    """The reach of the blocks of one game.

    Args:
        rules: The game.
        order: The positions in the order in which sets number them.
    """

    def __init__(self, rules: Rules, order: Sequence[str]) -> None:
        self._board = rules.board
        self._number = {name: at for at, name in enumerate(order)}
        self._all = (1 << len(order)) - 1
        self._paths: dict[tuple[Step, ...], Path] = {}
        self._players: dict[str, Paths] = {}
        self._known: dict[Path, tuple[tuple[int, ...], Walk | None]] = {}
        self._more: dict[Code, bool] = {}
        self._steps = 0
        self._links: dict[str, list[int]] = {}

    def of(self, block: Block, player: str) -> BlockReach:
        """Return what a block of moves can touch when it runs for a player.

        In a game that is too large for the analysis, the last blocks can touch everything.
        """
        if player not in self._players:
            self._players[player] = self._paths_of(player)
        path = self._players[player].of(block.code)
        known = self._known.get(path)
        if known is None:
            try:
                rows = tuple(self._row(path, at) for at in range(len(self._number)))
            except _LimitError:
                rows = (self._all,) * len(self._number)
            walk = walk_of(path)
            known = self._known[path] = rows, walk if self._touches(walk, rows) else None
        return BlockReach(*known, self._reads_more(block.code))

    def _touches(self, walk: Walk, rows: tuple[int, ...]) -> bool:
        """Return whether a walk touches the positions in the rows."""
        return all(self._walked(walk, 1 << at) == row for at, row in enumerate(rows))

    def _walked(self, walk: Walk, here: int) -> int:
        touched = here
        for direction in walk.steps:
            here = self._neighbors(here, direction)
            touched |= here
        while walk.slide and here:
            here = self._neighbors(here, walk.slide)
            if not here & ~touched:
                break
            touched |= here
        return touched

    def _paths_of(self, player: str) -> Paths:
        zones = {
            zone: sum(map(self._place, names))
            for zone, names in self._board.zones_of(player).items()
        }
        symmetry = self._board.symmetries.get(player, {})
        return Paths(symmetry, self._all, lambda name: zones.get(name, 0), self._place, self._paths)

    def _place(self, name: str) -> int:
        return 1 << self._number[name] if name in self._number else 0

    def _row(self, path: Path, at: int) -> int:
        start = 1 << at
        state = _State(start, start, 0, start, start)
        self._run(path, state)
        return state.touched

    def _run(self, path: Path, state: _State) -> None:
        self._steps += len(path.steps)
        if self._steps > _MOST_STEPS:
            raise _LimitError
        for step in path.steps:
            if not state.here:
                return
            self._step(step, state)

    def _step(self, step: Step, state: _State) -> None:
        match step:
            case Move(square=square):
                state.here = self._squares(square, state)
                state.touched |= state.here
            case Ask(square=square, around=around):
                squares = self._squares(square, state)
                state.touched |= squares
                if around:
                    for name in self._board.directions:
                        state.touched |= self._neighbors(squares, name)
            case Save(name=name, square=square):
                self._save(name, square, state)
            case Narrow(positions=positions):
                state.here &= positions
            case Run(path=path):
                self._run(path, state)
            case Branch(then=then, otherwise=otherwise):
                other = replace(state)
                self._run(then, state)
                self._run(otherwise, other)
                state.join(other)
            case Loop(body=body, leaving=leaving):
                self._loop(body, state)
                state.here &= leaving

    def _save(self, name: Cursor, square: Square, state: _State) -> None:
        squares = self._squares(square, state)
        state.touched |= squares
        if name is Cursor.MARK:
            # A mark off the board leaves the former one.
            state.mark = squares | (state.mark if isinstance(square, Neighbor) else 0)
        elif name is Cursor.TO:
            state.to |= squares
        else:
            state.start = squares

    def _loop(self, body: Path, state: _State) -> None:
        """Run the body until it finds nothing new; only new positions of the cursor run again."""
        new = state.here
        while new:
            after = replace(state, here=new)
            self._run(body, after)
            saved = state.start, state.to, state.mark
            before = state.here
            state.join(after)
            again = (state.start, state.to, state.mark) != saved
            new = state.here if again else state.here & ~before

    def _squares(self, square: Square, state: _State) -> int:  # noqa: PLR0911 - a table
        match square:
            case Neighbor(direction=name):
                return self._neighbors(state.here, name)
            case Named(position=name):
                return self._place(name)
            case Cursor.HERE:
                return state.here
            case Cursor.FROM:
                return state.start
            case Cursor.TO:
                return state.to | state.here
            case Cursor.MARK:
                return state.mark
            case _:
                return self._all

    def _neighbors(self, squares: int, direction: str) -> int:
        sets = self._links.get(direction)
        if sets is None:
            links = self._board.links.get(direction, {})
            sets = self._links[direction] = self._linked(links)
        found = 0
        while squares:
            lowest = squares & -squares
            found |= sets[lowest.bit_length() - 1]
            squares ^= lowest
        return found

    def _linked(self, links: Mapping[str, str]) -> list[int]:
        """Return the set to which each position is linked."""
        return [self._place(links.get(name, "")) for name in self._number]

    def _reads_more(self, code: Code) -> bool:
        """Return whether a code asks about the last move."""
        known = self._more.get(code)
        if known is None:
            known = self._more[code] = any(map(self._asks_more, code.instructions))
        return known

    def _asks_more(self, instruction: Instruction) -> bool:
        tests = tuple(own_tests(instruction))
        squares = (getattr(instruction, "square", None), *(test.square for test in tests))
        if any(square in _LAST for square in squares):
            return True
        if any(test.question in _LAST_QUESTIONS for test in tests):
            return True
        return any(map(self._reads_more, inner_codes(instruction)))


_LAST = (Cursor.LAST_FROM, Cursor.LAST_TO)
_LAST_QUESTIONS = (Question.LAST_FROM, Question.LAST_TO)


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps, then a slide as far as the board goes.

    Attributes:
        steps: The directions of the steps.
        slide: The direction of the slide; "" for none.
    """

    steps: tuple[str, ...]
    slide: str = ""


def walk_of(path: Path) -> Walk:
    """Return the walk with which a path begins, up to its first slide.

    What else the path does is ignored, so the walk may touch other positions than the path.
    """
    steps: list[str] = []
    for direction, slides in _moves(path):
        if slides:
            while steps and steps[-1] == direction:
                steps.pop()
            return Walk(tuple(steps), direction)
        steps.append(direction)
    return Walk(tuple(steps))


def _moves(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the directions of steps and slides."""
    for step in path.steps:
        match step:
            case Run(path=inner):
                yield from _moves(inner)
            case Move(square=Neighbor(direction=direction)):
                yield direction, False
            case Loop(body=body):
                for direction, _ in _moves(body):
                    yield direction, True
                    break
