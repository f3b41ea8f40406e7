"""The generator of random games: reproducible texts that the model can load and play."""

from __future__ import annotations

import random

import pytest

from tests.models import zrf
from tests.models.zrf.random_games import random_game

CODE = """add add-partial add-copy add-copy-partial cascade capture create change-type change-owner
    flip set-attribute set-flag set-position-flag mark back go from to opposite verify if while
    else"""
TESTS = """empty? friend? enemy? neutral? piece? in-zone? on-board? position? flag? position-flag?
    last-from? last-to? marked? attacked? defended? adjacent-to-enemy? goal-position?"""
GOALS = """stalemated checkmated captured pieces-remaining total-piece-count absolute-config
    relative-config repetition count-condition"""


def test_same_seed_same_text() -> None:
    assert random_game(5) == random_game(5)
    assert random_game(5) != random_game(6)


def test_every_keyword_occurs() -> None:
    words = {word.strip("()") for seed in range(300) for word in random_game(seed).split()}
    wanted = {*CODE.split(), *GOALS.split()}
    wanted |= {f"{negation}{test}" for test in TESTS.split() for negation in ("", "not-")}
    assert wanted - words == set()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(20))
def test_random_game_can_be_played(seed: int) -> None:
    position = zrf.load_text(random_game(seed)).start()
    choose = random.Random(seed)
    for _ in range(20):
        if position.result is not None:
            break
        texts = [move.text for move in position.moves()]
        assert texts
        position = position.play(choose.choice(position.moves()))
