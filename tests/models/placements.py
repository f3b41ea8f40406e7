"""Compares games with models in complete random games, by the texts of their moves.

Owns the comparison of one position (pieces, player to move, texts of all legal moves, result) and
the random games.  A position's legal moves are compared by their texts; the effect of a move is
compared in the position after it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

import forthvm

__all__ = ["QUICK", "THOROUGH", "State", "check", "play_random_games"]

QUICK, THOROUGH = 300, 1_500
"""Numbers of positions to compare."""


class State(Protocol):
    """A model's position."""

    @property
    def turn(self) -> str:
        """The player to move."""

    def owners(self) -> Mapping[str, str]:
        """The owners of the squares that are not empty."""

    def legal(self) -> Mapping[str, State]:
        """The states after each legal move, by the text of the move."""

    def winner(self) -> str | None:
        """The winner, an empty text for a draw, None while the game continues."""


def check(
    position: forthvm.Position, state: State, move_of: Callable[[str], str] = str
) -> Mapping[str, State]:
    """Compare a position; return the model's states after each move, none if the game is over.

    `move_of` converts the text of a move to that of the model.
    """
    owners = {name: piece.player for name, piece in position.board.occupied()}
    assert owners == state.owners()
    winner, result = state.winner(), position.result
    assert (result is None) == (winner is None), (result, winner)
    if result is not None:
        assert result.winners == ((winner,) if winner else ())
        assert result.draw == (winner == "")
        assert not position.legal_moves
        return {}
    assert position.turn == state.turn
    legal = state.legal()
    assert Counter(map(move_of, position.legal_moves.texts)) == Counter(legal.keys())
    return legal


def play_random_games(
    game: forthvm.Game,
    start: Callable[[], State],
    positions: int,
    move_of: Callable[[str], str] = str,
) -> Counter[str]:
    """Compare positions of random games; return how often each player won ("" is a draw)."""
    chooser, compared, results = random.Random("walks"), 0, Counter[str]()
    while compared < positions:
        position, state = game.start(), start()
        while legal := check(position, state, move_of):
            text = chooser.choice(sorted(position.legal_moves.texts))
            position.push(text)
            state = legal[move_of(text)]
            compared += 1
        results[state.winner() or ""] += 1
    return results
