"""Compare backgammon with OpenSpiel in random games: what each throw permits, and results.

An action of OpenSpiel moves two checkers, or one if only one die can be used; after a double the
player acts twice.  So the boards after each action are compared with those after up to two moves.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

import pytest

import forthvm
from tests.models.placements import QUICK, THOROUGH

if TYPE_CHECKING:
    from collections.abc import Iterator

pyspiel: Any = pytest.importorskip("pyspiel")

PLAYERS = ("White", "Black")
BAR = 100
LOWER, UPPER = "mlkjihfedcba", "abcdefhijklm"
POINTS = [f"{column}1" for column in LOWER] + [f"{column}3" for column in UPPER]
BARS, OFF = ("g1", "g3"), ("n1", "n3")

Checkers = tuple[int, ...]
"""White's checkers on each point in its numbering, on the bar and off the board, then Black's."""


class State(Protocol):
    """A state of OpenSpiel, whose first player is White."""

    def board(self, player: int, place: int) -> int: ...

    def is_chance_node(self) -> bool: ...

    def is_terminal(self) -> bool: ...

    def legal_actions(self) -> list[int]: ...

    def apply_action(self, action: int) -> None: ...

    def action_to_string(self, action: int) -> str: ...

    def child(self, action: int) -> State: ...

    def returns(self) -> list[float]: ...


def checkers_of(state: State) -> Checkers:
    found: list[int] = []
    for player in range(2):
        here = [state.board(player, 24 - point) for point in range(1, 25)]
        here.append(state.board(player, BAR))
        found += [*here, 15 - sum(here)]
    return tuple(found)


def checkers_on(position: forthvm.Position) -> Checkers:
    found = []
    for at, player in enumerate(PLAYERS):
        for square in (*POINTS, BARS[at], OFF[at]):
            piece = position.board[square]
            owned = piece is not None and piece.player == player
            found.append(int(piece.type.partition("-")[0]) if piece and owned else 0)
    return tuple(found)


def after_moves(position: forthvm.Position, left: int = 2) -> Iterator[forthvm.Position]:
    """Generate the positions after as many moves of the player's turn as there are, or `left`."""
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        if left > 1 and after.result is None and after.turn == position.turn:
            yield from after_moves(after, left - 1)
        else:
            yield after


def throw(position: forthvm.Position, text: str) -> None:
    """Make the throw that OpenSpiel describes."""
    found = re.search(r"roll: (\d)(\d)", text)
    assert found, text
    least, greatest = sorted(found.groups())
    first, second = (least, greatest) if "O starts" in text else (greatest, least)
    for die, square in ((first, "i2"), (second, "j2")):
        assert position.is_chance
        position.push(f"?Dice die{die} {square}")


def act(position: forthvm.Position, state: State, chooser: random.Random) -> forthvm.Position:
    """Compare what the player to move can do, and let both make one action."""
    # After a double, OpenSpiel's player acts twice, even if the first action has ended our turn.
    reached = [position] if position.is_chance else after_moves(position)
    ours = {checkers_on(after): after for after in reached}
    theirs = {checkers_of(state.child(action)): action for action in state.legal_actions()}
    assert set(ours) == set(theirs)
    chosen = chooser.choice(sorted(theirs))
    state.apply_action(theirs[chosen])
    return ours[chosen]


@pytest.mark.slow
@pytest.mark.parametrize("actions", [QUICK, pytest.param(THOROUGH, marks=pytest.mark.slow)])
def test_random_games(actions: int) -> None:
    peer = pyspiel.load_game("backgammon", {"scoring_type": "full_scoring"})
    game, chooser = forthvm.load("backgammon"), random.Random("dice")
    compared, margins = 0, Counter[str]()
    while compared < actions:
        position, state = game.start(), peer.new_initial_state()
        while not state.is_terminal():
            assert position.result is None
            if state.is_chance_node():
                action = chooser.choice(state.legal_actions())
                throw(position, state.action_to_string(action))
                state.apply_action(action)
            else:
                position = act(position, state, chooser)
                compared += 1
        assert position.result is not None
        winner = 0 if state.returns()[0] > 0 else 1
        assert position.result.winners == (PLAYERS[winner],)
        cause = position.result.cause
        points = {"a gammon": 2, "a backgammon": 3}.get(cause, 1)
        assert state.returns()[winner] == points
        margins[cause] += 1
    assert len(margins) == 3 or actions == QUICK
