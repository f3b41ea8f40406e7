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

POSITIONS = int(os.environ.get("FORTHVM_MODEL_POSITIONS", "1000"))
"""Positions to be compared for a game's default rules; combinations of options take a part."""


@dataclass(frozen=True)
class Game:
    """How to look at one game in a script's terms and in a model's.

    `view` is what can be seen of a script's position and `seen` the same of a model's state;
    `end` names the winner, empty for a draw, None while the game goes on.  `weight` says how
    much a state is wanted as the next one in a random game.
    """

    view: Callable[[forthvm.Position], Hashable]
    seen: Callable[[Any], Hashable]
    turn: Callable[[Any], str]
    end: Callable[[Any], str | None]
    successors: Callable[[Any], Iterable[Any]]
    weight: Callable[[Any, Any], float] = lambda before, after: 1.0


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
    found: list[Hashable] = []
    for move in position.legal_moves:
        position.push(move)
        found.append(game.view(position))
        position.pop()
    after: dict[Hashable, list[Any]] = {}
    for one in game.successors(state):
        after.setdefault(game.seen(one), []).append(one)
    listed = Counter(found)
    wanted = Counter({key: len(ones) for key, ones in after.items()})
    if listed != wanted:
        texts = [
            move.text
            for move, key in zip(position.legal_moves, found, strict=True)
            if listed[key] > wanted[key]
        ]
        missing = [ones for key, ones in after.items() if listed[key] < wanted[key]]
        raise AssertionError(f"only the script: {texts}; only the model: {missing}\n{state}")
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
