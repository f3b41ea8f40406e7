"""Engines without search: the first legal move, or a random one.

They must use only the public interface of a position: they also serve as the shortest examples
of an engine.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, ClassVar

from forthvm.engines.errors import EngineError
from forthvm.engines.options import take, whole
from forthvm.engines.protocol import Engine, Limits, Reporter, SearchResult, check_limits
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from forthvm.game import MoveList, Position

__all__ = ["FirstEngine", "RandomEngine", "moves_of"]


def moves_of(position: Position, limits: Limits | None = None) -> MoveList:
    """The legal moves, at least one; checks the arguments of `play`.

    Raises:
        TypeError: `position` is not a Position, or `limits` not Limits.
        EngineError: the position is decided, or the player has no move.
    """
    check_position(position, "play")
    check_limits(limits)
    if position.result is not None:
        raise EngineError("the game is over: there is no move to choose")
    moves = position.legal_moves
    if not moves:
        raise EngineError(f"{position.turn} has no legal move")
    return moves


class FirstEngine(Engine):
    """Plays the first move of the list."""

    name = "first"

    def __init__(self, **options: object) -> None:
        """Takes no options."""
        take(self.name, options, {})

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Answers at once; limits have no effect."""
        start = time.perf_counter()
        move = moves_of(position, limits)[0]
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)


class RandomEngine(Engine):
    """Plays a random legal move, all equally likely.

    It uses a random stream of its own, not the game's, so the choice of engines does not change
    the dice.  Option `seed`: an engine with the same seed repeats its moves.
    """

    name = "random"
    _readers: ClassVar = {"seed": whole(-(2**63))}

    def __init__(self, **options: object) -> None:
        """Option: seed."""
        seed = take(self.name, options, self._readers).get("seed")
        self._random = random.Random(seed)

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Answers at once; limits have no effect."""
        start = time.perf_counter()
        moves = moves_of(position, limits)
        move = moves[self._random.randrange(len(moves))]
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)
