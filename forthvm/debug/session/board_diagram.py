"""The board in the midst of a run.

Owns reading its cells from a VM that has stopped.  It must not know how a diagram is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.game import Position
from forthvm.game.outcome import UNKNOWN
from forthvm.game.states import State
from forthvm.game.tables import cells_of
from forthvm.render.source import diagram, with_cells

if TYPE_CHECKING:
    from collections.abc import Collection

    from forthvm.core.bindings import NativeVM
    from forthvm.render import Diagram

__all__ = ["Picture"]


class Picture:
    """Draws what the VM of a game holds, in the shape of the position that a run began with."""

    def __init__(self, position: Position) -> None:
        """Looks at the position once, before the run."""
        # A copy that does not ask the script whether the game is over: that may be what fails.
        state = State(position.state.current, partial=position.is_partial)
        state.code = UNKNOWN
        self._diagram = diagram(Position(position.game, state, position.history), everything=True)
        self._game = position.game

    def now(self, native: NativeVM, marks: Collection[str]) -> Diagram:
        """The board that the script sees at the moment, some places marked."""
        game = self._game
        board = native.read_cell(game.tables.variables.board)
        cells = cells_of(native.read(board, CELL * len(game.positions)))
        return with_cells(self._diagram, game, cells, marks)
