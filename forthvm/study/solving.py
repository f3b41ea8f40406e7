"""Exact values of the positions of a small game, and its number of games.

Owns the computation on a graph of positions (position_graph.py).

The *guaranteed score* (minimax value) of a seat in a position is the highest score that it can
force if all other seats play against it together; with chance nodes it is an expected score.  A
game that never ends has equal scores for all seats.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.study.position_graph import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from forthvm.study.position_graph import Graph

__all__ = ["AllGames", "RandomPlay", "ScoreCounts", "Solution", "solve"]

Scores = tuple[float, ...]
_DIGITS = 9
"""The decimals to which expected values are rounded, so that equal values compare equal."""
_TOLERANCE = 1e-10
"""Value iteration ends when the bounds of each value differ by at most this number."""
_MAX_ITERATIONS = 500


@dataclass(frozen=True, kw_only=True)
class AllGames:
    """Statistics of all possible games, if no position can occur twice in a game.

    Attributes:
        sequences: The number of move sequences (perft) of 0 plies, 1 ply and so on.
        games: The number of games by length in plies and scores of the seats.
        random: The distribution of games if every move is chosen at random.
    """

    sequences: tuple[int, ...]
    games: Mapping[tuple[int, Scores], int]
    random: RandomPlay

    @property
    def total(self) -> int:
        """The number of games."""
        return sum(self.games.values())

    def by_length(self) -> dict[int, int]:
        """Return the number of games by length in plies, ascending."""
        totals: Counter[int] = Counter()
        for (plies, _), count in self.games.items():
            totals[plies] += count
        return dict(sorted(totals.items()))

    def by_result(self) -> dict[Scores, int]:
        """Return the number of games by scores of the seats."""
        totals: Counter[Scores] = Counter()
        for (_, scores), count in self.games.items():
            totals[scores] += count
        return dict(totals)


@dataclass(frozen=True, kw_only=True)
class RandomPlay:
    """The distribution of games in which every move is uniformly random.

    Attributes:
        results: The probability of a game by its length in plies and the scores of the seats.
        choices: The mean number of choices in a game.  Chance moves and passes are not choices.
        moves: The mean number of legal moves of a choice.
        forced: The share of choices with a single move.
    """

    results: Mapping[tuple[int, Scores], float]
    choices: float
    moves: float
    forced: float

    @property
    def plies(self) -> float:
        """The mean length of a game."""
        return sum(plies * probability for (plies, _), probability in self.results.items())

    @property
    def draws(self) -> float:
        """The share of games in which all seats have the same score."""
        return sum(
            probability for (_, scores), probability in self.results.items() if len({*scores}) == 1
        )

    def score(self, seat: int) -> float:
        """Return the mean score of a seat."""
        return sum(scores[seat] * probability for (_, scores), probability in self.results.items())


@dataclass(frozen=True, kw_only=True)
class ScoreCounts:
    """The numbers of positions by the guaranteed score of a seat.

    Attributes:
        won: Positions with a guaranteed score of 1.
        level: Positions in which the guaranteed score is 1 divided by the number of seats.
        lost: Positions with a guaranteed score of 0.
        other: All other positions.
    """

    won: int
    level: int
    lost: int
    other: int


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A solved game.

    Attributes:
        seats: Players who can win, in the order of their first turns.
        positions: The number of different positions.
        decided: The number of positions in which the game is over.
        endless: Whether a position can occur twice.
        guaranteed: The guaranteed score of each seat; empty if value iteration does not converge.
        prospects: For each seat, the numbers of positions by its guaranteed score.
        all_games: Statistics of all possible games; None if `endless`.
    """

    seats: tuple[str, ...]
    positions: int
    decided: int
    endless: bool
    guaranteed: Scores
    prospects: tuple[ScoreCounts, ...]
    all_games: AllGames | None


def solve(graph: Graph) -> Solution:
    """Solve a game, given its graph of positions."""
    order = _topological_order(graph)
    seats = range(len(graph.seats))
    values: list[list[float]] = []
    if order is not None:
        values = [_backward_induction(graph, order, seat) for seat in seats]
    elif graph.has_chance_nodes:
        results = [_value_iteration(graph, seat) for seat in seats]
        values = [] if None in results else [result for result in results if result is not None]
    else:
        values = [_values_without_chance(graph, seat) for seat in seats]
    return Solution(
        seats=graph.seats,
        positions=len(graph.turns),
        decided=len(graph.scores),
        endless=order is None,
        guaranteed=tuple(seat_values[0] for seat_values in values),
        prospects=tuple(_score_counts(seat_values, 1 / len(graph.seats)) for seat_values in values),
        all_games=None if order is None else _all_games(graph, order),
    )


def _topological_order(graph: Graph) -> list[int] | None:
    """Return the positions in topological order; None if the graph has cycles."""
    predecessors = [0] * len(graph.moves)  # for each position the number not yet in `order`
    for moves in graph.moves:
        for successor in moves:
            predecessors[successor] += 1
    order = [position for position, count in enumerate(predecessors) if not count]
    for position in order:
        for successor in graph.moves[position]:
            predecessors[successor] -= 1
            if not predecessors[successor]:
                order.append(successor)  # the outer loop continues with the appended positions
    return order if len(order) == len(graph.moves) else None


def _probabilities(graph: Graph, position: int) -> Sequence[float]:
    """Return the probability of each move of a position if chance selects the move."""
    count = len(graph.moves[position])
    return graph.probabilities.get(position) or [1 / count] * count


# --- best play ------------------------------------------------------------------------------


def _backward_induction(graph: Graph, order: Sequence[int], seat: int) -> list[float]:
    """Return the guaranteed score of a seat in each position, by backward induction."""
    values = [0.0] * len(order)
    for position in reversed(order):
        moves = graph.moves[position]
        if position in graph.scores:
            values[position] = graph.scores[position][seat]
        elif graph.turns[position] == CHANCE:
            probabilities = _probabilities(graph, position)
            pairs = zip(moves, probabilities, strict=True)
            mean = sum(values[successor] * probability for successor, probability in pairs)
            values[position] = round(mean, _DIGITS)
        else:
            best = max if graph.turns[position] == seat else min
            values[position] = best(values[successor] for successor in moves)
    return values


def _value_iteration(graph: Graph, seat: int) -> list[float] | None:
    """Return guaranteed scores in a graph with cycles and chance nodes; None without convergence.

    Value iteration improves a lower and an upper bound of each score (K. Chatterjee and
    T. Henzinger, Value Iteration, 2008), which converge if every game ends with probability 1.
    """
    low = [
        graph.scores[position][seat] if position in graph.scores else 0.0
        for position in range(len(graph.moves))
    ]
    high = [
        graph.scores[position][seat] if position in graph.scores else 1.0
        for position in range(len(graph.moves))
    ]
    # Positions with higher numbers tend to be nearer to the end of the game.
    undecided = [
        position for position in reversed(range(len(graph.moves))) if graph.moves[position]
    ]
    for _ in range(_MAX_ITERATIONS):
        for values in (low, high):
            for position in undecided:
                values_after = [values[successor] for successor in graph.moves[position]]
                if graph.turns[position] == CHANCE:
                    pairs = zip(values_after, _probabilities(graph, position), strict=True)
                    values[position] = sum(value * probability for value, probability in pairs)
                else:
                    best = max if graph.turns[position] == seat else min
                    values[position] = best(values_after)
        if all(high[position] - low[position] <= _TOLERANCE for position in undecided):
            return [round(sum(pair) / 2, _DIGITS) for pair in zip(low, high, strict=True)]
    return None


def _values_without_chance(graph: Graph, seat: int) -> list[float]:
    """Return the guaranteed scores in a graph with cycles but without chance nodes."""
    fair = 1 / len(graph.seats)
    values = [0.0] * len(graph.moves)
    predecessors: list[list[int]] = [[] for _ in graph.moves]
    for position, moves in enumerate(graph.moves):
        for successor in moves:
            predecessors[successor].append(position)

    def seat_moves(position: int) -> bool:
        return graph.turns[position] == seat

    def opponent_moves(position: int) -> bool:
        return not seat_moves(position)

    scores = {position: seat_scores[seat] for position, seat_scores in graph.scores.items()}
    for threshold in sorted({fair, *scores.values()}):
        if threshold > fair:  # good positions: the seat can force a score of at least `threshold`
            goals = [position for position, score in scores.items() if score >= threshold]
            good = _attractor(graph, predecessors, goals, seat_moves)
        else:  # good positions: the opponents cannot force a score below `threshold`
            goals = [position for position, score in scores.items() if score < threshold]
            bad = _attractor(graph, predecessors, goals, opponent_moves)
            good = {position for position in range(len(values)) if position not in bad}
        for position in good:
            values[position] = threshold
    return values


def _attractor(
    graph: Graph,
    predecessors: Sequence[Sequence[int]],
    goals: Iterable[int],
    attacker_moves: Callable[[int], bool],
) -> set[int]:
    """Return the positions from which the attacker can force the game into a goal.

    Args:
        graph: The positions.
        predecessors: For each position, the positions with a move to it.
        goals: The positions that the attacker wants to reach.
        attacker_moves: Whether the attacker, not its opponent, chooses the move in a position.
    """
    attractor = set(goals)
    # For each position the number of moves that do not lead into the attractor.
    escapes = [len(moves) for moves in graph.moves]
    waiting = deque(attractor)
    while waiting:
        for position in predecessors[waiting.popleft()]:
            escapes[position] -= 1
            if position not in attractor and (attacker_moves(position) or not escapes[position]):
                attractor.add(position)
                waiting.append(position)
    return attractor


def _score_counts(values: Sequence[float], fair: float) -> ScoreCounts:
    counts = Counter(values)
    won, level, lost = counts[1.0], counts[fair], counts[0.0]
    if fair == 1.0:  # one seat: the positions in `level` are those in `won`
        level = 0
    return ScoreCounts(won=won, level=level, lost=lost, other=len(values) - won - level - lost)


# --- all games -----------------------------------------------------------------------------------


def _all_games(graph: Graph, order: Sequence[int]) -> AllGames:
    """Count all games by one pass over the positions in topological order."""
    # For each position: the number of paths to it and their probability, by length in plies.
    paths: list[dict[int, tuple[int, float]] | None] = [None] * len(order)
    paths[0] = {0: (1, 1.0)}
    sequences: Counter[int] = Counter()
    games: Counter[tuple[int, Scores]] = Counter()
    results: defaultdict[tuple[int, Scores], float] = defaultdict(float)
    choices = moves = forced = 0.0
    for position in order:
        paths_here = paths[position] or {}
        paths[position] = None  # free the memory
        visits = sum(probability for _, probability in paths_here.values())
        options = len(graph.moves[position])
        for plies, (count, probability) in paths_here.items():
            sequences[plies] += count
            if not options:
                games[plies, graph.scores[position]] += count
                results[plies, graph.scores[position]] += probability
        if options and graph.turns[position] != CHANCE and position not in graph.stuck:
            choices += visits
            moves += visits * options
            forced += visits * (options == 1)
        probabilities = _probabilities(graph, position) if options else ()
        for successor, move_probability in zip(graph.moves[position], probabilities, strict=True):
            paths_after = paths[successor]
            if paths_after is None:
                paths_after = paths[successor] = {}
            for plies, (count, probability) in paths_here.items():
                old_count, old_probability = paths_after.get(plies + 1, (0, 0.0))
                new_probability = old_probability + probability * move_probability
                paths_after[plies + 1] = old_count + count, new_probability
    return AllGames(
        sequences=tuple(sequences[plies] for plies in range(max(sequences) + 1)),
        games=dict(games),
        random=RandomPlay(
            results=dict(results),
            choices=choices,
            moves=moves / choices if choices else 0.0,
            forced=forced / choices if choices else 0.0,
        ),
    )
