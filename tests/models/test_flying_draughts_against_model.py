"""Compare international and Russian draughts with the model, and the model with pydraughts."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import forthvm
from tests.models import placements
from tests.models.flying_draughts import (
    INTERNATIONAL,
    RUSSIAN,
    Rules,
    State,
    capture_text,
    dark_squares,
    move_of,
    name_of,
    start,
)

GAMES = [
    pytest.param("draughts-international", INTERNATIONAL, id="international"),
    pytest.param("draughts-russian", RUSSIAN, id="russian"),
]


def random_state(rules: Rules, chooser: random.Random, most: int) -> State:
    """Return a board with up to so many pieces, a third of them kings."""
    while True:
        squares = chooser.sample(dark_squares(rules), chooser.randint(2, most))
        pieces = {}
        for square in squares:
            owner = chooser.choice(["White", "Black"])
            far = rules.size - 1 if owner == "White" else 0
            is_king = square[1] == far or chooser.random() < 1 / 3
            pieces[square] = owner, "king" if is_king else "man"
        if len({owner for owner, _ in pieces.values()}) == 2:
            return State(rules, pieces, chooser.choice(["White", "Black"]))


def position_of(game: forthvm.Game, state: State) -> forthvm.Position:
    setup = [(owner, kind, name_of(square)) for square, (owner, kind) in state.pieces.items()]
    return game.start(setup=setup, turn=state.turn)


def play(
    position: forthvm.Position, state: State, chooser: random.Random, *, careful: bool = False
) -> State | None:
    """Compare a position, make a move, and return the model's state after it.

    A careful move leaves the other player no capture, if there is such a move.
    """
    legal = placements.check(position, state, move_of)
    if not legal:
        return None
    texts = sorted(position.legal_moves.texts)
    chooser.shuffle(texts)
    text = texts[0]
    if careful:
        text = next((each for each in texts if not takes(legal[move_of(each)])), text)
    position.push(text)
    return legal[move_of(text)]


def takes(state: State) -> bool:
    return any("x" in move for move in state.legal())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), GAMES)
@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
def test_random_games(name: str, rules: Rules, positions: int) -> None:
    placements.play_random_games(forthvm.load(name), lambda: start(rules), positions, move_of)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), GAMES)
@pytest.mark.parametrize("boards", [150, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_boards(name: str, rules: Rules, boards: int) -> None:
    """Compare three moves from random boards, on which captures are long and kings many."""
    game, chooser, longest = forthvm.load(name), random.Random(f"{rules}"), 0
    for _ in range(boards):
        state: State | None = random_state(rules, chooser, 16)
        assert state is not None
        position = position_of(game, state)
        for _ in range(3):
            longest = max([longest, *(text.count("x") for text in state.legal())])
            state = play(position, state, chooser)
            if state is None:
                break
    assert longest >= 4


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), GAMES)
@pytest.mark.parametrize("endings", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_endings(name: str, rules: Rules, endings: int) -> None:
    """Compare games with few pieces to their ends, which are mostly draws by counting."""
    game, chooser, ends = forthvm.load(name), random.Random(f"{rules}"), Counter[str]()
    for _ in range(endings):
        state: State | None = random_state(rules, chooser, 5)
        assert state is not None
        position = position_of(game, state)
        while state is not None:
            state = play(position, state, chooser, careful=True)
        ends[position.comment or ""] += 1
    assert len(ends) > 1, ends


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), GAMES)
@pytest.mark.parametrize("boards", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_moves_are_those_of_pydraughts(name: str, rules: Rules, boards: int) -> None:
    core: Any = pytest.importorskip("draughts.core.game", reason="pydraughts is not installed")
    squares = [name_of(square) for square in dark_squares(rules)]
    chooser = random.Random(f"{rules}")
    variant = "standard" if rules is INTERNATIONAL else "russian"
    for _ in range(boards):
        state = random_state(rules, chooser, 14)
        found: dict[str, list[str]] = {"White": [], "Black": []}
        for square, (owner, kind) in state.pieces.items():
            number = squares.index(name_of(square)) + 1
            found[owner].append(f"{'K' if kind == 'king' else ''}{number}")
        fen = f"{state.turn[0]}:W{','.join(found['White'])}:B{','.join(found['Black'])}"
        expected = {
            capture_text(
                squares[steps[0][0] - 1],
                squares[steps[-1][1] - 1],
                [squares[number - 1] for number in captured if number],
            )
            for steps, captured in zip(*core.Game(variant, fen).legal_moves(), strict=True)
        }
        assert state.legal().keys() == expected, fen
