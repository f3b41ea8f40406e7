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

With 1000 positions or more, the tests also expect rare events."""

COMPARED_MOVES = 40
"""Number of moves made and compared in each position if the texts of all moves are compared."""


@dataclass(frozen=True)
class Game:
    """The functions that compare a script with a model.

    `view` returns the visible part of a script's position, and `expected_view` the same part of a
    model's state.  `end` returns the winner, empty for a draw, None while the game continues.
    `weight` is the relative probability of a state as the next one in a random game.

    Games with hundreds of moves may define two more functions.  `effect_of_text` derives the effect
    of a move from its text, and `effect` derives it from the model's states before and after the
    move.  Then all texts are compared, and only some of the moves are made.
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
    if game.effect_of_text and game.effect and len(position.legal_moves) > COMPARED_MOVES:
        effects = [game.effect_of_text(text) for text in position.legal_moves.texts]
        successors = ((game.effect(state, after), after) for after in game.successors(state))
        pairs = _paired(position, effects, successors)
        for index, after in random.Random(len(effects)).sample(pairs, COMPARED_MOVES):
            assert _view_after(game, position, index) == game.expected_view(after)
        return pairs
    views = [_view_after(game, position, index) for index in range(len(position.legal_moves))]
    successors = ((game.expected_view(after), after) for after in game.successors(state))
    return _paired(position, views, successors)


def _view_after(game: Game, position: forthvm.Position, index: int) -> Hashable:
    position.push(position.legal_moves[index])
    view = game.view(position)
    position.pop()
    return view


def _paired(
    position: forthvm.Position,
    script_effects: list[Hashable],
    model_successors: Iterable[tuple[Hashable, Any]],
) -> list[tuple[int, Any]]:
    """Pair each move of the script with a successor in the model that has the same effect.

    Check that each effect occurs equally often in the script and in the model.
    """
    states: dict[Hashable, list[Any]] = {}
    for effect, state in model_successors:
        states.setdefault(effect, []).append(state)
    counts = Counter(script_effects)
    if counts != Counter({effect: len(same) for effect, same in states.items()}):
        texts = [
            text
            for text, effect in zip(position.legal_moves.texts, script_effects, strict=True)
            if counts[effect] > len(states.get(effect, ()))
        ]
        missing = [same for effect, same in states.items() if counts[effect] < len(same)]
        raise AssertionError(f"only the script: {texts}; only the model: {missing}")
    return [(index, states[effect].pop()) for index, effect in enumerate(script_effects)]


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
