"""Who plays whom, in which seat, in which order: pure functions of a match's settings.

Owns the numbers of games and the pairs they form.  It must not know games, engines or files.

A *group* is a handful of games of the same entrants in the same circular order, each sitting
once in every seat: with two seats the pair of games with sides exchanged.  Its games share the
opening and the luck.  A *cycle* has every group once; then each entrant has sat in each seat,
and each has met each in every order of turns, equally often.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count, islice, permutations, product

__all__ = ["Pairing", "Results", "cycle_length", "groups", "pairings", "swiss_rounds"]

Seating = tuple[int, ...]
"""Entrant in each seat, by place in the list of entrants."""
Results = Mapping[int, Mapping[int, float]]
"""Number of a finished game to the scores of its entrants."""

_VERY_FEW, _FEW = 300, 20_000
"""Combinations up to these numbers are put into an order that evens them out, or mixes them."""
_MOST_STEPS = 20_000
"""In looking for pairs; whoever has met nearly everybody needs no perfect answer."""
_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Pairing:
    """A game that is to be played."""

    number: int
    """From 1."""
    seats: Seating
    pair: int
    """Number of its group, from 1."""


def groups(schedule: str, entrants: int, seats: int) -> Iterator[tuple[Seating, ...]]:
    """The groups of a cycle.

    Args:
        schedule: `round-robin`, `gauntlet` (the first entrant plays in every game) or `fixed`
            (the seats as the entrants were named, never exchanged).
        entrants: How many there are.
        seats: Players of the game.

    >>> list(groups("round-robin", 3, 2))
    [((1, 2), (2, 1)), ((0, 2), (2, 0)), ((0, 1), (1, 0))]
    >>> next(groups("round-robin", 2, 3))
    ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    """
    if schedule == "fixed":
        yield (tuple(at % entrants for at in range(seats)),)
        return
    if entrants <= seats:
        for seating in _mixed(_arrangements(entrants, seats)):
            yield _rotations(seating)
        return
    tables = _circle(entrants) if seats == 2 else _mixed(combinations(range(entrants), seats))  # noqa: PLR2004
    chosen = [table for table in tables if schedule != "gauntlet" or 0 in table]
    for order in permutations(range(1, seats)):
        for table in chosen:
            yield _rotations((table[0], *(table[at] for at in order)))


def cycle_length(schedule: str, entrants: int, seats: int) -> int:
    """Games of a cycle."""
    if entrants > seats and schedule != "fixed":
        tables = math.comb(entrants, seats)
        if schedule == "gauntlet":
            tables = math.comb(entrants - 1, seats - 1)
        return tables * math.factorial(seats)
    return sum(len(group) for group in groups(schedule, entrants, seats))


def pairings(
    schedule: str, entrants: int, seats: int, games: int, results: Results
) -> Iterator[Pairing | None]:
    """The games of a match by number.

    None means that the next ones are not known yet: they depend on games that are still to
    come into `results`, which the caller fills.

    >>> [each.seats for each in pairings("round-robin", 2, 2, 3, {})]
    [(0, 1), (1, 0), (0, 1)]
    """
    if schedule == "swiss":
        found: Iterator[tuple[Seating, ...] | None] = _swiss(entrants, seats, results)
    else:
        found = _for_ever(lambda: groups(schedule, entrants, seats))
    return islice_known(_numbered(found), games)


def islice_known(found: Iterator[Pairing | None], games: int) -> Iterator[Pairing | None]:
    """The first `games` pairings, with what is not known yet between them."""
    while games > 0:
        pairing = next(found)
        games -= pairing is not None
        yield pairing


def _numbered(found: Iterator[tuple[Seating, ...] | None]) -> Iterator[Pairing | None]:
    numbers, pair = count(1), 0
    for group in found:
        if group is None:
            yield None
            continue
        pair += 1
        for seating in group:
            yield Pairing(next(numbers), seating, pair)


def _for_ever(cycle: Callable[[], Iterator[tuple[Seating, ...]]]) -> Iterator[tuple[Seating, ...]]:
    while True:
        yield from cycle()


def _rotations(seating: Seating) -> tuple[Seating, ...]:
    """A seating and what comes of it when everybody moves on by a seat, each once."""
    turned = (seating[at:] + seating[:at] for at in range(len(seating)))
    return tuple(dict.fromkeys(turned))


def _arrangements(entrants: int, seats: int) -> Iterator[Seating]:
    """One of each circle in which everybody sits equally often, or once more than others."""
    least, most = seats // entrants, -(-seats // entrants)
    for seating in product(range(entrants), repeat=seats):
        if seating == min(_rotations(seating)) and all(
            least <= seating.count(each) <= most for each in range(entrants)
        ):
            yield seating


def _circle(entrants: int) -> Iterator[Seating]:
    """All pairs, round by round: in each round everybody plays once (the circle method)."""
    places: list[int | None] = list(range(entrants))
    if entrants % 2:
        places.append(None)  # who meets nobody has a bye
    half = len(places) // 2
    for _ in range(len(places) - 1):
        for one, other in zip(places[:half], reversed(places[half:]), strict=True):
            if one is not None and other is not None:
                yield (min(one, other), max(one, other))
        places.insert(1, places.pop())


def _mixed(tables: Iterator[Seating]) -> list[Seating] | Iterator[Seating]:
    """In an order in which any beginning has everybody about equally often."""
    first = list(islice(tables, _FEW + 1))
    if len(first) > _FEW:
        return _chained(first, tables)
    size = len(first)
    if size <= _VERY_FEW:
        return _evened(first)
    step = next(
        (each for each in range(max(1, round(size * _GOLDEN)), size) if math.gcd(each, size) == 1),
        1,
    )
    return [first[at * step % size] for at in range(size)]


def _evened(tables: list[Seating]) -> list[Seating]:
    """Each time the table whose members have sat down least."""
    counts: Counter[int] = Counter()
    left, found = list(tables), []
    while left:
        best = min(left, key=lambda table: sorted((counts[each] for each in table), reverse=True))
        left.remove(best)
        counts.update(best)
        found.append(best)
    return found


def _chained(first: Sequence[Seating], rest: Iterator[Seating]) -> Iterator[Seating]:
    yield from first
    yield from rest


# --- Swiss ----------------------------------------------------------------------------------


def swiss_rounds(entrants: int, seats: int, games: int) -> tuple[int, int]:
    """How many whole rounds fit into `games`, at least one, and the games of each."""
    each = entrants // seats * seats
    return max(1, games // max(each, 1)), each


def _swiss(entrants: int, seats: int, results: Results) -> Iterator[tuple[Seating, ...] | None]:
    """Round by round: those with about the same score meet, if they can those who have not met."""
    scores = [0.0] * entrants
    idle = [0] * entrants
    met: dict[frozenset[int], int] = {}
    number = 0
    while True:
        ranking = sorted(range(entrants), key=lambda each: (-scores[each], each))
        resting = _resting(ranking, idle, entrants % seats)
        for each in resting:
            idle[each] += 1
            scores[each] += 1.0  # as if he had been among equals: one point for a group
        tables = _tables([each for each in ranking if each not in resting], seats, met)
        before = number
        for table in tables:
            number += seats
            for pair in combinations(table, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
            yield _rotations(table)
        while not all(game in results for game in range(before + 1, number + 1)):
            yield None
        for game in range(before + 1, number + 1):
            for each, score in results[game].items():
                scores[each] += score


def _resting(ranking: Sequence[int], idle: Sequence[int], many: int) -> set[int]:
    """The lowest of those who have rested least."""
    order = sorted(reversed(ranking), key=lambda each: idle[each])
    return set(order[:many])


def _tables(ranking: list[int], seats: int, met: Mapping[frozenset[int], int]) -> list[Seating]:
    """Tables from the top: to the first who is free come those he has met least, best first.

    With two seats nobody meets anybody again as long as that can be avoided.
    """
    if seats == 2 and (fresh := _fresh_pairs(ranking, met)) is not None:  # noqa: PLR2004
        return fresh
    tables = []
    free = list(ranking)
    while free:
        table = [free.pop(0)]
        while len(table) < seats:
            order = sorted(
                range(len(free)),
                key=lambda at: (
                    sum(met.get(frozenset((free[at], each)), 0) for each in table),
                    at,
                ),
            )
            table.append(free.pop(order[0]))
        tables.append(tuple(table))
    return tables


def _fresh_pairs(ranking: list[int], met: Mapping[frozenset[int], int]) -> list[Seating] | None:
    """Pairs who have not met, the best among equals first; None if there is no such pairing."""
    steps = count()

    def pair(free: list[int]) -> list[Seating] | None:
        if not free:
            return []
        first, *others = free
        for other in others:
            if next(steps) > _MOST_STEPS:
                return None
            if frozenset((first, other)) in met:
                continue
            rest = pair([each for each in others if each != other])
            if rest is not None:
                return [(first, other), *rest]
        return None

    return pair(ranking)
