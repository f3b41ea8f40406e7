"""Compare connect four with the model of games of lines, and with published counts."""

from __future__ import annotations

import pytest

import forthvm
from tests.models import lines, placements

GAMES = [("connect-four", lines.CONNECT_FOUR)]


@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(("name", "rules"), GAMES)
def test_random_games(name: str, rules: lines.Rules, positions: int) -> None:
    results = placements.play_random_games(
        forthvm.load(name), lambda: lines.State(rules), positions
    )
    assert set(rules.players) <= set(results)


# Positions after each number of plies, whether or not the game is over (OEIS A212693, from John
# Tromp's count of all positions).
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


@pytest.mark.parametrize("plies", [5, pytest.param(8, marks=pytest.mark.slow)])
def test_published_numbers_of_positions(plies: int) -> None:
    start = forthvm.load("connect-four").start()
    found, numbers = {start.cells: start}, [1]
    for _ in range(plies):
        reached = {}
        for position in found.values():
            for move in position.legal_moves:
                after = position.copy()
                after.push(move)
                reached[after.cells] = after
        found = reached
        numbers.append(len(found))
    assert numbers == POSITIONS[: plies + 1]
