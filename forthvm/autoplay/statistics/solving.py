"""What the positions of a small game are worth, and how many games it has: exactly.

Owns the counting on a graph of positions (position_graph.py).  It must not know VMs, scripts or
texts.

What a player can be *sure of* is the greatest score that he can force, whatever all others do,
together if need be; with lots it is the greatest expected score.  In a game of two, what both
can be sure of adds up to 1: that is the value of the game.  Play without end brings everybody
an equal share.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.position_graph import LOT
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from forthvm.autoplay.statistics.position_graph import Graph

__all__ = ["Course", "Prospects", "RandomPlay", "Solution", "solve"]

Scores = tuple[float, ...]
_DIGITS = 9
"""Sums of lots must be equal if they are the same."""
_CLOSE = 1e-10
_MOST_ROUNDS = 500


class Course(Value, kw_only=True):
    """All games that there are, of a game in which no position can come up again.

    Attributes:
        sequences: Sequences of so many plies, from 0 up: what perft counts.
        games: Plies and scores of the seats to how many games end so.
        random: What comes of it when every move is drawn.
    """

    sequences: tuple[int, ...]
    games: Mapping[tuple[int, Scores], int]
    random: RandomPlay

    @property
    def total(self) -> int:
        """Games in all."""
        return sum(self.games.values())

    def by_length(self) -> dict[int, int]:
        """Plies to games, ascending."""
        found: Counter[int] = Counter()
        for (plies, _), count in self.games.items():
            found[plies] += count
        return dict(sorted(found.items()))

    def by_result(self) -> dict[Scores, int]:
        """Scores of the seats to games."""
        found: Counter[Scores] = Counter()
        for (_, scores), count in self.games.items():
            found[scores] += count
        return dict(found)


class RandomPlay(Value, kw_only=True):
    """What comes of it when all moves are drawn, all moves of a position alike.

    Attributes:
        results: Plies and scores of the seats to their probability.
        choices: How often somebody chooses in a game: the mean.
        moves: Legal moves of a choice: the mean.
        forced: Share of choices with a single move.
    """

    results: Mapping[tuple[int, Scores], float]
    choices: float
    moves: float
    forced: float

    @property
    def plies(self) -> float:
        """Mean length of a game."""
        return sum(plies * share for (plies, _), share in self.results.items())

    @property
    def draws(self) -> float:
        """Share of games in which all seats have the same."""
        return sum(share for (_, scores), share in self.results.items() if len({*scores}) == 1)

    def score(self, seat: int) -> float:
        """Mean score of a seat."""
        return sum(scores[seat] * share for (_, scores), share in self.results.items())


class Prospects(Value, kw_only=True):
    """In how many positions a seat can be sure of how much.

    Attributes:
        won: Of the whole point.
        level: Of an equal share.
        lost: Of nothing.
        other: Of something else.
    """

    won: int
    level: int
    lost: int
    other: int


class Solution(Value, kw_only=True):
    """A game, solved.

    Attributes:
        seats: Players who can win, in the order of their first turns.
        positions: Different ones.
        decided: Those of them in which the game is over.
        endless: Positions can come up again.
        sure: What each seat can be sure of; empty where that does not settle (lots for ever).
        prospects: Of each seat, over all positions.
        course: All games; None where there is no end of them.
    """

    seats: tuple[str, ...]
    positions: int
    decided: int
    endless: bool
    sure: Scores
    prospects: tuple[Prospects, ...]
    course: Course | None


def solve(graph: Graph) -> Solution:
    """Solves a game whose positions are laid out."""
    order = _ordered(graph)
    seats = range(len(graph.seats))
    values: list[list[float]] = []
    if order is not None:
        values = [_backward(graph, order, seat) for seat in seats]
    elif graph.has_lots:
        found = [_approached(graph, seat) for seat in seats]
        values = [] if None in found else [each for each in found if each is not None]
    else:
        values = [_forced(graph, seat) for seat in seats]
    return Solution(
        seats=graph.seats,
        positions=len(graph.turns),
        decided=len(graph.scores),
        endless=order is None,
        sure=tuple(found[0] for found in values),
        prospects=tuple(_prospects(found, 1 / len(graph.seats)) for found in values),
        course=None if order is None else _course(graph, order),
    )


def _ordered(graph: Graph) -> list[int] | None:
    """The positions, each before those that can follow; None: some can come up again."""
    before = [0] * len(graph.moves)
    for moves in graph.moves:
        for after in moves:
            before[after] += 1
    order = [at for at, count in enumerate(before) if not count]
    for at in order:
        for after in graph.moves[at]:
            before[after] -= 1
            if not before[after]:
                order.append(after)  # the loop goes on with it
    return order if len(order) == len(graph.moves) else None


def _shares(graph: Graph, at: int) -> Sequence[float]:
    """How likely each move is to be drawn."""
    count = len(graph.moves[at])
    return graph.shares.get(at) or [1 / count] * count


# --- best play ------------------------------------------------------------------------------


def _backward(graph: Graph, order: Sequence[int], seat: int) -> list[float]:
    """What a seat can be sure of in each position, from the ends of games backwards."""
    values = [0.0] * len(order)
    for at in reversed(order):
        moves = graph.moves[at]
        if at in graph.scores:
            values[at] = graph.scores[at][seat]
        elif graph.turns[at] == LOT:
            shares = _shares(graph, at)
            pairs = zip(moves, shares, strict=True)
            values[at] = round(sum(values[after] * share for after, share in pairs), _DIGITS)
        else:
            best = max if graph.turns[at] == seat else min
            values[at] = best(values[after] for after in moves)
    return values


def _approached(graph: Graph, seat: int) -> list[float] | None:
    """The same with lots where positions can come up again; None: it does not settle.

    Value iteration from below and from above (K. Chatterjee and T. Henzinger, Value Iteration,
    2008): where both meet, play ends sooner or later whatever anybody does, and the value lies
    between them.
    """
    low = [graph.scores[at][seat] if at in graph.scores else 0.0 for at in range(len(graph.moves))]
    high = [graph.scores[at][seat] if at in graph.scores else 1.0 for at in range(len(graph.moves))]
    # Later numbers tend to be nearer to the end.
    open_ = [at for at in reversed(range(len(graph.moves))) if graph.moves[at]]
    for _ in range(_MOST_ROUNDS):
        for values in (low, high):
            for at in open_:
                after = [values[each] for each in graph.moves[at]]
                if graph.turns[at] == LOT:
                    pairs = zip(after, _shares(graph, at), strict=True)
                    values[at] = sum(value * share for value, share in pairs)
                else:
                    values[at] = max(after) if graph.turns[at] == seat else min(after)
        if all(high[at] - low[at] <= _CLOSE for at in open_):
            return [round(sum(pair) / 2, _DIGITS) for pair in zip(low, high, strict=True)]
    return None


def _forced(graph: Graph, seat: int) -> list[float]:
    """The same where positions can come up again and nothing is drawn by lot."""
    fair = 1 / len(graph.seats)
    values = [0.0] * len(graph.moves)
    before: list[list[int]] = [[] for _ in graph.moves]
    for at, moves in enumerate(graph.moves):
        for after in moves:
            before[after].append(at)

    def mine(at: int) -> bool:
        return graph.turns[at] == seat

    def others(at: int) -> bool:
        return not mine(at)

    scores = {at: found[seat] for at, found in graph.scores.items()}
    for level in sorted({fair, *scores.values()}):
        if level > fair:  # he must bring the end about himself
            goals = [at for at, score in scores.items() if score >= level]
            good = _attracted(graph, before, goals, mine)
        else:  # it is enough that the others cannot bring a worse end about
            goals = [at for at, score in scores.items() if score < level]
            bad = _attracted(graph, before, goals, others)
            good = {at for at in range(len(values)) if at not in bad}
        for at in good:
            values[at] = level
    return values


def _attracted(
    graph: Graph, before: Sequence[Sequence[int]], goals: Iterable[int], may: Callable[[int], bool]
) -> set[int]:
    """Positions from which a goal can be forced by those who choose where `may` says so."""
    found = set(goals)
    left = [len(moves) for moves in graph.moves]
    waiting = deque(found)
    while waiting:
        for at in before[waiting.popleft()]:
            left[at] -= 1
            if at not in found and (may(at) or not left[at]):
                found.add(at)
                waiting.append(at)
    return found


def _prospects(values: Sequence[float], fair: float) -> Prospects:
    counts = Counter(values)
    won, level, lost = counts[1.0], counts[fair], counts[0.0]
    if fair == 1.0:  # who plays alone wins or does not
        level = 0
    return Prospects(won=won, level=level, lost=lost, other=len(values) - won - level - lost)


# --- all games -----------------------------------------------------------------------------------


def _course(graph: Graph, order: Sequence[int]) -> Course:
    """Follows all games at once, position by position."""
    paths: list[dict[int, tuple[int, float]] | None] = [None] * len(order)
    paths[0] = {0: (1, 1.0)}
    sequences: Counter[int] = Counter()
    games: Counter[tuple[int, Scores]] = Counter()
    results: defaultdict[tuple[int, Scores], float] = defaultdict(float)
    choices = moves = forced = 0.0
    for at in order:
        here = paths[at] or {}
        paths[at] = None  # nobody asks again
        reached = sum(share for _, share in here.values())
        options = len(graph.moves[at])
        for plies, (count, share) in here.items():
            sequences[plies] += count
            if not options:
                games[plies, graph.scores[at]] += count
                results[plies, graph.scores[at]] += share
        if options and graph.turns[at] != LOT and at not in graph.stuck:
            choices += reached
            moves += reached * options
            forced += reached * (options == 1)
        shares = _shares(graph, at) if options else ()
        for after, weight in zip(graph.moves[at], shares, strict=True):
            there = paths[after]
            if there is None:
                there = paths[after] = {}
            for plies, (count, share) in here.items():
                known, sofar = there.get(plies + 1, (0, 0.0))
                there[plies + 1] = known + count, sofar + share * weight
    return Course(
        sequences=tuple(sequences[plies] for plies in range(max(sequences) + 1)),
        games=dict(games),
        random=RandomPlay(
            results=dict(results),
            choices=choices,
            moves=moves / choices if choices else 0.0,
            forced=forced / choices if choices else 0.0,
        ),
    )
