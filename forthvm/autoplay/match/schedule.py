"""Schedules: the entrants and seats of each game, as pure functions of a match's settings.

Owns the numbers of games and of pairs.

A *seating* assigns an entrant to each seat.  A *table* is a seating without regard to the order of
the seats.  A *group* has a game for each rotation of a seating; with two seats it is a pair of
games with exchanged seats.  The games of a group share opening and random seed.  A *cycle* is the
list of all groups: in a cycle every entrant has each seat equally often.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, count, islice, permutations, product

__all__ = ["Pairing", "Results", "cycle_length", "groups", "pairings", "swiss_rounds"]

Seating = tuple[int, ...]
"""For each seat the index of its entrant."""
Results = Mapping[int, Mapping[int, float]]
"""The scores of the entrants, by number of the finished game."""

_MAX_GREEDY = 300
"""The maximum number of tables that are ordered by `_greedy_order`, which is slow."""
_MAX_STRIDE = 20_000
"""The maximum number of tables that are visited with a constant stride: 0, s, 2 s and so on."""
_MAX_STEPS = 20_000
"""The maximum number of steps in the search for pairs that have not played each other."""
_GOLDEN = (math.sqrt(5) - 1) / 2
"""The stride divided by the number of tables; this ratio spreads the tables of an entrant."""


@dataclass(frozen=True)
class Pairing:
    """A game of the schedule."""

    number: int
    """The number of the game; the first game has number 1."""
    seats: Seating
    pair: int
    """The number of the game's group; the first group has number 1."""


def groups(schedule: str, entrants: int, seats: int) -> Iterator[tuple[Seating, ...]]:
    """Yield the groups of a cycle, each as the seatings of its games.

    Args:
        schedule: `round-robin`, `gauntlet` (the first entrant plays in every game) or `fixed`
            (the entrants in the given order, without rotation).
        entrants: The number of entrants.
        seats: The number of seats of the game.

    >>> list(groups("round-robin", 3, 2))
    [((1, 2), (2, 1)), ((0, 2), (2, 0)), ((0, 1), (1, 0))]
    >>> next(groups("round-robin", 2, 3))
    ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    """
    if schedule == "fixed":
        yield (tuple(at % entrants for at in range(seats)),)
        return
    if entrants <= seats:
        for seating in _balanced_order(_arrangements(entrants, seats)):
            yield _rotations(seating)
        return
    if seats == 2:
        tables: Iterable[Seating] = _circle(entrants)
    else:
        tables = _balanced_order(combinations(range(entrants), seats))
    chosen = [table for table in tables if schedule != "gauntlet" or 0 in table]
    for order in permutations(range(1, seats)):
        for table in chosen:
            yield _rotations((table[0], *(table[at] for at in order)))


def cycle_length(schedule: str, entrants: int, seats: int) -> int:
    """Return the number of games in a cycle."""
    if entrants > seats and schedule != "fixed":
        tables = math.comb(entrants, seats)
        if schedule == "gauntlet":
            tables = math.comb(entrants - 1, seats - 1)
        return tables * math.factorial(seats)
    return sum(len(group) for group in groups(schedule, entrants, seats))


def pairings(
    schedule: str, entrants: int, seats: int, games: int, results: Results
) -> Iterator[Pairing | None]:
    """Yield the games of a match in the order of their numbers.

    In a Swiss tournament the next games depend on `results`, to which the caller adds the results
    of finished games.  The iterator yields None while needed results are missing.

    >>> [each.seats for each in pairings("round-robin", 2, 2, 3, {})]
    [(0, 1), (1, 0), (0, 1)]
    """
    if schedule == "swiss":
        seating_groups: Iterator[tuple[Seating, ...] | None] = _swiss(entrants, seats, results)
    else:
        seating_groups = _repeat(lambda: groups(schedule, entrants, seats))
    return _first_games(_numbered(seating_groups), games)


def _first_games(pairings: Iterator[Pairing | None], games: int) -> Iterator[Pairing | None]:
    """Yield values up to the last of `games` pairings; values None do not count."""
    while games > 0:
        pairing = next(pairings)
        games -= pairing is not None
        yield pairing


def _numbered(seating_groups: Iterator[tuple[Seating, ...] | None]) -> Iterator[Pairing | None]:
    numbers, pair = count(1), 0
    for group in seating_groups:
        if group is None:
            yield None
            continue
        pair += 1
        for seating in group:
            yield Pairing(next(numbers), seating, pair)


def _repeat(cycle: Callable[[], Iterator[tuple[Seating, ...]]]) -> Iterator[tuple[Seating, ...]]:
    """Yield the groups of a cycle repeatedly, without end."""
    while True:
        yield from cycle()


def _rotations(seating: Seating) -> tuple[Seating, ...]:
    """Return the different rotations of a seating."""
    rotations = (seating[at:] + seating[:at] for at in range(len(seating)))
    return tuple(dict.fromkeys(rotations))


def _arrangements(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield seatings with more seats than entrants: one seating of each group of rotations.

    The entrants' numbers of seats differ by at most 1.
    """
    least, most = seats // entrants, -(-seats // entrants)
    for seating in product(range(entrants), repeat=seats):
        if seating == min(_rotations(seating)) and all(
            least <= seating.count(entrant) <= most for entrant in range(entrants)
        ):
            yield seating


def _circle(entrants: int) -> Iterator[Seating]:
    """Yield all tables of two, in rounds in which each entrant plays once (the circle method)."""
    circle: list[int | None] = list(range(entrants))
    if entrants % 2:
        circle.append(None)  # this entrant's opponent has a bye
    half = len(circle) // 2
    for _ in range(len(circle) - 1):
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is not None and other is not None:
                yield (min(one, other), max(one, other))
        circle.insert(1, circle.pop())


def _balanced_order(tables: Iterator[Seating]) -> list[Seating] | Iterator[Seating]:
    """Order tables so that at any time all entrants have played about equally often.

    More than `_MAX_STRIDE` tables keep their order.
    """
    first = list(islice(tables, _MAX_STRIDE + 1))
    if len(first) > _MAX_STRIDE:
        return chain(first, tables)
    size = len(first)
    if size <= _MAX_GREEDY:
        return _greedy_order(first)
    lowest = max(1, round(size * _GOLDEN))
    # A stride without a common divisor visits every table.
    stride = next((n for n in range(lowest, size) if math.gcd(n, size) == 1), 1)
    return [first[at * stride % size] for at in range(size)]


def _greedy_order(tables: list[Seating]) -> list[Seating]:
    """Order tables by repeatedly choosing the table whose entrants have played least."""
    counts: Counter[int] = Counter()
    remaining, ordered = list(tables), []
    while remaining:
        best = min(
            remaining,
            key=lambda table: sorted((counts[entrant] for entrant in table), reverse=True),
        )
        remaining.remove(best)
        counts.update(best)
        ordered.append(best)
    return ordered


# --- Swiss ----------------------------------------------------------------------------------


def swiss_rounds(entrants: int, seats: int, games: int) -> tuple[int, int]:
    """Return the number of complete rounds, at least 1, in `games`, and the games of a round."""
    games_per_round = entrants // seats * seats
    return max(1, games // max(games_per_round, 1)), games_per_round


def _swiss(entrants: int, seats: int, results: Results) -> Iterator[tuple[Seating, ...] | None]:
    """Yield rounds in which entrants with similar scores meet, if possible for the first time."""
    scores = [0.0] * entrants
    bye_counts = [0] * entrants
    met: dict[frozenset[int], int] = {}  # the number of tables by pair of entrants
    number = 0  # of the last game
    while True:
        ranking = sorted(range(entrants), key=lambda entrant: (-scores[entrant], entrant))
        byes = _byes(ranking, bye_counts, entrants % seats)
        for entrant in byes:
            bye_counts[entrant] += 1
            scores[entrant] += 1.0  # the mean score of an entrant in a group
        tables = _tables([entrant for entrant in ranking if entrant not in byes], seats, met)
        before = number
        for table in tables:
            number += seats
            for pair in combinations(table, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
            yield _rotations(table)
        while not all(game in results for game in range(before + 1, number + 1)):
            yield None
        for game in range(before + 1, number + 1):
            for entrant, score in results[game].items():
                scores[entrant] += score


def _byes(ranking: Sequence[int], bye_counts: Sequence[int], number_of_byes: int) -> set[int]:
    """Return the entrants that get the next byes: the fewest byes first, then the lowest rank."""
    order = sorted(reversed(ranking), key=lambda entrant: bye_counts[entrant])
    return set(order[:number_of_byes])


def _tables(ranking: list[int], seats: int, met: Mapping[frozenset[int], int]) -> list[Seating]:
    """Fill tables from the top of the ranking with entrants that have met each other least."""
    if seats == 2 and (new_pairs := _new_pairs(ranking, met)) is not None:
        return new_pairs
    tables = []
    free = list(ranking)
    while free:
        table = [free.pop(0)]
        while len(table) < seats:
            order = sorted(
                range(len(free)),
                key=lambda at: (
                    sum(met.get(frozenset((free[at], entrant)), 0) for entrant in table),
                    at,
                ),
            )
            table.append(free.pop(order[0]))
        tables.append(tuple(table))
    return tables


def _new_pairs(ranking: list[int], met: Mapping[frozenset[int], int]) -> list[Seating] | None:
    """Pair entrants that have not met, from the top of the ranking; None if impossible."""
    steps = count()

    def pair(free: list[int]) -> list[Seating] | None:
        if not free:
            return []
        first, *others = free
        for other in others:
            if next(steps) > _MAX_STEPS:
                return None
            if frozenset((first, other)) in met:
                continue
            further_pairs = pair([entrant for entrant in others if entrant != other])
            if further_pairs is not None:
                return [(first, other), *further_pairs]
        return None

    return pair(ranking)
