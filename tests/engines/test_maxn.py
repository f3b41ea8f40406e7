"""More than two players: paranoid and max^n compared with plain searches."""

from __future__ import annotations

import pytest

import forthvm
from forthvm import engines
from forthvm.game import Position
from tests.engines.reference import (
    WIN,
    Budget,
    MaxN,
    Node,
    Rules,
    TooBigError,
    TwoSides,
    late_positions,
)
from tests.engines.test_search_against_minimax import FEATURES, spec
from tests.kit.every_game import slow_variants
from tests.kit.games import loaded, play

EXTENSION = 2
"""The maximum number of plies of the quiescence search."""

# Game, seed, maximum depth, maximum number of positions, maximum size of a tree.
GAMES = [
    ("three-dice", 1, 3, 4, 900),
    ("three-dice", 2, 3, 4, 900),
    ("splut", 1, 3, 1, 900),
    ("splut-partial", 2, 2, 2, 900),
    ("splut-three", 3, 2, 2, 900),
    ("yonin-shogi", 1, 2, 1, 900),
    ("yonin-shogi-partners", 2, 2, 1, 500),
    ("splut-official", 4, 2, 1, 900),
    ("splut-three-official", 5, 2, 1, 900),
    ("yonin-shogi-capture", 3, 2, 1, 900),
    ("yonin-shogi-last", 4, 2, 1, 900),
    ("three-turns", 1, 4, 4, 900),
    ("three-halves", 1, 2, 2, 900),
]


def small_positions(
    name: str, seed: int, max_depth: int, max_count: int, max_size: int
) -> list[tuple[Position, int, Node]]:
    """Return late positions, each with the greatest depth for which its tree is small enough."""
    results: list[tuple[Position, int, Node]] = []
    for position in late_positions(loaded(name).start(), seed, max_turns=60, step=2):
        for depth in range(max_depth, 0, -1):
            root = Node(position, Budget(max_size))
            try:
                rules = Rules(quiescence=True, extension=EXTENSION)
                MaxN(root, rules).move_values(depth)
                TwoSides(root, Rules()).move_values(depth)
            except TooBigError:
                continue
            root.budget.remaining = 100_000  # the test expands the tree further, by other rules
            results.append((position, depth, root))
            break
        if len(results) == max_count:
            break
    assert results, "no position was small enough"
    return results


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "max_depth", "max_count", "max_size"), slow_variants(GAMES)
)
def test_paranoid_and_maxn_equal_plain_searches(
    name: str, seed: int, max_depth: int, max_count: int, max_size: int
) -> None:
    for position, depth, root in small_positions(name, seed, max_depth, max_count, max_size):
        where = f"{position!r}, depth {depth}"
        for features in (
            (),
            *((feature,) for feature in FEATURES[:-1]),
            ("tt", "pvs"),
            FEATURES[:-1],
        ):
            rules = Rules(quiescence="quiescence" in features, extension=EXTENSION)
            plain = TwoSides(root, rules).move_values(depth)
            result = engines.get(f"paranoid:depth={depth},{spec(*features)}").play(position)
            assert result.score == max(plain), f"{where}, {features}"
            assert plain[result.move.index] == max(plain), f"{where}, {features}"

            maxn_values = MaxN(root, rules).move_values(depth)
            best_value = max(each[root.viewer] for each in maxn_values)
            result = engines.get(f"maxn:depth={depth},{spec(*features)}").play(position)
            assert result.score == best_value, f"{where}, maxn {features}"
            assert maxn_values[result.move.index] == result.info["scores"], (
                f"{where}, maxn {features}"
            )


def test_paranoid_equals_negamax_for_three_players() -> None:
    position = play(loaded("three-dice").start(), "= two")
    paranoid = engines.get("paranoid:depth=4").play(position)
    negamax = engines.get("negamax:depth=4").play(position)
    assert paranoid.score == negamax.score
    assert paranoid.nodes == negamax.nodes
    assert paranoid.pv == negamax.pv


def test_each_line_has_the_scores_of_all_players() -> None:
    position = play(loaded("three-dice").start(), "= two")
    plain = MaxN(Node(position, Budget(100_000)), Rules()).move_values(2)
    reports: list[engines.Info] = []
    engines.get(f"maxn:depth=2,lines=3,{spec()}").play(position, report=reports.append)
    last = [info for info in reports if info.depth == 2]
    texts = position.legal_moves.texts
    assert [info.line for info in last] == list(range(len(texts)))[:3]
    assert [info.scores for info in last] == [plain[texts.index(info.pv[0])] for info in last]


def test_maxn_visits_each_position_once() -> None:
    # Nothing is pruned, and no root move is searched twice in an iteration.  The engine's number of
    # nodes is the sum over its iterations to depth 1 and 2, without the roots.
    position = play(loaded("three-dice").start(), "= two")
    visited = 0
    for depth in (1, 2):
        budget = Budget(100_000)
        root = Node(position, budget)
        before = budget.remaining
        MaxN(root, Rules()).move_values(depth)
        visited += before - budget.remaining
    for options in (spec(), spec("pvs")):
        assert engines.get(f"maxn:depth=2,{options}").play(position).nodes == visited, options


@pytest.mark.parametrize("engine", ["paranoid", "maxn", "brs"])
def test_all_engines_choose_a_win_in_one(engine: str) -> None:
    game = loaded("three-dice")
    setup = [
        ("?Dice", "one", "a1"),
        ("Ann", "runner", "a7"),
        ("Ann", "runner", "e4"),
        ("Bob", "runner", "b6"),
        ("Cid", "runner", "a5"),
    ]
    position = game.start(setup=setup, turn=1)
    assert position.turn == "Ann"
    result = engines.get(f"{engine}:depth=3").play(position)
    assert str(result.move) == "runner e4 - f4"
    assert result.score == WIN  # in games of chance, a win has this score at any depth


def test_maxn_of_two_players_equals_minimax() -> None:
    for position in late_positions(forthvm.load("tictactoe").start(), 3)[:4]:
        plain = TwoSides(Node(position, Budget(20_000)), Rules()).move_values(9)
        assert engines.get(f"maxn:depth=9,{spec()}").play(position).score == max(plain)
