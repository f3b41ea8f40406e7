"""Plays the same random games in a script and in a model, and compares every position.

Owns the random games and the comparison: the player to move, the board, the end with its winner,
and the boards after all legal moves.  Each game defines how its boards are compared (`Game`).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import forthvm

__all__ = ["POSITIONS", "Game", "check", "check_end", "play_random_game"]

POSITIONS = int(os.environ.get("FORTHVM_MODEL_POSITIONS", "100"))
"""Number of positions compared for a game's default rules; fewer for combinations of options.

CI sets 1000; from there on the tests also expect rare events."""

MADE = 40
"""Number of moves made in each position if the texts of all moves are compared."""


@dataclass(frozen=True)
class Game:
    """The functions that compare a script with a model.

    `view` returns the visible part of a script's position, and `expected_view` the same part of a
    model's state.  `end` returns the winner, empty for a draw, None while the game continues.
    `weight` is the relative probability of a state as the next one in a random game.

    Games with hundreds of moves may define `effect_of_text`, the effect of a move by its text, and
    `effect`, the effect by the model's states before and after it.  Then all texts are compared,
    and only some of the moves are made.
    """

    view: Callable[[forthvm.Position], Hashable]
    expected_view: Callable[[Any], Hashable]
    turn: Callable[[Any], str]
    end: Callable[[Any], str | None]
    successors: Callable[[Any], Iterable[Any]]
    weight: Callable[[Any, Any], float] = lambda before, after: 1.0
    effect_of_text: Callable[[str], Hashable] | None = None
    effect: Callable[[Any, Any], Hashable] | None = None


def check_end(game: Game, position: forthvm.Position, state: object) -> bool:
    """Whether the game is over; check that script and model agree, also on the winner."""
    winner, result = game.end(state), position.result
    assert (result is None) == (winner is None), (result, winner)
    if result is not None:
        assert result.winners == ((winner,) if winner else ())
        assert result.draw == (winner == "")
    return result is not None


def check(game: Game, position: forthvm.Position, state: object) -> list[tuple[int, Any]]:
    """Compare all moves; return the index of each and the model's state after it."""
    assert game.view(position) == game.expected_view(state)
    assert position.turn == game.turn(state)
    if game.effect_of_text and game.effect and len(position.legal_moves) > MADE:
        listed = [game.effect_of_text(text) for text in position.legal_moves.texts]
        made = ((game.effect(state, one), one) for one in game.successors(state))
        pairs = _paired(position, listed, made)
        for index, after in random.Random(len(listed)).sample(pairs, MADE):
            assert _after(game, position, index) == game.expected_view(after)
        return pairs
    found = [_after(game, position, index) for index in range(len(position.legal_moves))]
    return _paired(
        position, found, ((game.expected_view(one), one) for one in game.successors(state))
    )


def _after(game: Game, position: forthvm.Position, index: int) -> Hashable:
    position.push(position.legal_moves[index])
    found = game.view(position)
    position.pop()
    return found


def _paired(
    position: forthvm.Position, found: list[Hashable], expected: Iterable[tuple[Hashable, Any]]
) -> list[tuple[int, Any]]:
    """Pair the script's moves with the model's by effect; check that the numbers are equal."""
    after: dict[Hashable, list[Any]] = {}
    for key, one in expected:
        after.setdefault(key, []).append(one)
    listed = Counter(found)
    if listed != Counter({key: len(ones) for key, ones in after.items()}):
        texts = [
            text
            for text, key in zip(position.legal_moves.texts, found, strict=True)
            if listed[key] > len(after.get(key, ()))
        ]
        missing = [ones for key, ones in after.items() if listed[key] < len(ones)]
        raise AssertionError(f"only the script: {texts}; only the model: {missing}")
    return [(index, after[key].pop()) for index, key in enumerate(found)]


def play_random_game(
    game: Game,
    position: forthvm.Position,
    state: object,
    chooser: random.Random,
    limit: int,
) -> tuple[int, object]:
    """Play a random game; return the number of positions compared and the last state."""
    compared = 0
    while not check_end(game, position, state) and compared < limit:
        pairs = check(game, position, state)
        compared += 1
        weights = [game.weight(state, after) for _, after in pairs]
        ((index, after),) = chooser.choices(pairs, weights)
        position.push(position.legal_moves[index])
        state = after
    return compared, state
