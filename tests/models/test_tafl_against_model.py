"""Compare brandubh and tablut with the model, in random games and on random boards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import forthvm
from tests.models import placements
from tests.models.tafl import ATTACKERS, BRANDUBH, DEFENDERS, TABLUT, Rules, State

games = pytest.mark.parametrize(
    ("name", "rules"), [("brandubh", BRANDUBH), ("tablut", TABLUT)], ids=["brandubh", "tablut"]
)


def move_of(text: str) -> str:
    """Return the text of a move without its captures."""
    return text.partition(" x ")[0]


@pytest.mark.slow
@games
@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
def test_random_games(name: str, rules: Rules, positions: int) -> None:
    results = placements.play_random_games(forthvm.load(name), rules.start, positions, move_of)
    assert len(results) > 1 or positions < placements.THOROUGH


def test_third_occurrence() -> None:
    """Compare a game in which both players move to and fro."""
    position, state = forthvm.load("brandubh").start(), BRANDUBH.start()
    moves = ["attacker a4 - a5", "defender c4 - c5", "attacker a5 - a4", "defender c5 - c4"]
    for text in 2 * moves:
        state = placements.check(position, state, move_of)[text]
        position.push(text)
    assert not placements.check(position, state, move_of)
    assert state.winner() == ""


@pytest.mark.slow
@games
@pytest.mark.parametrize("boards", [30, pytest.param(60, marks=pytest.mark.slow)])
def test_random_boards(name: str, rules: Rules, boards: int) -> None:
    """Compare the positions after all moves on random boards; the king is often near the throne."""
    game, chooser, seen = forthvm.load(name), random.Random("boards"), Counter[str]()
    squares = [(x, y) for x in range(rules.size) for y in range(rules.size)]
    middle = rules.size // 2
    near = [(middle + x, middle + y) for x, y in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))]
    for _ in range(boards):
        free = [square for square in squares if square not in {*rules.corners, rules.throne}]
        king = (
            chooser.choice(near)
            if chooser.random() < 0.6
            else chooser.choice([square for square in free if not rules.is_refuge(square)])
        )
        crowd = [square for square in near if square != king and chooser.random() < 0.6]
        chosen = [square for square in crowd if square != rules.throne]
        others = [square for square in free if square != king and square not in chosen]
        chosen += chooser.sample(others, 4 + rules.size - len(chosen))
        pieces = {
            **dict.fromkeys(chosen[:8], (ATTACKERS, "attacker")),
            **dict.fromkeys(chosen[8:], (DEFENDERS, "defender")),
            king: (DEFENDERS, "king"),
        }
        state = State(rules, pieces, chooser.choice((ATTACKERS, DEFENDERS)))
        setup = [
            (owner, kind, "abcdefghi"[column] + str(row + 1))
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


@pytest.mark.sampled(2)
@games
def test_numbers_of_move_sequences(name: str, rules: Rules) -> None:
    def count(state: State, depth: int) -> int:
        if state.winner() is not None:
            return 0
        legal = state.legal().values()
        return len(legal) if depth == 1 else sum(count(after, depth - 1) for after in legal)

    position = forthvm.load(name).start()
    depths = (1, 2)
    assert [forthvm.perft(position, n) for n in depths] == [count(rules.start(), n) for n in depths]
