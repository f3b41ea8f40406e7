"""The race of four players in plain Python, with elimination, skipped turns and passes.

This model does not use forthvm or a rule file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["PLAYERS", "State", "over", "perft", "start", "successors"]

PLAYERS = ("Red", "Green", "Blue", "Yellow")
NATURE = 4

Square = tuple[int, int]

BELL: Square = (2, 2)
BELL_ROW = 2
TOP = 5


@dataclass(frozen=True)
class State:
    """A position.

    Attributes:
        runners: Owner of each runner by square.
        rocks: Neutral rocks that can be captured.
        bell: The player (0 to 4) who owns the bell.
        mover: The player to move.
        passing: none, forced or free.
    """

    runners: tuple[tuple[Square, int], ...]
    rocks: frozenset[Square]
    bell: int
    mover: int
    passing: str


def _square(name: str) -> Square:
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def start(passing: str = "none") -> State:
    """The first position."""
    names = ["a1 c2", "b1 d2", "c1 a2", "d1 b2"]
    runners = sorted(
        (_square(name), owner) for owner, two in enumerate(names) for name in two.split()
    )
    return State(tuple(runners), frozenset({_square("b4"), _square("d4")}), NATURE, 0, passing)


def _alive(state: State) -> set[int]:
    return {owner for _, owner in state.runners}


def over(state: State) -> bool:
    """Whether a runner has arrived or only one player is left."""
    return len(_alive(state)) < 2 or any(row == TOP for (_, row), _ in state.runners)


def _moves(state: State) -> list[State]:
    """The positions after each move of a runner, with the same player to move."""
    runners, found = dict(state.runners), []
    for (column, row), owner in state.runners:
        if owner != state.mover:
            continue
        for side in (0, 1, -1):
            goal = (column + side, row + 1)
            if not (0 <= goal[0] < 4 and goal[1] <= TOP) or goal == BELL:
                continue
            occupied = goal in runners or goal in state.rocks
            if runners.get(goal) == owner or occupied != (side != 0):
                continue
            after = {square: who for square, who in runners.items() if square != (column, row)}
            after[goal] = owner
            bell = (state.bell + 1) % 5 if goal[1] == BELL_ROW else state.bell
            found.append(
                replace(
                    state,
                    runners=tuple(sorted(after.items())),
                    rocks=state.rocks - {goal},
                    bell=bell,
                )
            )
    return found


def _next_turn(state: State) -> State:
    """Pass the turn to the next player in the game who can move or pass."""
    alive, mover = _alive(state), state.mover
    for _ in PLAYERS:
        mover = (mover + 1) % 4
        after = replace(state, mover=mover)
        if mover in alive and (state.passing != "none" or _moves(after)):
            return after
    return state


def successors(state: State) -> list[State]:
    """The positions after each legal move or pass; an empty list if the game is over."""
    if over(state):
        return []
    found = _moves(state)
    if state.passing == "free" or (state.passing == "forced" and not found):
        found.append(state)
    return [_next_turn(after) for after in found]


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plies."""
    states = successors(state)
    return len(states) if depth == 1 else sum(perft(after, depth - 1) for after in states)
