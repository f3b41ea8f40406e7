"""Runs the benchmark games: perft, random games, alpha-beta, the original's search, lists of texts.

Owns what a run does and counts, and its result.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.games import FOLDER, GAMES
from benchmarks.tiers import VARIABLE
from forthvm import engines
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, load, perft

__all__ = ["C_FUNCTIONS", "KINDS", "Result", "Run", "first_choice", "start"]

PLAIN = "tt=0,pvs=off,killers=off,history=off,captures=off,quiescence=off,repetition=off"
SEED = 7
MAX_PLIES = 300  # of a random game
TEXT_MOVES = 10  # moves after which the list of moves is read


class Result(NamedTuple):
    """The result of a run."""

    amount: int
    """The unit of the rate: move sequences, random games, nodes or texts."""
    value: object
    """What must be equal in all tiers: a score, rewards, a digest."""


Run = Callable[[], Result]


def start(name: str, tier: str, *, checked: bool = False) -> Position:
    """Load a game in an execution tier and return its first position."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = tier
    try:
        game = load(
            FOLDER / f"{name}.4th", axiom=GAMES[name].level, seed=SEED, clock=0, checked=checked
        )
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
    return game.start()


def first_choice(position: Position) -> Position:
    """Return the position after the first outcomes of chance players."""
    position = position.copy()
    while position.is_chance:
        position.push(position.legal_moves[0])
    return position


def _perft(position: Position, depth: int) -> Run:
    return lambda: Result(perft(position, depth), None)


def _playouts(position: Position, count: int) -> Run:
    def run() -> Result:
        rewards = random_playouts(position, count, seed=SEED, plies=MAX_PLIES)
        return Result(count, rewards)

    return run


def _negamax(position: Position, depth: int) -> Run:
    engine = engines.get(f"negamax:depth={depth},{PLAIN}")

    def run() -> Result:
        result = engine.play(first_choice(position))
        return Result(result.nodes, result.score)

    return run


def _axiom(position: Position, depth: int) -> Run:
    engine = engines.get(f"axiom:depth={depth}")

    def run() -> Result:
        choice = first_choice(position)
        with choice._in_memory() as native:
            native.search_reset()  # its table outlives a search
        result = engine.play(choice)
        return Result(result.nodes, (result.score, str(result.move)))

    return run


def _texts(position: Position, moves: int) -> Run:
    """Return a run that makes moves in a loop in Python and reads the texts of the lists."""

    def run() -> Result:
        choice, texts, length = first_choice(position), 0, 0
        for move in choice.legal_moves[:moves]:
            choice.push(move)
            found = choice.legal_moves.texts
            texts += len(found)
            length += sum(map(len, found))
            choice.pop()
        return Result(texts, length)

    return run


KINDS: dict[str, Callable[[Position, str], Run]] = {
    "perft": lambda position, name: _perft(position, GAMES[name].perft),
    "playouts": lambda position, name: _playouts(position, GAMES[name].playouts),
    "negamax": lambda position, name: _negamax(position, GAMES[name].negamax),
    "axiom": lambda position, name: _axiom(position, GAMES[name].axiom),
    "texts": lambda position, _name: _texts(position, TEXT_MOVES),
}
"""For each kind of run a function that prepares it for the first position of a game."""

C_FUNCTIONS = {
    "perft": "fvm_perft",
    "playouts": "fvm_playouts",
    "negamax": "fvm_deepening_search",
    "axiom": "fvm_search_axiom",
}
"""The C function that does the whole work of a run."""
