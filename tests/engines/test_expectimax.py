"""Games of chance: the native search computes the exact mean over chance outcomes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.engines import Limits
from forthvm.game import Game
from tests.engines.reference import Budget, Node, Rules, TooBigError, TwoSides, late_positions, mean
from tests.engines.test_search_against_minimax import FEATURES, spec
from tests.every_game import slow_variants

SCRIPTS = Path(__file__).parent / "scripts"
WIN = 2130000000


@cache
def loaded(name: str) -> Game:
    script = SCRIPTS / f"{name}.4th"
    return forthvm.load(script if script.exists() else name)


GAMES = [
    ("two-dice", 1, 4, 4, 4000),
    ("two-dice", 2, 3, 4, 4000),
    ("ur", 5, 1, 1, 4000),
    ("ur-aggressive", 5, 1, 1, 4000),
    ("ur-finkel", 1, 1, 3, 500),
    ("ur-finkel", 2, 1, 3, 500),
    ("ur-script", 5, 1, 1, 4000),
]


@pytest.mark.parametrize(("name", "seed", "depth", "positions", "max_size"), slow_variants(GAMES))
def test_equals_expectimax(name: str, seed: int, depth: int, positions: int, max_size: int) -> None:
    found = 0
    for position in late_positions(loaded(name).start(), seed, step=2):
        root = Node(position, Budget(max_size))
        try:
            plain = TwoSides(root, Rules()).move_values(depth)
        except TooBigError:
            continue
        for on in (*((feature,) for feature in FEATURES[:6]), (), FEATURES[:6]):
            result = engines.get(f"negamax:depth={depth},{spec(*on)}").play(position)
            assert result.score == max(plain), f"{position!r} {on}"
            assert plain[result.move.index] == max(plain)
        found += 1
        if found == positions:
            return
    assert found


def test_scores_computed_by_hand() -> None:
    # Bob's runner on d2 reaches its goal by a two.  Ann has a two, and moves first.
    game = loaded("two-dice")
    setup = [
        ("?Dice", "two", "a1"),
        ("Ann", "runner", "a7"),
        ("Ann", "runner", "b4"),
        ("Bob", "runner", "d2"),
        ("Bob", "runner", "a3"),
    ]
    position = game.start(setup=setup, turn=0)
    # By a two: a7 - c7 or b4 - d4.  Then Bob wins by a two; by a one Bob runs d2 - e2 or
    # a3 - b3.  For a one, Bob can force the higher of the two values from Bob's view.
    root = Node(position, Budget(1000))
    assert [str(move) for move in position.legal_moves] == ["runner a7 - c7", "runner b4 - d4"]
    expected = []
    for index in range(2):
        at = position.copy()
        at.push(at.legal_moves[index])
        worth = []
        for throw in ("one a1 = one", "one a1 = two"):
            thrown = at.copy()
            thrown.push(thrown.legal_moves[0 if throw.endswith("one") else 1])
            best = []
            for move in list(thrown.legal_moves):
                end = thrown.copy()
                end.push(move)
                if end.result is not None:
                    assert end.result.winners == ("Bob",)
                    best.append(-WIN)
                    continue
                # Outcomes precede the next choice: both throws have the same value for Ann.
                values = []
                for outcome in list(end.legal_moves):
                    last = end.copy()
                    last.push(outcome)
                    values.append(Node(last, Budget(1)).evaluation())
                best.append(mean(values))
            worth.append(min(best))
        expected.append(mean(worth))
    assert min(expected) < -WIN // 3  # half of a loss
    assert TwoSides(root, Rules()).move_values(2) == expected
    result = engines.get("negamax:depth=2,quiescence=0").play(position)
    assert result.score == max(expected)


def test_sampling_all_outcomes_equals_no_sampling() -> None:
    for position in late_positions(loaded("two-dice").start(), 3)[:3]:
        all_lots = engines.get("negamax:depth=3").play(position)
        for samples in (2, 50):
            sampled = engines.get(f"negamax:depth=3,samples={samples}").play(position)
            assert sampled.score == all_lots.score


def test_samples_depend_on_the_seed() -> None:
    # In this position the values of throws differ, so one throw of two has another mean.
    position = late_positions(loaded("two-dice").start(), 1)[-2]
    spec_of = "negamax:depth=3,samples=1,tt=0,quiescence=0,seed={}".format
    scores = [engines.get(spec_of(seed)).play(position).score for seed in range(1, 13)]
    again = [engines.get(spec_of(seed)).play(position).score for seed in range(1, 13)]
    assert scores == again
    assert len(set(scores)) > 1


def test_single_replies_to_throws_do_not_extend_the_search() -> None:
    # If each throw leaves a single move, extending beyond the horizon would cost a power of the
    # number of outcomes: a search to depth 1 must end nevertheless.
    for position in late_positions(loaded("ur-finkel").start(), 1, step=4)[6:9]:
        result = engines.get("negamax:depth=1").play(position, Limits(nodes=100_000))
        assert not result.info["stopped"], repr(position)


def test_waiting_for_a_throw_ends() -> None:
    # All players may wait for a throw forever; the horizon limits the search nevertheless.
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
