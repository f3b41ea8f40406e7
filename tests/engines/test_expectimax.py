"""Games of chance: the search in C computes the exact mean over chance outcomes."""

from __future__ import annotations

import pytest

from forthvm import engines
from forthvm.engines import Limits
from tests.engines.reference import Budget, Node, Rules, TooBigError, TwoSides, late_positions, mean
from tests.engines.test_search_against_minimax import FEATURES, spec
from tests.kit.every_game import slow_variants
from tests.kit.games import loaded, play

WIN = 2130000000
"""The value of a won game; in games of chance, it does not depend on the ply."""


# Game, seed of the random game, depth, number of positions, maximum size of a tree.
GAMES = [
    ("two-dice", 1, 4, 4, 4000),
    ("two-dice", 2, 3, 4, 4000),
    ("backgammon", 1, 1, 3, 4000),
    ("ur", 5, 1, 1, 4000),
    ("ur-aggressive", 5, 1, 1, 4000),
    ("ur-finkel", 1, 1, 3, 500),
    ("ur-finkel", 2, 1, 3, 500),
    ("ur-script", 5, 1, 1, 4000),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "depth", "expected_count", "max_size"), slow_variants(GAMES)
)
def test_search_equals_expectimax(
    name: str, seed: int, depth: int, expected_count: int, max_size: int
) -> None:
    compared = 0
    for position in late_positions(loaded(name).start(), seed, step=2):
        root = Node(position, Budget(max_size))
        try:
            plain = TwoSides(root, Rules()).move_values(depth)
        except TooBigError:
            continue
        for features in (*((feature,) for feature in FEATURES[:-2]), (), FEATURES[:-2]):
            result = engines.get(f"negamax:depth={depth},{spec(*features)}").play(position)
            assert result.score == max(plain), f"{position!r} {features}"
            assert plain[result.move.index] == max(plain)
        compared += 1
        if compared == expected_count:
            return
    assert compared


def test_scores_equal_a_computation_move_by_move() -> None:
    # Ann has thrown a two, and moves first.  Bob's runner on d2 reaches its goal by a two.
    game = loaded("two-dice")
    setup = [
        ("?Dice", "two", "a1"),
        ("Ann", "runner", "a7"),
        ("Ann", "runner", "b4"),
        ("Bob", "runner", "d2"),
        ("Bob", "runner", "a3"),
    ]
    position = game.start(setup=setup, turn=0)
    # Ann moves a7 - c7 or b4 - d4.  Then Bob wins if it throws a two.  If it throws a one, it
    # chooses the better of d2 - e2 and a3 - b3.
    root = Node(position, Budget(1000))
    assert [str(move) for move in position.legal_moves] == ["runner a7 - c7", "runner b4 - d4"]
    expected = []
    for index in range(2):
        after_ann = position.copy()
        after_ann.push(after_ann.legal_moves[index])
        values_of_throws = []
        for throw in range(2):
            after_throw = after_ann.copy()
            after_throw.push(after_throw.legal_moves[throw])
            values_of_moves = []
            for move in list(after_throw.legal_moves):
                after_bob = play(after_throw.copy(), move)
                if after_bob.result is not None:
                    assert after_bob.result.winners == ("Bob",)
                    values_of_moves.append(-WIN)
                    continue
                # The search evaluates the positions after the throw for Ann.
                evaluations = []
                for outcome in list(after_bob.legal_moves):
                    leaf = play(after_bob.copy(), outcome)
                    evaluations.append(Node(leaf, Budget(1)).evaluation())
                values_of_moves.append(mean(evaluations))
            values_of_throws.append(min(values_of_moves))
        expected.append(mean(values_of_throws))
    assert min(expected) < -WIN // 3  # half of a loss
    assert TwoSides(root, Rules()).move_values(2) == expected
    result = engines.get("negamax:depth=2,quiescence=0").play(position)
    assert result.score == max(expected)


# Best-reply search needs more than two players.
SAMPLING = [("negamax", "two-dice"), ("maxn", "three-dice"), ("brs", "three-dice")]


@pytest.mark.parametrize(("engine", "game"), SAMPLING)
def test_sampling_all_outcomes_equals_no_sampling(engine: str, game: str) -> None:
    for position in late_positions(loaded(game).start(), 3)[:3]:
        all_outcomes = engines.get(f"{engine}:depth=3").play(position)
        for samples in (2, 50):
            sampled = engines.get(f"{engine}:depth=3,samples={samples}").play(position)
            assert sampled.score == all_outcomes.score


@pytest.mark.parametrize(("engine", "game"), SAMPLING)
def test_samples_depend_on_the_seed(engine: str, game: str) -> None:
    # In this position the values of the throws differ, so the result depends on the sampled throw.
    position = late_positions(loaded(game).start(), 1)[-2]
    spec_with_seed = f"{engine}:depth=3,samples=1,tt=0,quiescence=0,seed={{}}".format
    scores = [engines.get(spec_with_seed(seed)).play(position).score for seed in range(1, 13)]
    repeated = [engines.get(spec_with_seed(seed)).play(position).score for seed in range(1, 13)]
    assert scores == repeated
    assert len(set(scores)) > 1


def test_single_replies_to_throws_do_not_extend_the_search() -> None:
    # After each throw there is a single legal move.  If single moves extended the search, the
    # number of positions would grow exponentially, and a search to depth 1 would not end.
    for position in late_positions(loaded("ur-finkel").start(), 1, step=4)[6:9]:
        result = engines.get("negamax:depth=1").play(position, Limits(nodes=100_000))
        assert not result.info["stopped"], repr(position)


def test_search_ends_although_players_may_pass_forever() -> None:
    # All players may wait for an exact throw forever; the horizon still limits the search.
    game = loaded("exact-throw")
    setup = [
        ("?Dice", "two", "a1"),
        ("Ann", "runner", "e7"),
        ("Bob", "runner", "e5"),
        ("Cid", "runner", "e3"),
    ]
    position = game.start(setup=[*setup, ("Ann", "runner", "c6")], turn=1)
    for engine in ("negamax", "maxn"):
        result = engines.get(f"{engine}:depth=2,quiescence=0,repetition=0").play(
            position, Limits(depth=2, nodes=100_000)
        )
        assert not result.info["stopped"], engine
        assert result.nodes < 1000
