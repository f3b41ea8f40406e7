"""The key of positions for the rules, compared with `Position.key` and between seeds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from forthvm.autoplay.match.running_game import begin_position
from forthvm.study import position_key
from tests.kit.every_game import BUNDLED
from tests.study.test_solving import write_line

GAMES = [game.name for game in BUNDLED]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_keys_do_not_depend_on_the_seed(name: str) -> None:
    """The same moves lead to equal keys; `Position.key` differs from the first position on."""
    game = forthvm.load(name)
    one, other = (begin_position(game, seed) for seed in (1, 2))
    if one.cells != other.cells:
        pytest.skip("the initial position is random")
    rng = random.Random(3)
    keys = set()
    for _ in range(25):
        assert one.key != other.key
        assert position_key(one) == position_key(other)
        keys.add(position_key(one))
        if one.result is not None:
            break
        if one.is_stuck:
            one.push_pass()
            other.push_pass()
            continue
        index = rng.randrange(len(one.legal_moves))
        one.push(one.legal_moves[index])
        other.push(other.legal_moves[index])
    assert len(keys) > 2


def test_initial_position_recurs(tmp_path: Path) -> None:
    start = forthvm.load(write_line(tmp_path)).start()
    position = start.copy()
    for squares in ("a1 - b1", "e1 - d1", "b1 - a1", "d1 - e1"):
        position.push(f"man {squares}")
    assert position_key(position) == position_key(start)
    assert position.key != start.key  # the player of the last edit differs


def test_reading_a_key_does_not_change_the_position() -> None:
    game = forthvm.load("tictactoe")
    position = begin_position(game, 5)
    before, key = position.copy(), position.key
    first = position_key(position)
    assert (position == before, position.key, position_key(position)) == (True, key, first)
    position.push(position.legal_moves[0])
    assert position_key(position) != first
