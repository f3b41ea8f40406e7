"""Engines without search: the first legal move, or a random one.

These engines are also examples for authors of engines, so they must use only the public interface
of a position.
"""

from __future__ import annotations

import random
import time
import warnings
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakSet

from forthvm.engines.errors import EngineError
from forthvm.engines.options import integer, parse_options
from forthvm.engines.protocol import Engine, Limits, Reporter, SearchResult, check_limits
from forthvm.game.memory.variables import outside_board
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from forthvm.game import Game, MoveList, Position

__all__ = ["FirstEngine", "RandomEngine", "checked_moves"]


def checked_moves(position: Position, limits: Limits | None = None) -> MoveList:
    """Check the arguments of `play`, and return the legal moves, at least one.

    Raises:
        TypeError: `position` is not a Position, or `limits` is not Limits.
        EngineError: The position is decided, or the player has no move.
    """
    check_position(position, "play")
    check_limits(limits)
    if position.result is not None:
        raise EngineError("the game is over: there is no move to choose")
    moves = position.legal_moves
    if not moves:
        raise EngineError(f"{position.turn} has no legal move")
    _warn_of_board(position.game)
    return moves


_KNOWN: WeakSet[Game] = WeakSet()
"""The games of which it is known whether variables lie beyond the board."""


def _warn_of_board(game: Game) -> None:
    """Warn once of variables of a game beyond its board: searches cannot restore them."""
    if game in _KNOWN:
        return
    _KNOWN.add(game)
    names = ", ".join(f"`{name}`" for name in outside_board(game._loaded))
    if names:
        text = (
            f"{game.path.name}: the board does not contain {names}, because a {{position}} follows:"
            " put each {position} before the variables (`forthvm check` shows where: W407)"
        )
        warnings.warn(text, RuntimeWarning, stacklevel=4)


class FirstEngine(Engine):
    """Plays the first move of the list."""

    name = "first"

    def __init__(self, **options: object) -> None:
        """Accept no options."""
        parse_options(self.name, options, {})

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Return a move immediately; limits have no effect."""
        start = time.perf_counter()
        move = checked_moves(position, limits)[0]
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)


class RandomEngine(Engine):
    """Plays a random legal move; all legal moves are equally likely.

    The random numbers are not those of the game, so that the engine does not change the dice.  Two
    engines with equal options `seed` choose the same moves.
    """

    name = "random"
    _readers: ClassVar = {"seed": integer(-(2**63))}

    def __init__(self, **options: object) -> None:
        """Parse the option seed."""
        seed = parse_options(self.name, options, self._readers).get("seed")
        self._random = random.Random(seed)

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Return a move immediately; limits have no effect."""
        start = time.perf_counter()
        moves = checked_moves(position, limits)
        move = moves[self._random.randrange(len(moves))]
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)
