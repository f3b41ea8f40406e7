"""Schedules: pairs and seats are balanced for all numbers of entrants."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.autoplay.match.schedule import (
    Pairing,
    cycle_length,
    groups,
    pairings,
    swiss_rounds,
)
from tests.kit.cases import each_case

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 4))
"""Numbers of entrants and seats."""


def cycle(schedule: str, entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Return the seatings of all games of a cycle."""
    return [seating for group in groups(schedule, entrants, seats) for seating in group]


def all_pairings(schedule: str, entrants: int, seats: int, games: int) -> list[Pairing]:
    """Return the games of a schedule that does not depend on results."""
    games_or_none = pairings(schedule, entrants, seats, games, {})
    return [pairing for pairing in games_or_none if pairing is not None]


@given(SIZES)
def test_in_a_cycle_each_entrant_has_each_seat_equally_often(sizes: tuple[int, int]) -> None:
    entrants, seats = sizes
    games = cycle("round-robin", entrants, seats)
    for seat in range(seats):
        counts = Counter(seating[seat] for seating in games)
        assert len(counts) == entrants
        assert len(set(counts.values())) == 1


@given(SIZES)
def test_in_a_cycle_all_entrants_meet_equally_often_in_each_pair_of_seats(
    sizes: tuple[int, int],
) -> None:
    entrants, seats = sizes
    games = cycle("round-robin", entrants, seats)
    if entrants <= seats:  # an entrant may have several seats of a game
        return
    for one, other in combinations(range(seats), 2):
        counts = Counter((seating[one], seating[other]) for seating in games)
        assert len(counts) == entrants * (entrants - 1)
        assert len(set(counts.values())) == 1


@given(SIZES)
def test_group_has_each_entrant_in_each_seat(sizes: tuple[int, int]) -> None:
    entrants, seats = sizes
    for group in groups("round-robin", entrants, seats):
        for seat in range(seats):
            games_in_seat = Counter(seating[seat] for seating in group)
            games_in_all_seats = Counter(entrant for seating in group for entrant in seating)
            # Each entrant has each seat in the same number of games.
            assert games_in_all_seats == {
                entrant: count * seats for entrant, count in games_in_seat.items()
            }


@given(SIZES)
def test_seat_counts_differ_by_at_most_one(
    sizes: tuple[int, int],
) -> None:
    entrants, seats = sizes
    for seating in cycle("round-robin", entrants, seats):
        counts = [seating.count(entrant) for entrant in range(entrants)]
        if entrants > seats:
            assert max(counts) == 1
        else:
            assert max(counts) - min(counts) <= 1


@each_case(("entrants", "seats"), [(2, 2), (5, 2), (6, 2), (4, 3), (5, 4), (4, 4)])
def test_cycle_has_all_orders_of_all_tables(entrants: int, seats: int) -> None:
    """Each selection of entrants occurs once in each of the `seats!` orders."""
    games = cycle("round-robin", entrants, seats)
    assert len(games) == len(set(games)) == comb(entrants, seats) * factorial(seats)
    assert cycle_length("round-robin", entrants, seats) == len(games)


@each_case("schedule", ["round-robin", "gauntlet", "fixed"])
@each_case(("entrants", "seats"), [(1, 2), (2, 2), (5, 2), (2, 3), (5, 3), (4, 4)])
def test_cycle_length_is_the_number_of_games(schedule: str, entrants: int, seats: int) -> None:
    length = cycle_length(schedule, entrants, seats)
    assert length == len(cycle(schedule, entrants, seats))


def test_two_entrants_in_a_game_of_four_have_all_seatings() -> None:
    """Entrant 0 has any two of the four seats: six distributions."""
    games = cycle("round-robin", 2, 4)
    assert sorted(games) == sorted(
        tuple(int(seat not in seats_of_0) for seat in range(4))
        for seats_of_0 in combinations(range(4), 2)
    )


@each_case("entrants", range(2, 9))
def test_each_round_of_a_round_robin_has_each_entrant_once(entrants: int) -> None:
    """With an odd number of entrants, one of them has a bye."""
    tables = [set(group[0]) for group in groups("round-robin", entrants, 2)]
    tables_per_round = entrants // 2
    for at in range(0, len(tables), tables_per_round):
        members = [entrant for table in tables[at : at + tables_per_round] for entrant in table]
        assert len(members) == len(set(members)) == 2 * tables_per_round


def test_gauntlet_has_the_first_entrant_in_every_game() -> None:
    games = cycle("gauntlet", 5, 2)
    assert all(0 in seating for seating in games)
    assert Counter(games) == Counter(
        [(0, other) for other in range(1, 5)] + [(other, 0) for other in range(1, 5)]
    )


def test_fixed_seats_never_change() -> None:
    games = all_pairings("fixed", 2, 2, 5)
    assert [game.seats for game in games] == [(0, 1)] * 5
    assert [game.pair for game in games] == [1, 2, 3, 4, 5]


def test_games_of_a_pair_follow_each_other() -> None:
    games = all_pairings("round-robin", 3, 2, 8)
    assert [game.number for game in games] == list(range(1, 9))
    assert [game.pair for game in games] == [1, 1, 2, 2, 3, 3, 4, 4]
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first.seats == second.seats[::-1]


@given(SIZES, st.integers(1, 60))
def test_short_match_is_the_beginning_of_a_long_one(sizes: tuple[int, int], games: int) -> None:
    entrants, seats = sizes
    assert (
        all_pairings("round-robin", entrants, seats, games)
        == (all_pairings("round-robin", entrants, seats, games + 17)[:games])
    )


@pytest.mark.parametrize(("entrants", "seats"), [(8, 4), (7, 3), (9, 4)])
def test_beginning_of_a_cycle_is_about_balanced(entrants: int, seats: int) -> None:
    """After half of the tables, numbers of games differ by a factor of at most 1.5."""
    tables = [group[0] for group in groups("round-robin", entrants, seats)]
    first_half = tables[: comb(entrants, seats) // 2]
    counts = Counter(entrant for table in first_half for entrant in table)
    assert len(counts) == entrants
    assert max(counts.values()) <= 1.5 * min(counts.values())


# --- Swiss ---------------------------------------------------------------------------------------


def swiss(entrants: int, seats: int, rounds: int, strength: list[float]) -> list[list[Pairing]]:
    """Return the rounds of a tournament in which the stronger entrant wins every game."""
    results: dict[int, dict[int, float]] = {}
    games_per_round = entrants // seats * seats
    finished_rounds: list[list[Pairing]] = []
    games: list[Pairing] = []
    for pairing in pairings("swiss", entrants, seats, rounds * games_per_round, results):
        if pairing is not None:
            games.append(pairing)
            continue
        _add_results(games, results, strength)
        finished_rounds.append(games)
        games = []
    return [*finished_rounds, games] if games else finished_rounds


def _add_results(
    games: list[Pairing], results: dict[int, dict[int, float]], strength: list[float]
) -> None:
    for game in games:
        winner = max(game.seats, key=lambda entrant: strength[entrant])
        results[game.number] = {entrant: float(entrant == winner) for entrant in game.seats}


@given(st.integers(2, 12), st.integers(1, 5), st.randoms(use_true_random=False))
def test_swiss_round_has_each_entrant_once_in_each_seat(
    entrants: int, rounds: int, random: object
) -> None:
    strength = [float(entrant) for entrant in range(entrants)]
    random.shuffle(strength)  # type: ignore[attr-defined]  # hypothesis types it as object
    for games in swiss(entrants, 2, rounds, strength):
        for seat in range(2):
            counts = Counter(game.seats[seat] for game in games)
            assert set(counts.values()) == {1}
            assert len(counts) == entrants // 2 * 2


@given(st.integers(4, 12), st.integers(1, 3))
def test_short_swiss_tournament_has_no_rematches(entrants: int, rounds: int) -> None:
    """Three rounds of four or more entrants can always be arranged without rematches."""
    met = Counter(
        frozenset(game.seats)
        for games in swiss(entrants, 2, rounds, [float(entrant) for entrant in range(entrants)])
        for game in games
    )
    assert set(met.values()) == {2}  # the two games of one pair


def test_swiss_tournament_pairs_winners() -> None:
    """Eight entrants are ordered by strength: after a round, winners play winners."""
    first, second, third = swiss(8, 2, 3, [8, 7, 6, 5, 4, 3, 2, 1])
    assert {frozenset(game.seats) for game in first} == {
        frozenset(pair) for pair in [(0, 1), (2, 3), (4, 5), (6, 7)]
    }
    winners = {frozenset(game.seats) for game in second}
    assert {frozenset((0, 2)), frozenset((4, 6))} <= winners
    assert frozenset((0, 4)) in {frozenset(game.seats) for game in third}


def test_byes_rotate() -> None:
    """Five entrants, five rounds: each entrant has one bye."""
    byes = [
        ({0, 1, 2, 3, 4} - {entrant for game in games for entrant in game.seats}).pop()
        for games in swiss(5, 2, 5, [5, 4, 3, 2, 1])
    ]
    assert sorted(byes) == [0, 1, 2, 3, 4]


def test_swiss_tournament_waits_for_results() -> None:
    games = pairings("swiss", 4, 2, 8, {})
    assert [game.number for game in islice(games, 4) if game] == [1, 2, 3, 4]
    assert next(games) is None
    assert next(games) is None


def test_swiss_rounds_are_complete() -> None:
    assert swiss_rounds(5, 2, 20) == (5, 4)
    assert swiss_rounds(5, 2, 3) == (1, 4)
    assert swiss_rounds(9, 4, 30) == (3, 8)
