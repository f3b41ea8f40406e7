"""The word $UCTMove: its moves, seeds and reports."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.engines import Limits, get
from tests.kit.games import play

SCRIPT = Path(__file__).with_name("uct.4th")


def play_game(seed: int) -> forthvm.Position:
    """Play a game to its end; X plays by tree search, O plays random moves."""
    position = forthvm.load(SCRIPT, seed=seed).start()
    engine = get("script")
    while position.result is None:
        position.push(engine.play(position, Limits()).move)
    return position


def after(*texts: str) -> forthvm.Position:
    return play(forthvm.load(SCRIPT, seed=1).start(), *texts)


def test_uct_chooses_a_win() -> None:
    position = after("X mark a1", "O mark b1", "X mark a2", "O mark b2")
    assert str(get("script").play(position, Limits()).move) == "X mark a3"


def test_uct_prevents_a_loss() -> None:
    position = after("X mark a1", "O mark b2", "X mark c2", "O mark c1")
    assert str(get("script").play(position, Limits()).move) == "X mark a3"


@pytest.mark.slow
def test_uct_rarely_loses_to_random_moves() -> None:
    """With perfect play, X never loses; 2,000 playouts per move suffice for perfect play."""
    results = [play_game(seed).result for seed in range(8)]
    assert all(result is not None and "O" not in result.winners for result in results)


def test_same_seed_plays_the_same_game() -> None:
    first, second = play_game(3), play_game(3)
    assert [str(move) for move in first.history] == [str(move) for move in second.history]


def test_uct_reports_playouts_and_win_rate() -> None:
    result = get("script").play(after(), Limits())
    assert result.nodes == 2000
    assert result.score is not None
    assert 500 < result.score <= 1000
