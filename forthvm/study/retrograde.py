"""Retrograde analysis: the values of all positions of a game of two players, and their distances.

Owns the computation on a graph of positions.

The analysis begins at the decided positions and goes backward, in the order of the distance.  A
position is won by its player if some move leads to a position that this player wins, and lost if
all moves lead to positions that the opponent wins.  Positions that are not reached are draws: the
players can avoid a loss forever, or until a drawn end.  A player may move several times in a row.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.study.position_graph import Graph

__all__ = ["NO_WINNER", "Result", "results"]

NO_WINNER = -1


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a position with best play."""

    winner: int
    """The seat that wins, or `NO_WINNER`."""
    distance: int
    """The number of plies to the end if the winner hurries and the loser delays; 0 for a draw."""


def results(graph: Graph) -> list[Result]:
    """Return the result of each position of a graph with two seats and without chance nodes."""
    found: list[Result | None] = [None] * len(graph.turns)
    # For each position: how many of its moves are not yet known to lead to a win of the opponent.
    unknown_moves = [len(moves) for moves in graph.moves]
    predecessors: list[list[int]] = [[] for _ in graph.turns]
    for number, moves in enumerate(graph.moves):
        for after in moves:
            predecessors[after].append(number)
    queue: deque[int] = deque()  # decided positions in the order of their distance
    for number, scores in graph.scores.items():
        if scores[0] == scores[1]:
            found[number] = Result(NO_WINNER, 0)
        else:
            found[number] = Result(int(scores[1] > scores[0]), 0)
            queue.append(number)
    while queue:
        after = queue.popleft()
        result = found[after]
        assert result is not None
        for number in predecessors[after]:
            if found[number] is not None:
                continue
            unknown_moves[number] -= 1
            if graph.turns[number] == result.winner or not unknown_moves[number]:
                found[number] = Result(result.winner, result.distance + 1)
                queue.append(number)
    return [Result(NO_WINNER, 0) if result is None else result for result in found]
