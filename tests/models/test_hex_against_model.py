"""Compare Hex with the model, in random games and on full boards."""

from __future__ import annotations

import random

import pytest

import forthvm
from tests.models import hex, placements

SIZE = 11


@pytest.mark.slow
@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("swap", ["on", "off"])
def test_random_games(swap: str, positions: int) -> None:
    game = forthvm.load("hex", settings={"swap": swap})
    results = placements.play_random_games(game, lambda: hex.State(swap=swap == "on"), positions)
    assert len(results) > 1


@pytest.mark.slow
def test_every_swap() -> None:
    """Compare the positions after all swaps, which are rare in random games."""
    position, start = forthvm.load("hex").start(), hex.State()
    for text, state in start.legal().items():
        position.push(text)
        for reply, after in placements.check(position, state).items():
            if reply.startswith("x"):
                position.push(reply)
                placements.check(position, after)
                position.pop()
        position.pop()


def test_a_full_board_has_one_winner() -> None:
    """Fill boards at random; the last of the stones that join edges may be any of them."""
    game, chooser = forthvm.load("hex"), random.Random(11)
    cells = [(column, row) for column in range(SIZE) for row in range(SIZE)]
    for _ in range(20):
        chooser.shuffle(cells)
        stones = dict.fromkeys(cells[:61], hex.RED) | dict.fromkeys(cells[61:], hex.BLUE)
        winners = [
            player
            for player in (hex.RED, hex.BLUE)
            if hex.State(stones={c: o for c, o in stones.items() if o == player}).winner()
        ]
        state = hex.State(stones=stones)
        (winner,) = winners
        setup = [(owner, "stone", name) for name, owner in state.owners().items()]
        other = hex.BLUE if winner == hex.RED else hex.RED
        result = game.start(setup=setup, turn=other).result
        assert result.winners == (winner,)
