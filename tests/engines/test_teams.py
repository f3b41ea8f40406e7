"""Rewards and proofs in games in which allies win together, or one of three players loses.

`Position.result` contains the winners (decisions 16 and 29 in docs/decisions).  The searches must
agree with them.
"""

from __future__ import annotations

import pytest

from forthvm import engines
from forthvm.engines import Limits, MctsEngine, SearchTree, random_playouts
from forthvm.game import Position
from tests.engines.best_reply import BestReply
from tests.engines.reference import (
    WIN,
    Budget,
    MaxN,
    Node,
    Rules,
    TwoSides,
    late_positions,
)
from tests.engines.test_search_against_minimax import FEATURES, spec
from tests.kit.games import loaded, play

TEAMS = ({"Ann", "Cid"}, {"Bob", "Dan"})


def positions(name: str, seeds: int, step: int = 2, max_turns: int = 40) -> list[Position]:
    """Return four late positions, `step` turns apart, of each of several random games."""
    results: list[Position] = []
    for seed in range(1, seeds + 1):
        results += late_positions(loaded(name).start(), seed, max_turns=max_turns, step=step)[:4]
    return results


def grown(position: Position, playouts: int) -> SearchTree:
    """Return a tree grown from a position by a number of playouts."""
    tree = SearchTree(position)
    MctsEngine(seed=1, depth=60).grow(tree, Limits(nodes=playouts))
    return tree


def forced_result(position: Position, depth: int) -> int:
    """Return 1 if the mover's side wins within `depth` plies, -1 if it loses, 0 if unknown."""
    value = max(TwoSides(Node(position, Budget(60_000)), Rules()).move_values(depth))
    return 1 if value > WIN - 100 else -1 if value < -WIN + 100 else 0


# --- two teams of two ----------------------------------------------------------------------------


def test_allies_win_if_either_wins() -> None:
    setup = [("Ann", "racer", "d4"), ("Bob", "racer", "b3"), ("Cid", "racer", "c2")]
    position = play(loaded("two-pairs").start(setup=setup, turn="Ann"), "racer d4 - e4")
    assert set(position.result.winners) == {"Ann", "Cid"}


@pytest.mark.slow
@pytest.mark.parametrize("features", [(), *((name,) for name in FEATURES[:-2]), FEATURES[:-2]])
def test_paranoid_and_best_reply_respect_allies(features: tuple[str, ...]) -> None:
    for position in positions("two-pairs", 3):
        paranoid = TwoSides(Node(position, Budget(60_000)), Rules()).move_values(4)
        best = BestReply(Node(position, Budget(60_000)), Rules()).move_values(4)
        for name, values in (("paranoid", paranoid), ("brs", best)):
            result = engines.get(f"{name}:depth=4,{spec(*features)}").play(position)
            assert result.score == max(values), f"{name} {position!r}"
            assert values[result.move.index] == max(values), f"{name} {position!r}"


def test_maxn_respects_allies() -> None:
    for position in positions("two-pairs", 3):
        root = Node(position, Budget(60_000))
        values = MaxN(root, Rules()).move_values(4)
        result = engines.get(f"maxn:depth=4,{spec()}").play(position)
        assert result.score == max(value[position.turn] for value in values), repr(position)
        assert values[result.move.index] == result.info["scores"], repr(position)


@pytest.mark.parametrize("name", ["two-pairs", "yonin-shogi-partners"])
def test_allies_have_equal_mean_rewards_in_playouts(name: str) -> None:
    if name == "two-pairs":
        teams, tested = TEAMS, positions(name, 2)[:3]
    else:
        teams, tested = ({"South", "North"}, {"West", "East"}), [loaded(name).start()]
    for position in tested:
        rewards = random_playouts(position, 30, seed=1, plies=1500)
        for one, other in teams:
            assert rewards[one] == rewards[other]
        assert sum(rewards.values()) == pytest.approx(2)


@pytest.mark.slow
def test_proofs_are_valid_for_both_allies() -> None:
    proven = 0
    for position in positions("two-pairs", 4, step=1):
        tree = grown(position, 1500)
        if tree.root.proof is None:
            continue
        team = next(members for members in TEAMS if position.turn in members)
        forced = forced_result(position, 6)
        if forced:
            assert (tree.root.proof in team) == (forced > 0), repr(position)
            proven += 1
        if tree.root.proof in team:  # the chosen move must keep the win
            after = position.copy()
            after.push(after.legal_moves[tree.best_index()])
            if after.result is not None:
                assert position.turn in after.result.winners, repr(position)
            elif forced:
                expected = 1 if after.turn in team else -1
                assert forced_result(after, 5) == expected, repr(position)
    assert proven > 4


# --- one loser of three --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seeds"), [("three-turns", 8), ("three-dice", 4), ("splut-three", 2)]
)
def test_rewards_of_decided_positions_agree_with_the_result(name: str, seeds: int) -> None:
    losses, decided = 0, 0
    for position in positions(name, seeds, step=1, max_turns=300):
        tree = grown(position, 300)
        for move, child in zip(position.legal_moves, tree.root.children, strict=True):
            after = play(position.copy(), move)
            outcome = after.result
            if outcome is None or not child.visits:
                continue
            won = position.turn in outcome.winners
            assert child.value == (0.5 if outcome.draw else float(won)), f"{position!r} {move}"
            decided += 1
            if len(outcome.winners) > 1:
                losses += 1
                assert child.proof is None  # no single player is the winner
    assert decided
    assert losses or name != "three-turns"


def test_joint_win_is_chosen_although_it_is_not_proven() -> None:
    """Ann captures Bob, who is to move next: Ann and Cid have won, and no move is better."""
    setup = [("Ann", "walker", "c2"), ("Bob", "walker", "d2"), ("Cid", "walker", "a3")]
    position = loaded("three-turns").start(setup=setup, turn=1)
    tree = grown(position, 400)
    move = position.legal_moves[tree.best_index()]
    assert str(move) == "walker c2 x d2"
    position.push(move)
    assert set(position.result.winners) == {"Ann", "Cid"}
    child = tree.root.children[tree.best_index()]
    assert (child.value, child.proof, tree.root.proof) == (1.0, None, None)
