"""Works out which positions the blocks of a piece can touch, whatever stands on the board.

Owns the analysis: from each position a block runs with all conditions open, and the result is the
set of the positions that it visits or asks about.  A block can only attack a position of its set,
and only changes there can open or close an attack.  Sets are integers with a bit for each position.
It must not know ForthScript.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Call,
    Cascade,
    Code,
    Cursor,
    Go,
    If,
    Instruction,
    Named,
    Neighbor,
    Question,
    SetFrom,
    SetMark,
    SetTo,
    Square,
    Test,
    While,
    inner_codes,
    own_tests,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.zrf.rules import Block, Rules

__all__ = ["BlockReach", "Reach", "ReachLimitError"]

_MOST_STEPS = 400_000  # about half a second


class ReachLimitError(Exception):
    """The blocks of a game are too large for the analysis."""


@dataclass(frozen=True, slots=True)
class BlockReach:
    """What one block can touch.

    Attributes:
        rows: For each position where the block may begin, the set of positions that it can touch.
        reads_more: Whether the block depends on more than the pieces on these positions.
    """

    rows: tuple[int, ...]
    reads_more: bool


@dataclass(slots=True)
class _State:
    """The positions where the cursor and the marks of a running block may be."""

    here: int
    start: int
    to: int
    mark: int
    touched: int

    def copy(self) -> _State:
        return _State(self.here, self.start, self.to, self.mark, self.touched)

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
        self._known: dict[tuple[Code, str], BlockReach] = {}
        self._tests: dict[int, tuple[Test, ...]] = {}  # by id: the rules keep instructions alive
        self._more: dict[Code, bool] = {}
        self._steps = 0
        self._links: Mapping[str, Sequence[int]] = {}
        self._linked: dict[str, Mapping[str, Sequence[int]]] = {}

    def of(self, block: Block, player: str) -> BlockReach:
        """Return what a block of moves can touch when it runs for a player.

        Raises:
            ReachLimitError: The game is too large.
        """
        symmetric = player if self._board.symmetries.get(player) else ""
        key = block.code, symmetric
        known = self._known.get(key)
        if known is None:
            self._links = self._links_of(symmetric)
            rows = tuple(self._row(block.code, at) for at in range(len(self._number)))
            known = self._known[key] = BlockReach(rows, self._reads_more(block.code))
        return known

    def _links_of(self, player: str) -> Mapping[str, Sequence[int]]:
        """Return for each direction the set to which each position is linked, for a player."""
        if player not in self._linked:
            other = self._board.symmetries.get(player, {})
            found = {}
            for name in self._board.directions:
                sets = [0] * len(self._number)
                for origin, target in self._board.links.get(other.get(name, name), {}).items():
                    if origin in self._number and target in self._number:
                        sets[self._number[origin]] = 1 << self._number[target]
                found[name] = sets
            self._linked[player] = found
        return self._linked[player]

    def _row(self, code: Code, at: int) -> int:
        start = 1 << at
        state = _State(start, start, 0, start, start)
        self._run(code, state)
        return state.touched

    def _run(self, code: Code, state: _State) -> None:
        for instruction in code.instructions:
            if not state.here:
                return
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise ReachLimitError
            self._step(instruction, state)

    def _step(self, instruction: Instruction, state: _State) -> None:
        match instruction:
            case Go(square=square):
                state.here = self._squares(square, state)
                state.touched |= state.here
            case SetMark(square=square):
                state.mark = self._squares(square, state)
                state.touched |= state.mark
            case SetFrom():
                state.start = state.here
            case SetTo():
                state.to |= state.here
            case Cascade():
                state.start = state.here
            case Call(code=code):
                self._run(code, state)
            case If(then=then, otherwise=otherwise):
                self._ask(instruction, state)
                other = state.copy()
                self._run(then, state)
                self._run(otherwise, other)
                state.join(other)
            case While(body=body):
                self._loop(instruction, body, state)
            case _:
                self._ask(instruction, state)

    def _loop(self, loop: While, body: Code, state: _State) -> None:
        self._ask(loop, state)
        while True:
            before = state.copy()
            after = state.copy()
            self._run(body, after)
            state.join(after)
            self._ask(loop, state)
            if state == before:
                return

    def _ask(self, instruction: Instruction, state: _State) -> None:
        """Enter the squares that an instruction itself asks about or changes."""
        square = getattr(instruction, "square", None)
        if square is not None:
            state.touched |= self._squares(square, state)
        for test in self._tests_of(instruction):
            squares = self._squares(test.square, state)
            state.touched |= squares
            if test.question is Question.ADJACENT_TO_ENEMY:
                for name in self._board.directions:
                    state.touched |= self._neighbors(squares, name)

    def _squares(self, square: Square, state: _State) -> int:  # noqa: PLR0911 - a table
        match square:
            case Neighbor(direction=name):
                return self._neighbors(state.here, name)
            case Named(position=name):
                return 1 << self._number[name] if name in self._number else 0
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
        found = 0
        while squares and sets is not None:
            lowest = squares & -squares
            found |= sets[lowest.bit_length() - 1]
            squares ^= lowest
        return found

    def _tests_of(self, instruction: Instruction) -> tuple[Test, ...]:
        known = self._tests.get(id(instruction))
        if known is None:
            known = self._tests[id(instruction)] = tuple(own_tests(instruction))
        return known

    def _reads_more(self, code: Code) -> bool:
        """Return whether a code asks about the last move."""
        known = self._more.get(code)
        if known is None:
            known = self._more[code] = any(map(self._asks_more, code.instructions))
        return known

    def _asks_more(self, instruction: Instruction) -> bool:
        tests = self._tests_of(instruction)
        squares = (getattr(instruction, "square", None), *(test.square for test in tests))
        if any(square in _LAST for square in squares):
            return True
        if any(test.question in _LAST_QUESTIONS for test in tests):
            return True
        return any(map(self._reads_more, inner_codes(instruction)))


_LAST = (Cursor.LAST_FROM, Cursor.LAST_TO)
_LAST_QUESTIONS = (Question.LAST_FROM, Question.LAST_TO)
