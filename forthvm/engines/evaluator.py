"""Evaluations in Python: a function that a native search asks in place of OnEvaluate.

Owns what the function is shown of a position, how it gets into the search, and what is said
when it fails.  It must not know which search asks.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.failure import Unwinding
from forthvm.engines.errors import EvaluatorError, imported, named, place_of, repr_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.game import Game

__all__ = ["EvaluationView", "Evaluator", "as_evaluator", "lend"]

_SLOT = 12
"""Bytes of an entry of the turn order."""
_MOST = 2**31 - 1


class EvaluationView:
    """A position inside a search, as an evaluator may look at it; good only until it returns.

    It is the same object each time, and so is `cells`: an evaluator may keep what it has made
    of that array once, such as `numpy.asarray(view.cells)`, which then shows the position
    that is asked about whenever `cells` has been read.

    Attributes:
        game: The game.
    """

    __slots__ = ("_bytes", "_cells", "_fresh", "_native", "game")

    def __init__(self, game: Game) -> None:
        """What the game's VM has in memory."""
        self.game = game
        self._native = game.vm.native
        self._cells = memoryview(array("i", bytes(CELL * game.tables.board_cells)))
        self._bytes = self._cells.cast("B")
        self._fresh = False

    @property
    def cells(self) -> memoryview[int]:
        """The board's cells, variables included, as signed 32-bit numbers."""
        if not self._fresh:
            native = self._native
            board = native.read_cell(self.game.tables.variables.board)
            self._bytes[:] = native.read(board, len(self._bytes))
            self._fresh = True
        return self._cells

    @property
    def player_index(self) -> int:
        """Place of the player to whom the answer belongs among the game's players, from 0."""
        return self._native.read_cell(self.game.tables.variables.player_offset) // CELL

    @property
    def turn(self) -> str:
        """His name."""
        return self.game.players[self.player_index]

    @property
    def turn_index(self) -> int:
        """Place in `game.turn_order` of the turn under way, as `Position.turn_index`."""
        return self._native.read_cell(self.game.tables.variables.turn_offset) // _SLOT

    @property
    def mover(self) -> str:
        """Whose turn it is; another than `turn` where a search asks for somebody else."""
        return self.game.turn_order[self.turn_index].player

    @property
    def turn_number(self) -> int:
        """Turns begun so far in the game and on the way here, as `Position.turn_number`."""
        return self._native.read_cell(self.game.tables.variables.turn_number)

    def renew(self) -> None:
        """Another position is in memory; for the search."""
        self._fresh = False


class Evaluator:
    """A function from an EvaluationView to the value for the player whose `turn` it is."""

    def __init__(self, function: Callable[[EvaluationView], int]) -> None:
        """Wraps the function."""
        self.function = function
        self.name = str(getattr(function, "__qualname__", None) or type(function).__qualname__)

    def __call__(self, view: EvaluationView) -> int:
        """Ask it.

        Raises:
            EvaluatorError: it failed (whatever it raised is the cause), or answered something
                that is no whole number.
        """
        try:
            value = self.function(view)
        except (KeyboardInterrupt, Unwinding):
            raise
        except BaseException as error:
            raise EvaluatorError(self.name, f"failed: {named(error)}", place_of(error)) from error
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            hint = "round() makes one of it" if isinstance(value, float) and isfinite(value) else ""
            wrong = f"answered {repr_of(value)}, which is no whole number"
            raise EvaluatorError(self.name, wrong, hint)
        try:
            return max(-_MOST, min(value.__index__(), _MOST))
        except Exception as error:
            wrong = f"answered {repr_of(value)}, which is no whole number: {error}"
            raise EvaluatorError(self.name, wrong) from error


def as_evaluator(value: object) -> Evaluator:
    """Reads the option: a function, or where one is, as `module:function`."""
    if isinstance(value, str):
        module, found, name = value.partition(":")
        if not (module and found and name):
            raise ValueError(f"expected module:function, not {value!r}")
        try:
            value = imported(module, name)
        except ImportError as error:
            raise ValueError(f"{error}") from error
    if not callable(value):
        raise TypeError(f"expected a function, not {value!r}")
    return value if isinstance(value, Evaluator) else Evaluator(value)


@contextmanager
def lend(
    evaluator: Evaluator, game: Game, *, engine: str | None = None, ply: int | None = None
) -> Iterator[None]:
    """The game's VM asks the evaluator while the block runs; its memory is not kept.

    Args:
        evaluator: Whom to ask.
        game: Whose VM searches.
        engine: Name of the engine that searches, for errors.
        ply: Of the position it searches.
    """
    view = EvaluationView(game)

    def ask() -> int:
        view.renew()
        return evaluator(view)

    try:
        with game.vm.lend_word("OnEvaluate", "( -- score )", ask):
            yield
    except EvaluatorError as error:
        error.asked(engine, ply)
        raise
