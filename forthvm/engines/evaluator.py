"""Evaluators in Python: functions that the search in C calls in place of OnEvaluate.

Owns the view of a position that is passed to the function, the installation of the function in
the VM, and the handling of its errors.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.failure import Unwinding
from forthvm.core.text.visible import shown
from forthvm.engines.errors import (
    EvaluatorError,
    describe_error,
    import_object,
    user_code_location,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.game import Game

__all__ = ["EvaluationView", "Evaluator", "installed_evaluator", "read_evaluator"]

_TURN_BYTES = 12
"""Size of an entry of the turn order in bytes."""
_MAX_VALUE = 2**31 - 1


class EvaluationView:
    """The read-only view of a position in a search; valid only until the evaluator returns.

    All calls of an evaluator receive one view object with one `cells` array.  An evaluator may
    therefore keep `numpy.asarray(view.cells)`: reading `view.cells` updates the array.

    Attributes:
        game: The game.
    """

    __slots__ = ("_bytes", "_cells", "_is_current", "_native", "game")

    def __init__(self, game: Game) -> None:
        """Create a view of the position in the game's VM."""
        self.game = game
        self._native = game._loaded.vm.native
        self._cells = memoryview(array("i", bytes(CELL * game._loaded.tables.board_cells)))
        self._bytes = self._cells.cast("B")
        self._is_current = False

    @property
    def cells(self) -> memoryview[int]:
        """The board's cells, variables included, as signed 32-bit numbers."""
        if not self._is_current:
            native = self._native
            board = native.read_cell(self.game._loaded.tables.variables.board)
            self._bytes[:] = native.read(board, len(self._bytes))
            self._is_current = True
        return self._cells

    @property
    def player_index(self) -> int:
        """Index in `game.players` of the player for whom the position is evaluated."""
        return self._native.read_cell(self.game._loaded.tables.variables.player_offset) // CELL

    @property
    def turn(self) -> str:
        """The player for whom the position is evaluated."""
        return self.game.players[self.player_index]

    @property
    def turn_index(self) -> int:
        """Index in `game.turn_order` of the current turn."""
        return self._native.read_cell(self.game._loaded.tables.variables.turn_offset) // _TURN_BYTES

    @property
    def mover(self) -> str:
        """The player to move; differs from `turn` if the search evaluates for another player."""
        return self.game.turn_order[self.turn_index].player

    @property
    def turn_number(self) -> int:
        """The number of turns begun since the start of the game, like `Position.turn_number`."""
        return self._native.read_cell(self.game._loaded.tables.variables.turn_number)

    def invalidate(self) -> None:
        """Note that the position has changed: the next read of `cells` copies the board again."""
        self._is_current = False


class Evaluator:
    """A function that returns the score of an EvaluationView for the player `view.turn`."""

    def __init__(self, function: Callable[[EvaluationView], int]) -> None:
        """Wrap a function."""
        self.function = function
        self.name = str(getattr(function, "__qualname__", None) or type(function).__qualname__)

    def __call__(self, view: EvaluationView) -> int:
        """Call the function.

        Raises:
            EvaluatorError: The function raised an exception, or its result is not an integer.
        """
        try:
            value = self.function(view)
        except (KeyboardInterrupt, Unwinding):
            raise
        except BaseException as error:
            raise EvaluatorError(
                self.name, f"failed: {describe_error(error)}", user_code_location(error)
            ) from error
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            hint = "round() converts it" if isinstance(value, float) and isfinite(value) else ""
            problem = f"returned {shown(value)}, which is not an integer"
            raise EvaluatorError(self.name, problem, hint)
        try:
            return max(-_MAX_VALUE, min(value.__index__(), _MAX_VALUE))
        except Exception as error:
            problem = f"returned {shown(value)}, which is not an integer: {error}"
            raise EvaluatorError(self.name, problem) from error


def read_evaluator(value: object) -> Evaluator:
    """Return the evaluator for the value of an option: a function, or `module:function`."""
    if isinstance(value, str):
        module, colon, name = value.partition(":")
        if not (module and colon and name):
            raise ValueError(f"expected module:function, not {value!r}")
        try:
            value = import_object(module, name)
        except ImportError as error:
            raise ValueError(f"{error}") from error
    if not callable(value):
        raise TypeError(f"expected a function, not {value!r}")
    return value if isinstance(value, Evaluator) else Evaluator(value)


@contextmanager
def installed_evaluator(
    evaluator: Evaluator, game: Game, *, engine: str | None = None, ply: int | None = None
) -> Iterator[None]:
    """Make the game's VM call the evaluator in place of OnEvaluate during the block.

    The caller restores the memory of the VM afterwards.

    Args:
        evaluator: The evaluator to call.
        game: The game whose VM searches.
        engine: Name of the searching engine, for error messages.
        ply: Ply of the root position, for error messages.
    """
    view = EvaluationView(game)

    def evaluate() -> int:
        view.invalidate()
        return evaluator(view)

    try:
        with game._loaded.vm.temporary_word("OnEvaluate", "( -- score )", evaluate):
            yield
    except EvaluatorError as error:
        error.set_context(engine, ply)
        raise
