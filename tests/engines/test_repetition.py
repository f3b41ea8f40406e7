"""Repetition on the path from the root counts as a draw, in native and plain search.

The scripts shuttle: in two-and-one.4th a round is three turns, so the root comes back after six;
in outside.4th plain variables have to come back as well; turn-number.4th looks at the number of
the turn, which never comes back, but does not make another position of it.

What a position is worth depends then on the way to it, of which a table knows nothing: with both
switched on values may differ, but no draw may come out of a table that is none.
"""

from __future__ import annotations

import pytest

from forthvm import engines
from tests.engines.reference import Budget, Node, Rules, TooBigError, TwoSides
from tests.engines.test_odd_games import positions
from tests.engines.test_search_against_minimax import EXTENSION, FEATURES, spec

CASES = [
    ("two-and-one", 6, 3, 3),
    ("outside", 5, 1, 6),
    ("outside", 6, 3, 6),
    ("turn-number", 4, 3, 6),
    ("turn-number", 5, 1, 4),
]
ALL_BUT_TABLE = tuple(name for name in FEATURES if name != "tt")


def exact(name: str, depth: int, seed: int, wanted: int, on: tuple[str, ...]) -> None:
    rules = Rules(quiescence="quiescence" in on, extension=EXTENSION, repetition=True)
    found = 0
    for position in positions(name, seed, wanted):
        try:
            values = TwoSides(Node(position, Budget(12_000)), rules).move_values(depth)
        except TooBigError:
            continue
        result = engines.get(f"negamax:depth={depth},{spec(*on)}").play(position)
        assert result.score == max(values), repr(position)
        assert values[result.move.index] == max(values), repr(position)
        found += 1
    assert found


@pytest.mark.parametrize(("name", "depth", "seed", "wanted"), CASES)
def test_equals_minimax_with_repetition(name: str, depth: int, seed: int, wanted: int) -> None:
    exact(name, depth, seed, wanted, ("repetition",))


@pytest.mark.parametrize(("name", "depth", "seed", "wanted"), CASES[1:])
def test_all_features_without_the_table(name: str, depth: int, seed: int, wanted: int) -> None:
    exact(name, depth, seed, wanted, ALL_BUT_TABLE)


@pytest.mark.parametrize(("name", "depth", "seed", "wanted"), CASES[1:])
def test_table_does_not_store_repetition_draws(
    name: str, depth: int, seed: int, wanted: int
) -> None:
    rules = Rules(repetition=True)
    for position in positions(name, seed, wanted):
        values = TwoSides(Node(position, Budget(60_000)), rules).move_values(depth)
        score = (
            engines.get(f"negamax:depth={depth},{spec('tt', 'repetition')}").play(position).score
        )
        assert score != 0 or max(values) == 0, repr(position)
