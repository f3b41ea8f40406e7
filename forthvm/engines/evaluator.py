"""Evaluations in Python: a function that a native search asks in place of OnEvaluate.

Owns what the function is shown of a position, and how it gets into the search.  It must not
know which search asks.
"""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.engines.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.game import Game

__all__ = ["Evaluator", "Glance", "as_evaluator", "lend"]

_CELL = 4
_MOST = 2**31 - 1


class Glance:
    """A position inside a search, as an evaluator may look at it; good only until it returns.

    Attributes:
        game: The game.
    """

    __slots__ = ("_native", "game")

    def __init__(self, game: Game) -> None:
        """What the game's VM has in memory."""
        self.game = game
        self._native = game.vm.native

    @property
    def cells(self) -> memoryview:
        """The board's cells, variables included, as signed 32-bit numbers."""
        native, tables = self._native, self.game.tables
        board = native.read_cell(tables.variables.board)
        return memoryview(native.read(board, tables.board_cells * _CELL)).cast("i")

    @property
    def player_index(self) -> int:
        """Place of the player to whom the answer belongs among the game's players, from 0."""
        return self._native.read_cell(self.game.tables.variables.player_offset) // _CELL

    @property
    def turn(self) -> str:
        """His name."""
        return self.game.players[self.player_index]


class Evaluator:
    """A function from a Glance to what the position is worth to the player to move."""

    def __init__(self, function: Callable[[Glance], int]) -> None:
        """Wraps the function."""
        self.function = function

    def __call__(self, glance: Glance) -> int:
        """Ask it.

        Raises:
            EngineError: it answered something that is no whole number.
        """
        value = self.function(glance)
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise EngineError(f"the evaluator answered {value!r}, which is no whole number")
        return max(-_MOST, min(value.__index__(), _MOST))


def as_evaluator(value: object) -> Evaluator:
    """Reads the option: a function, or where one is, as `module:function`."""
    if isinstance(value, str):
        module, _, name = value.partition(":")
        try:
            value = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise ValueError(f"{error}") from error
    if not callable(value):
        raise TypeError(f"expected a function, not {value!r}")
    return value if isinstance(value, Evaluator) else Evaluator(value)


@contextmanager
def lend(evaluator: Evaluator, game: Game) -> Iterator[None]:
    """The game's VM asks the evaluator while the block runs; its memory is not kept."""
    glance = Glance(game)
    with game.vm.lend_word("OnEvaluate", "( -- score )", lambda: evaluator(glance)):
        yield
