"""A script and a model walked through the same random games, compared at every step.

Owns the walk and what is compared: who is to move, the board, the end with its winner, and
the boards after all legal moves.  What a board looks like to both is each game's own.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import forthvm

__all__ = ["POSITIONS", "Game", "check", "check_end", "walk"]

POSITIONS = int(os.environ.get("FORTHVM_MODEL_POSITIONS", "100"))
"""Positions to be compared for a game's default rules; combinations of options take a part.

CI asks for 1000, from which on the tests also expect rare events to occur."""

MADE = 40
"""How many of a position's moves are made where their texts are compared."""


@dataclass(frozen=True)
class Game:
    """How to look at one game in a script's terms and in a model's.

    `view` is what can be seen of a script's position and `seen` the same of a model's state;
    `end` names the winner, empty for a draw, None while the game goes on.  `weight` says how
    much a state is wanted as the next one in a random game.

    Games with hundreds of moves may say what a move does from its text, `told`, and from the
    model's states before and after it, `done`: then all texts are compared and only some of
    the moves are made.
    """

    view: Callable[[forthvm.Position], Hashable]
    seen: Callable[[Any], Hashable]
    turn: Callable[[Any], str]
    end: Callable[[Any], str | None]
    successors: Callable[[Any], Iterable[Any]]
    weight: Callable[[Any, Any], float] = lambda before, after: 1.0
    told: Callable[[str], Hashable] | None = None
    done: Callable[[Any, Any], Hashable] | None = None


def check_end(game: Game, position: forthvm.Position, state: object) -> bool:
    """Whether the game is over: for both or for neither, and with the same winner."""
    winner, result = game.end(state), position.result
    assert (result is None) == (winner is None), (result, winner)
    if result is not None:
        assert result.winners == ((winner,) if winner else ())
        assert result.draw == (winner == "")
    return result is not None


def check(game: Game, position: forthvm.Position, state: object) -> list[tuple[int, Any]]:
    """Compares all moves; gives each with its number and the model's state after it."""
    assert game.view(position) == game.seen(state)
    assert position.turn == game.turn(state)
    if game.told and game.done and len(position.legal_moves) > MADE:
        told = [game.told(text) for text in position.legal_moves.texts]
        done = ((game.done(state, one), one) for one in game.successors(state))
        both = _paired(position, told, done)
        for index, after in random.Random(len(told)).sample(both, MADE):
            assert _after(game, position, index) == game.seen(after)
        return both
    found = [_after(game, position, index) for index in range(len(position.legal_moves))]
    return _paired(position, found, ((game.seen(one), one) for one in game.successors(state)))


def _after(game: Game, position: forthvm.Position, index: int) -> Hashable:
    position.push(position.legal_moves[index])
    found = game.view(position)
    position.pop()
    return found


def _paired(
    position: forthvm.Position, found: list[Hashable], wanted: Iterable[tuple[Hashable, Any]]
) -> list[tuple[int, Any]]:
    """The script's moves by number with the model's, which must be as many of each kind."""
    after: dict[Hashable, list[Any]] = {}
    for key, one in wanted:
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


def walk(
    game: Game,
    position: forthvm.Position,
    state: object,
    chooser: random.Random,
    limit: int,
) -> tuple[int, object]:
    """Plays a random game, at most `limit` positions; how many were compared, and the last."""
    seen = 0
    while not check_end(game, position, state) and seen < limit:
        both = check(game, position, state)
        seen += 1
        weights = [game.weight(state, after) for _, after in both]
        ((index, after),) = chooser.choices(both, weights)
        position.push(position.legal_moves[index])
        state = after
    return seen, state
