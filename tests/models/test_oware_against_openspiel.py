"""Compare oware with OpenSpiel in random games: seeds, legal moves and results."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

import pytest

import forthvm
from tests.models.placements import QUICK, THOROUGH

if TYPE_CHECKING:
    from collections.abc import Iterable

pyspiel: Any = pytest.importorskip("pyspiel")


class State(Protocol):
    """A state of OpenSpiel."""

    def legal_actions(self) -> list[int]: ...

    def action_to_string(self, action: int) -> str: ...


def seeds(position: forthvm.Position, squares: Iterable[str]) -> list[int]:
    """Return the numbers of seeds on some squares."""
    pieces = [position.board[square] for square in squares]
    return [0 if piece is None else int(piece.type.partition("-")[0]) for piece in pieces]


def check(position: forthvm.Position, state: State) -> None:
    """Compare the seeds of all houses and stores, and the legal moves."""
    north, south = (f"{letter}2" for letter in "fedcba"), (f"{letter}1" for letter in "abcdef")
    numbers = [int(number) for number in re.findall(r"(?<!Player )\b\d+", str(state))]
    stores = seeds(position, ["g2", "g1"])
    assert [stores[0], *seeds(position, north), *seeds(position, south), stores[1]] == numbers
    texts = {state.action_to_string(action) for action in state.legal_actions()}
    assert {move.short for move in position.legal_moves} == texts


@pytest.mark.slow
@pytest.mark.parametrize("positions", [QUICK, pytest.param(2 * THOROUGH, marks=pytest.mark.slow)])
def test_random_games(positions: int) -> None:
    game, peer, chooser = forthvm.load("oware"), pyspiel.load_game("oware"), random.Random("seeds")
    compared, causes = 0, Counter[str]()
    while compared < positions:
        position, state = game.start(), peer.new_initial_state()
        while not state.is_terminal():
            assert position.result is None
            check(position, state)
            action = chooser.choice(state.legal_actions())
            position.push(state.action_to_string(action))
            state.apply_action(action)
            compared += 1
        assert position.result is not None
        points = {"South": state.returns()[0], "North": state.returns()[1]}
        assert [name for name, won in points.items() if won > 0] == [*position.result.winners]
        causes[position.result.cause] += 1
    assert len(causes) == 3 or positions == QUICK
