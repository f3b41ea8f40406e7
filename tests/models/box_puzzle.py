"""A box-pushing puzzle in plain Python, for small boards with walls.

The walker steps to an empty square or pushes one crate.  The puzzle is solved when every goal holds
a crate; a walker that cannot move has lost.  This model does not use forthvm or a rule file.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LEVELS", "Level", "State", "perft", "shortest_solution", "successors"]

Square = tuple[int, int]

STEPS: tuple[Square, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True)
class Level:
    """A board of five by five.  `walls` are squares; `barred` are steps that are not possible."""

    walls: frozenset[Square]
    barred: frozenset[tuple[Square, Square]]
    goals: frozenset[Square]


@dataclass(frozen=True)
class State:
    """The squares of the walker and of the crates."""

    walker: Square
    crates: frozenset[Square]


def _square(name: str) -> Square:
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def _squares(names: str) -> frozenset[Square]:
    return frozenset(map(_square, names.split()))


def _level(
    walker: str, crates: str, goals: str, *, walls: str = "", barred: str = ""
) -> tuple[Level, State]:
    steps = frozenset((_square(step[:2]), _square(step[2:])) for step in barred.split())
    return Level(_squares(walls), steps, _squares(goals)), State(_square(walker), _squares(crates))


LEVELS = (
    _level("b1", "b2 c3", "b4 e3"),
    _level("a1", "c2 c3", "a3 e3", walls="b2 d2 b4 d4"),
    _level("a1", "b3 c4", "e3 c5", barred="c1d1 d1c1 c2d2 d2c2 d3c3 c4d4 d4c4 c5d5 d5c5"),
)


def _step(level: Level, start: Square, step: Square) -> Square | None:
    """The square that a step leads to, or None at the edge and at a wall."""
    goal = (start[0] + step[0], start[1] + step[1])
    inside = 0 <= goal[0] < 5 and 0 <= goal[1] < 5
    return (
        goal if inside and goal not in level.walls and (start, goal) not in level.barred else None
    )


def successors(level: Level, state: State) -> list[State]:
    """The states after each move; an empty list if the puzzle is solved."""
    if level.goals <= state.crates:
        return []
    found = []
    for step in STEPS:
        goal = _step(level, state.walker, step)
        if goal is None:
            continue
        crates = state.crates
        if goal in crates:
            beyond = _step(level, goal, step)
            if beyond is None or beyond in crates:
                continue
            crates = crates - {goal} | {beyond}
        found.append(State(goal, crates))
    return found


def perft(level: Level, state: State, depth: int) -> int:
    """The number of sequences of `depth` moves."""
    states = successors(level, state)
    return len(states) if depth == 1 else sum(perft(level, after, depth - 1) for after in states)


def shortest_solution(level: Level, state: State) -> int | None:
    """The least number of moves that solve the puzzle, or None if it has no solution."""
    seen, edge, depth = {state}, [state], 0
    while edge:
        if any(level.goals <= each.crates for each in edge):
            return depth
        edge = list(dict.fromkeys(after for each in edge for after in successors(level, each)))
        edge = [each for each in edge if each not in seen]
        seen.update(edge)
        depth += 1
    return None
