"""Best-reply search compared with a plain search, in bundled games and unusual test scripts."""

from __future__ import annotations

import pytest

from forthvm import engines
from forthvm.game import Position
from tests.engines.best_reply import BestReply, Variants
from tests.engines.reference import Budget, Node, Rules, TooBigError, TwoSides, late_positions
from tests.engines.test_search_against_minimax import EXTENSION, FEATURES, spec
from tests.kit.every_game import slow_variants
from tests.kit.games import loaded

# Game, seed, maximum depth, number of positions, maximum size of a tree.
BUNDLED = [
    ("splut", 1, 3, 2, 1500),
    ("splut-official", 3, 2, 2, 1500),
    ("splut-partial", 2, 3, 2, 1500),
    ("splut-three", 3, 3, 2, 1500),
    ("splut-three-official", 2, 2, 2, 1500),
    ("yonin-shogi", 1, 1, 1, 3000),
    ("yonin-shogi-capture", 2, 1, 1, 3000),
    ("yonin-shogi-last", 2, 1, 1, 3000),
    ("yonin-shogi-partners", 2, 2, 1, 3000),
]
UNUSUAL = [
    ("three-turns", 1, 4, 4, 4000),
    ("three-turns", 3, 4, 4, 4000),
    ("three-dice", 1, 3, 4, 4000),
    ("three-dice", 2, 4, 3, 4000),
    ("exact-throw", 1, 4, 3, 4000),
]
# No feature; each feature alone except repetition; the six features that do not change values; and
# all features except repetition.
SETTINGS = ((), *((feature,) for feature in FEATURES[:-1]), FEATURES[:-2], FEATURES[:-1])


def rules_of(features: tuple[str, ...]) -> Rules:
    return Rules(quiescence="quiescence" in features, extension=EXTENSION)


def small_trees(
    name: str, seed: int, max_depth: int, expected_count: int, max_size: int
) -> list[tuple[Node, int]]:
    """Return late positions, each with the greatest depth for which its tree is small enough."""
    results: list[tuple[Node, int]] = []
    for position in late_positions(loaded(name).start(), seed, max_turns=60, step=2):
        for depth in range(max_depth, 0, -1):
            root = Node(position, Budget(max_size))
            try:
                BestReply(root, Rules(quiescence=True, extension=EXTENSION)).move_values(depth)
            except TooBigError:
                continue
            results.append((root, depth))
            break
        if len(results) == expected_count:
            break
    assert results, "no position was small enough"
    return results


def check(position: Position, depth: int, features: tuple[str, ...], values: list[int]) -> None:
    """Check that the engine plays a move of the greatest value, given the values of all moves."""
    for seed in (0, 5):
        result = engines.get(f"brs:depth={depth},{spec(*features, seed=seed)}").play(position)
        where = f"{position!r}, depth {depth}, {features}"
        assert result.score == max(values), where
        assert values[result.move.index] == max(values), where


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "max_depth", "expected_count", "max_size"),
    slow_variants([*BUNDLED, *UNUSUAL]),
)
def test_best_reply_search_equals_a_plain_search(
    name: str, seed: int, max_depth: int, expected_count: int, max_size: int
) -> None:
    for root, depth in small_trees(name, seed, max_depth, expected_count, max_size):
        values_by_rules: dict[Rules, list[int]] = {}
        for features in SETTINGS:
            rules = rules_of(features)
            if rules not in values_by_rules:
                plain = BestReply(Node(root.position, Budget(60_000)), rules)
                values_by_rules[rules] = plain.move_values(depth)
            check(root.position, depth, features, values_by_rules[rules])


ENDING = [
    ("South", "king", "e1"),
    ("South", "silver", "e3"),
    ("West", "king", "a5"),
    ("West", "gold", "c4"),
    ("North", "king", "f9"),
    ("North", "pawn", "e5"),
    ("East", "king", "i4"),
    ("East", "silver", "f4"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("yonin-shogi", "South"),
        ("yonin-shogi", "East"),
        ("yonin-shogi-capture", "East"),
        ("yonin-shogi-last", "South"),
        ("yonin-shogi-partners", "South"),
    ],
)
def test_endings_of_yonin_shogi_equal_a_plain_search(name: str, turn: str) -> None:
    """With few pieces, the tree is small enough for a search that reaches the replies."""
    position = loaded(name).start(setup=ENDING, turn=turn)
    values = BestReply(Node(position, Budget(30_000)), Rules()).move_values(2)
    paranoid = TwoSides(Node(position, Budget(30_000)), Rules()).move_values(2)
    assert values != paranoid  # the next player is not always the one that replies
    check(position, 2, (), values)
    check(position, 2, FEATURES[:-2], values)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_reply_includes_all_partial_moves(seed: int) -> None:
    for position in late_positions(loaded("three-halves").start(), seed, max_turns=30, step=3)[:5]:
        for depth in (2, 3):
            values = BestReply(Node(position, Budget(60_000)), Rules()).move_values(depth)
            check(position, depth, (), values)
            check(position, depth, FEATURES[:-2], values)


@pytest.mark.slow
def test_reference_differs_from_wrong_variants() -> None:
    """In the variants, a reply ends after its first partial move, or all opponents reply."""
    different_replies, different_paranoid = 0, 0
    for position in late_positions(loaded("three-halves").start(), 1, max_turns=30, step=3)[:5]:
        values = BestReply(Node(position, Budget(60_000)), Rules()).move_values(2)
        first_steps = BestReply(
            Node(position, Budget(60_000)), Rules(), Variants(ends_after_first_step=True)
        )
        different_replies += values != first_steps.move_values(2)
        paranoid = TwoSides(Node(position, Budget(60_000)), Rules())
        different_paranoid += values != paranoid.move_values(2)
    assert different_replies
    assert different_paranoid


def test_best_reply_search_of_two_players_equals_minimax() -> None:
    """With one opponent, best-reply search skips no player, as the paper states."""
    for position in late_positions(loaded("two-dice").start(), 1, step=3)[:4]:
        values = TwoSides(Node(position, Budget(20_000)), Rules()).move_values(3)
        assert engines.get(f"brs:depth=3,{spec()}").play(position).score == max(values)


def test_scores_equal_scores_computed_by_hand() -> None:
    """Ann moves once; then either Bob or Cid replies with a single step."""
    setup = [("Ann", "walker", "c1"), ("Bob", "walker", "a3"), ("Cid", "walker", "e2")]
    position = loaded("three-turns").start(setup=setup, turn=1)  # Ann's second turn in a row
    assert sorted(str(move) for move in position.legal_moves) == [
        "walker c1 - b1",
        "walker c1 - c2",
        "walker c1 - d1",
    ]
    values = BestReply(Node(position, Budget(1000)), Rules()).move_values(2)
    by_move = dict(zip([str(move) for move in position.legal_moves], values, strict=True))
    # The value for Ann is the minimum after any single step of Bob or Cid.  OnEvaluate adds 5 times
    # the column squared and 3 times the row for each walker: twice for Ann, negated for the others.
    column_values = {letter: 5 * n * n for n, letter in enumerate("abcde")}
    row_values = {"3": 0, "2": 3, "1": 6}

    def evaluation(ann: str, bob: str, cid: str) -> int:
        a, b, c = (column_values[square[0]] + row_values[square[1]] for square in (ann, bob, cid))
        return 2 * a - b - c

    steps_of_bob, steps_of_cid = ("b3", "a2"), ("d2", "e3", "e1")
    for text, value in by_move.items():
        ann = text.split(" - ")[1]
        replies = [evaluation(ann, bob, "e2") for bob in steps_of_bob]
        replies += [evaluation(ann, "a3", cid) for cid in steps_of_cid]
        assert value == min(replies), text
    result = engines.get("brs:depth=2,quiescence=0").play(position)
    assert result.score == max(values)
    assert str(result.move) == max(by_move, key=by_move.__getitem__)
