"""Compare Brandubh with the model, in random games and on random boards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import forthvm
from tests.models import brandubh, placements
from tests.models.brandubh import ATTACKERS, DEFENDERS, START, State


def move_of(text: str) -> str:
    """Return the text of a move without its captures."""
    return text.partition(" x ")[0]


@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
def test_random_games(positions: int) -> None:
    game = forthvm.load("brandubh")
    results = placements.play_random_games(game, lambda: START, positions, move_of)
    assert len(results) > 1 or positions < placements.THOROUGH


def test_third_occurrence() -> None:
    """Compare a game in which both players move to and fro."""
    position, state = forthvm.load("brandubh").start(), START
    moves = ["attacker a4 - a5", "defender c4 - c5", "attacker a5 - a4", "defender c5 - c4"]
    for text in 2 * moves:
        state = placements.check(position, state, move_of)[text]
        position.push(text)
    assert not placements.check(position, state, move_of)
    assert state.winner() == ""


@pytest.mark.parametrize("boards", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_random_boards(boards: int) -> None:
    """Compare the positions after all moves on random boards; the king is often near the throne."""
    game, chooser, seen = forthvm.load("brandubh"), random.Random("boards"), Counter[str]()
    squares = [(x, y) for x in range(7) for y in range(7)]
    near = [(3, 3), (2, 3), (4, 3), (3, 2), (3, 4)]
    corners = {(0, 0), (0, 6), (6, 0), (6, 6)}
    for _ in range(boards):
        free = [square for square in squares if square not in {*corners, (3, 3)}]
        king = chooser.choice(near if chooser.random() < 0.6 else free)
        chosen = chooser.sample([square for square in free if square != king], 12)
        pieces = {
            **dict.fromkeys(chosen[:8], (ATTACKERS, "attacker")),
            **dict.fromkeys(chosen[8:], (DEFENDERS, "defender")),
            king: (DEFENDERS, "king"),
        }
        state = State(pieces, chooser.choice((ATTACKERS, DEFENDERS)))
        setup = [
            (owner, kind, "abcdefg"[column] + str(row + 1))
            for (column, row), (owner, kind) in pieces.items()
        ]
        position = game.start(setup=setup, turn=state.turn)
        legal = placements.check(position, state, move_of)
        for text in list(position.legal_moves.texts):
            position.push(text)
            after = legal[move_of(text)]
            placements.check(position, after, move_of)
            seen[f"{after.winner()}"] += 1
            seen["captures"] += len(after.pieces) < len(pieces)
            position.pop()
    assert seen["captures"]
    assert seen[ATTACKERS]
    assert seen[DEFENDERS]


def test_numbers_of_move_sequences() -> None:
    def count(state: State, depth: int) -> int:
        if state.winner() is not None:
            return 0
        legal = state.legal().values()
        return len(legal) if depth == 1 else sum(count(after, depth - 1) for after in legal)

    position = forthvm.load("brandubh").start()
    assert [forthvm.perft(position, n) for n in (1, 2)] == [
        count(brandubh.START, n) for n in (1, 2)
    ]
