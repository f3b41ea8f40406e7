"""The saved state of a session, for undo.

Owns the fields of a saved state and the comparison of saved states; session.py saves and restores
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, MOVE_TEXT, PAD

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot
    from forthvm.core.vm import VM
    from forthvm.game import Game, Position
    from forthvm.game.tables import Tables
    from forthvm.repl.session import Line

__all__ = ["SavedState", "equal_except_pad", "equal_states"]


@dataclass(frozen=True)
class SavedState:
    """Everything in a session that a line or command can change.

    Attributes:
        vm, game, position, lines: The attributes of the session.
        snapshot: The state of the VM; None with a game, because `position` has the state.
        base: The state of the VM at the beginning of the session.
        base_here: The end of the dictionary in `base`.
        game_base: The state in which a new game starts; None without a game.
        tables: The tables of the game; None without a game.
    """

    vm: VM
    game: Game | None
    position: Position | None
    snapshot: Snapshot | None
    lines: tuple[Line, ...]
    base: Snapshot
    base_here: int
    game_base: Snapshot | None
    tables: Tables | None


def equal_except_pad(current: Snapshot, before: Snapshot) -> bool:
    """Whether two snapshots are equal except in PAD, which reading a token overwrites."""
    from forthvm.game.memory.differences import changed_runs

    if current.stack() != before.stack():
        return False
    runs = changed_runs(current, before)
    pad_end = MOVE_TEXT
    return all(at >= PAD and at + CELL * len(cells) <= pad_end for at, cells in runs)


def equal_states(current: SavedState, before: SavedState) -> bool:
    """Whether two saved states are equal."""
    fields = ("vm", "game", "position", "base", "game_base", "tables")
    if current.lines != before.lines or any(
        getattr(current, field) is not getattr(before, field) for field in fields
    ):
        return False
    if current.snapshot is None or before.snapshot is None:
        return True
    return equal_except_pad(current.snapshot, before.snapshot)
