"""Repetition on the path from the root counts as a draw, in native and plain search.

In the scripts, pieces move back and forth.  In two-and-one.4th a cycle has three turns, so the root
occurs again after six turns.  In outside.4th positions are equal only if variables are equal, too.
In turn-number.4th OnEvaluate reads the turn number, which does not distinguish positions.

With repetition, the value of a position depends on the path to it, which a transposition table
does not store.  With both features, values may differ from plain minimax, but the table must not
yield wrong draws.
"""

from __future__ import annotations

import pytest

from forthvm import engines
from tests.engines.reference import Budget, Node, Rules, TooBigError, TwoSides
from tests.engines.test_minimax_on_unusual_games import positions
from tests.engines.test_search_against_minimax import EXTENSION, FEATURES, spec

# Script, depth, seed of the random game, number of positions.
CASES = [
    ("two-and-one", 6, 3, 3),
    ("outside", 5, 1, 6),
    ("outside", 6, 3, 6),
    ("turn-number", 4, 3, 6),
    ("turn-number", 5, 1, 4),
]
ALL_BUT_TABLE = tuple(name for name in FEATURES if name != "tt")


def check_values(
    name: str, depth: int, seed: int, expected_count: int, features: tuple[str, ...]
) -> None:
    """Compare the values of the search with plain minimax in all positions with small trees."""
    rules = Rules(quiescence="quiescence" in features, extension=EXTENSION, repetition=True)
    compared = 0
    for position in positions(name, seed, expected_count):
        try:
            values = TwoSides(Node(position, Budget(12_000)), rules).move_values(depth)
        except TooBigError:
            continue
        result = engines.get(f"negamax:depth={depth},{spec(*features)}").play(position)
        assert result.score == max(values), repr(position)
        assert values[result.move.index] == max(values), repr(position)
        compared += 1
    assert compared


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "seed", "expected_count"), CASES)
def test_equals_minimax_with_repetition(
    name: str, depth: int, seed: int, expected_count: int
) -> None:
    check_values(name, depth, seed, expected_count, ("repetition",))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "depth", "seed", "expected_count"), CASES[1:])
def test_all_features_without_the_table(
    name: str, depth: int, seed: int, expected_count: int
) -> None:
    check_values(name, depth, seed, expected_count, ALL_BUT_TABLE)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "depth", "seed", "expected_count"), CASES[1:])
def test_table_does_not_store_repetition_draws(
    name: str, depth: int, seed: int, expected_count: int
) -> None:
    rules = Rules(repetition=True)
    for position in positions(name, seed, expected_count):
        values = TwoSides(Node(position, Budget(60_000)), rules).move_values(depth)
        score = (
            engines.get(f"negamax:depth={depth},{spec('tt', 'repetition')}").play(position).score
        )
        assert score != 0 or max(values) == 0, repr(position)
