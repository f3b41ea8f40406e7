"""Evaluators in Python: a function that the search in C calls in place of OnEvaluate.

Owns the view of a position that the function gets, its installation in the VM, and the
handling of its errors.  It must not know which search calls it.
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
    """The read-only view of a position in a search; valid only until the evaluator returns.

    Every call gets the same object with the same `cells` array.  An evaluator may therefore
    keep a wrapper such as `numpy.asarray(view.cells)`: reading `view.cells` updates it to the
    current position.

    Attributes:
        game: The game.
    """

    __slots__ = ("_bytes", "_cells", "_fresh", "_native", "game")

    def __init__(self, game: Game) -> None:
        """A view of the position in the game's VM."""
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
        """Index in `game.players` of the player for whom the position is evaluated."""
        return self._native.read_cell(self.game.tables.variables.player_offset) // CELL

    @property
    def turn(self) -> str:
        """Name of the player for whom the position is evaluated."""
        return self.game.players[self.player_index]

    @property
    def turn_index(self) -> int:
        """Index in `game.turn_order` of the current turn, as `Position.turn_index`."""
        return self._native.read_cell(self.game.tables.variables.turn_offset) // _SLOT

    @property
    def mover(self) -> str:
        """The player to move; not `turn` if a search evaluates for another player."""
        return self.game.turn_order[self.turn_index].player

    @property
    def turn_number(self) -> int:
        """Turns begun in the game and in the search up to here, as `Position.turn_number`."""
        return self._native.read_cell(self.game.tables.variables.turn_number)

    def renew(self) -> None:
        """Called by the search: the VM contains another position now."""
        self._fresh = False


class Evaluator:
    """A function from an EvaluationView to the value for the player whose `turn` it is."""

    def __init__(self, function: Callable[[EvaluationView], int]) -> None:
        """Wraps the function."""
        self.function = function
        self.name = str(getattr(function, "__qualname__", None) or type(function).__qualname__)

    def __call__(self, view: EvaluationView) -> int:
        """Call the function.

        Raises:
            EvaluatorError: it raised an exception (which is the cause), or its answer is not an
                integer.
        """
        try:
            value = self.function(view)
        except (KeyboardInterrupt, Unwinding):
            raise
        except BaseException as error:
            raise EvaluatorError(self.name, f"failed: {named(error)}", place_of(error)) from error
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            hint = "round() converts it" if isinstance(value, float) and isfinite(value) else ""
            wrong = f"answered {repr_of(value)}, which is not an integer"
            raise EvaluatorError(self.name, wrong, hint)
        try:
            return max(-_MOST, min(value.__index__(), _MOST))
        except Exception as error:
            wrong = f"answered {repr_of(value)}, which is not an integer: {error}"
            raise EvaluatorError(self.name, wrong) from error


def as_evaluator(value: object) -> Evaluator:
    """Reads the option: a function, or its name as `module:function`."""
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
    """Within the block, the game's VM calls the evaluator.

    The caller restores the memory of the VM afterwards.

    Args:
        evaluator: The evaluator to call.
        game: The game whose VM searches.
        engine: Name of the engine that searches, for errors.
        ply: Ply of the position that it searches, for errors.
    """
    view = EvaluationView(game)

    def ask() -> int:
        view.renew()
        return evaluator(view)

    try:
        with game.vm.temporary_word("OnEvaluate", "( -- score )", ask):
            yield
    except EvaluatorError as error:
        error.asked(engine, ply)
        raise
