"""Koom Valley, the other game on Thud's board, written from the rules page alone.

Owns section 9 of `rules/thud.md`.  It does not use forthvm or a script.  The dwarfs win by moving
the rock to the far edge.  The trolls win by capturing the rock: three trolls must be next to it.
Each jump of a troll is one move, and a pass ends a series of jumps early.  The page does not say
when the trolls around the rock are counted; the model counts them after each jump.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.models.thud import DWARFS, PLAYABLE, TROLLS, number

__all__ = ["State", "end", "perft", "position", "start", "successors"]

_SQUARES: Final = PLAYABLE | {number("h8")}
_DIRECTIONS: Final = (15, 16, 1, -14, -15, -16, -1, 14)
_GOALS: Final = frozenset(map(number, ("f15", "g15", "h15", "i15", "j15")))


def _rays(square: int) -> tuple[tuple[int, ...], ...]:
    """The squares in each direction up to the edge, in the order of _DIRECTIONS."""
    found = []
    for step in _DIRECTIONS:
        line = []
        target = square + step
        # A step across the edge to the other side would change the column by fourteen.
        while target in _SQUARES and abs(target % 15 - (target - step) % 15) <= 1:
            line.append(target)
            target += step
        found.append(tuple(line))
    return tuple(found)


_RAYS: Final = {square: _rays(square) for square in _SQUARES}
_AROUND: Final = {
    square: frozenset(line[0] for line in lines if line) for square, lines in _RAYS.items()
}


@dataclass(frozen=True)
class State:
    """A position.

    `rock` is -1 after its capture, `jumper` the square of the troll that may jump again, and
    `previous` the position before the last move.
    """

    dwarfs: frozenset[int]
    trolls: frozenset[int]
    rock: int
    mover: str = DWARFS
    jumper: int | None = None
    previous: State | None = field(default=None, compare=False, repr=False)

    def occupied(self) -> frozenset[int]:
        """All squares that are not empty."""
        return self.dwarfs | self.trolls | {self.rock}


def position(dwarfs: str, trolls: str, rock: str, mover: str = DWARFS) -> State:
    """A state with these pieces and no history."""
    return State(
        frozenset(map(number, dwarfs.split())),
        frozenset(map(number, trolls.split())),
        number(rock),
        mover,
    )


def start() -> State:
    """The set-up of section 9."""
    return position(
        "a6 b5 c4 d3 e2 f1 g1 h1 i1 j1 k2 l3 m4 n5 o6 h7", "e13 f13 f14 h14 h13 j14 j13 k13", "h8"
    )


def _slides(state: State, source: int, length: int) -> Iterator[int]:
    occupied = state.occupied()
    for line in _RAYS[source]:
        for target in line[:length]:
            if target in occupied:
                break
            yield target


def _dwarf_moves(state: State) -> Iterator[State]:
    for source in state.dwarfs:
        others = state.dwarfs - {source}
        for target in _slides(state, source, 15):
            captured = {
                line[0]
                for line in _RAYS[target]
                if len(line) > 1 and line[0] in state.trolls and line[1] in others
            }
            trolls = state.trolls - captured
            yield State(others | {target}, trolls, state.rock, TROLLS, None, state)
    # The dwarfs may move the rock by one square if it is next to a dwarf before and after.
    if _AROUND[state.rock] & state.dwarfs:
        for target in _slides(state, state.rock, 1):
            if _AROUND[target] & state.dwarfs:
                yield State(state.dwarfs, state.trolls, target, TROLLS, None, state)


def _jumps(state: State, source: int) -> Iterator[State]:
    occupied = state.occupied()
    for line in _RAYS[source]:
        if len(line) > 1 and line[0] in state.dwarfs and line[1] not in occupied:
            trolls = state.trolls - {source} | {line[1]}
            after = _after_troll_move(state, state.dwarfs - {line[0]}, trolls)
            same_turn = State(after.dwarfs, trolls, after.rock, TROLLS, line[1], state)
            may_jump = after.rock >= 0 and next(_jumps(same_turn, line[1]), None)
            yield same_turn if may_jump else after


def _after_troll_move(state: State, dwarfs: frozenset[int], trolls: frozenset[int]) -> State:
    """The state after a troll's move; three trolls next to the rock capture it."""
    lost = len(_AROUND[state.rock] & trolls) >= 3
    return State(dwarfs, trolls, -1 if lost else state.rock, DWARFS, None, state)


def successors(state: State) -> Iterator[State]:
    """The states after each move of the player to move, whether or not the game is over."""
    if state.mover == DWARFS:
        yield from _dwarf_moves(state)
    elif state.jumper is not None:
        yield from _jumps(state, state.jumper)
        yield State(state.dwarfs, state.trolls, state.rock, DWARFS, None, state)
    else:
        for source in state.trolls:
            for target in _slides(state, source, 3):
                yield _after_troll_move(state, state.dwarfs, state.trolls - {source} | {target})
            yield from _jumps(state, source)


def _occurrences(state: State) -> int:
    count, earlier = 1, state.previous
    while earlier is not None:
        count += earlier == state
        earlier = earlier.previous
    return count


def end(state: State) -> str | None:
    """The winner, empty for a draw, None while the game continues."""
    if state.rock < 0:
        return TROLLS
    if state.rock in _GOALS:
        return DWARFS
    if next(successors(state), None) is None or _occurrences(state) >= 3:
        return ""
    return None


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plies."""
    if end(state) is not None:
        return 0
    if depth == 1:
        return sum(1 for _ in successors(state))
    return sum(perft(after, depth - 1) for after in successors(state))
