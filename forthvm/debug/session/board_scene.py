"""The board while a run is stopped.

Owns the reading of the board's cells from the VM.  Delegates the layout to forthvm.render.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.game import Position
from forthvm.game.outcome import UNKNOWN
from forthvm.game.states import State
from forthvm.game.tables import cells_of
from forthvm.render.scene import scene, with_cells

if TYPE_CHECKING:
    from collections.abc import Collection

    from forthvm.core.bindings import NativeVM
    from forthvm.render.scene_types import Scene

__all__ = ["BoardScene"]


class BoardScene:
    """Makes scenes of the VM's current board, based on the position where the run began."""

    def __init__(self, position: Position) -> None:
        """Draw the position from which the run began; `current` replaces its cells."""
        # The copy of the state has a result, so that drawing does not run OnIsGameOver, which may
        # fail.
        state = State(position._state.current, partial=position.is_partial)
        state.code = UNKNOWN
        self._scene = scene(
            Position(position.game, state, position.history), everything=True, effects=False
        )
        self._game = position.game

    def current(self, native: NativeVM, marks: Collection[str]) -> Scene:
        """Return the current board of the VM, with some board positions marked."""
        game = self._game
        board = native.read_cell(game._loaded.tables.variables.board)
        cells = cells_of(native.read(board, CELL * len(game.positions)))
        return with_cells(self._scene, game, cells, marks)
