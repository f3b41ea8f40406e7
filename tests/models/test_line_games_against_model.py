"""Compare connect four and gomoku with the model of games of lines, and with published counts."""

from __future__ import annotations

import random

import pytest

import forthvm
from tests.models import lines, placements

GAMES = [
    ("connect-four", lines.CONNECT_FOUR),
    ("gomoku", lines.FREESTYLE),
    ("gomoku-standard", lines.STANDARD),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(("name", "rules"), GAMES)
def test_random_games(name: str, rules: lines.Rules, positions: int) -> None:
    results = placements.play_random_games(
        forthvm.load(name), lambda: lines.State(rules), positions
    )
    assert len(results) > 1 or positions < placements.THOROUGH


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), GAMES[1:])
def test_boards_with_long_lines(name: str, rules: lines.Rules) -> None:
    """Compare the result on random boards with lines of all lengths, also beside the edges."""
    game, chooser, results = forthvm.load(name), random.Random("lines"), set()
    for _ in range(200):
        side, length = rules.columns, chooser.randint(3, 8)
        (right, up), start = chooser.choice(((1, 0), (0, 1), (1, 1), (1, -1))), chooser.randrange(8)
        first = start, (side - 1 - chooser.randrange(8) if up < 0 else chooser.randrange(8))
        squares = [(first[0] + right * i, first[1] + up * i) for i in range(length)]
        free = [(x, y) for x in range(side) for y in range(side) if (x, y) not in squares]
        pieces = dict.fromkeys(squares, "Black")
        pieces |= {square: chooser.choice(rules.players) for square in chooser.sample(free, 60)}
        state = lines.State(rules, pieces, moves=1)
        black = {square: owner for square, owner in pieces.items() if owner == "Black"}
        winner = lines.State(rules, black).winner()
        setup = [(owner, rules.piece, square) for square, owner in state.owners().items()]
        result = game.start(setup=setup, turn="White").result
        assert (result and result.winners) == (winner and (winner,))
        results.add(winner)
    assert results == {"Black", None}


# Positions after each number of plies, whether or not the game is over (OEIS A212693, from John
# Tromp's count of all positions).
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


@pytest.mark.slow
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
