"""English draughts in plain Python; each jump is one move.

Owns the rules of the bundled game's README.  It does not use forthvm or a script.  Squares are
(column, row) with a1 = (0, 0), which is dark; Black starts below and moves first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["QUIET_LIMIT", "State", "chains", "drawn", "perft", "start", "successors"]

Square = tuple[int, int]

QUIET_LIMIT: Final = 80
"""Number of turns, 40 of each side, without a man's move or capture that makes a draw."""

_DARK: Final = frozenset((x, y) for x in range(8) for y in range(8) if (x + y) % 2 == 0)


@dataclass(frozen=True)
class State:
    """A position; `men` and `kings` map squares to `B` or `W`.

    `chain` is the square of a piece that must continue jumping, None outside a chain of jumps.
    `quiet` counts the turns since the last move of a man or capture.
    """

    men: Mapping[Square, str]
    kings: Mapping[Square, str]
    mover: str = "B"
    chain: Square | None = None
    quiet: int = 0

    def at(self, square: Square) -> str:
        """The owner of the piece on a square, empty if there is none."""
        return self.men.get(square) or self.kings.get(square) or ""


def start() -> State:
    """The first position: twelve men for each side."""
    men = {square: "B" for square in _DARK if square[1] < 3}
    men.update({square: "W" for square in _DARK if square[1] > 4})
    return State(men, {})


def _directions(state: State, square: Square) -> list[tuple[int, int]]:
    ahead = 1 if state.mover == "B" else -1
    rows = (1, -1) if square in state.kings else (ahead,)
    return [(x, y) for y in rows for x in (-1, 1)]


def _jumps(state: State, square: Square) -> Iterator[tuple[Square, Square]]:
    """Pairs of the square jumped over and the square landed on."""
    x, y = square
    for dx, dy in _directions(state, square):
        over, target = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if target in _DARK and not state.at(target) and state.at(over) not in ("", state.mover):
            yield over, target


def _moved(state: State, square: Square, target: Square, over: Square | None) -> State:
    """The state after a move, with the same side to move."""
    men, kings = dict(state.men), dict(state.kings)
    was_man = square in men
    last_row = 7 if state.mover == "B" else 0
    for pieces in (men, kings):
        owner = pieces.pop(square, None)
        if owner:
            (kings if target[1] == last_row else pieces)[target] = owner
        if over:
            pieces.pop(over, None)
    quiet = 0 if was_man or over else state.quiet + 1
    after = State(men, kings, state.mover, None, quiet)
    crowned = was_man and target[1] == last_row
    if over and not crowned and any(_jumps(after, target)):
        return State(men, kings, state.mover, target, quiet)
    return State(men, kings, "W" if state.mover == "B" else "B", None, quiet)


def drawn(state: State) -> bool:
    """Whether QUIET_LIMIT is reached."""
    return state.quiet >= QUIET_LIMIT


def successors(state: State) -> list[State]:
    """The states after each legal step or single jump; an empty list if the game is over."""
    if drawn(state):
        return []
    sources = [square for square in (*state.men, *state.kings) if state.at(square) == state.mover]
    if state.chain:
        sources = [state.chain]
    jumps = [
        _moved(state, square, target, over)
        for square in sources
        for over, target in _jumps(state, square)
    ]
    if jumps or state.chain:
        return jumps
    return [
        _moved(state, square, target, None)
        for square in sources
        for target in [(square[0] + dx, square[1] + dy) for dx, dy in _directions(state, square)]
        if target in _DARK and not state.at(target)
    ]


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` steps or single jumps."""
    states = successors(state)
    return len(states) if depth == 1 else sum(perft(after, depth - 1) for after in states)


def chains(state: State, depth: int) -> int:
    """The number of sequences of `depth` moves, a chain of jumps counted as one move."""
    total = 0
    for after in successors(state):
        if after.chain:
            total += chains(after, depth)
        else:
            total += 1 if depth == 1 else chains(after, depth - 1)
    return total
