"""The state of the VM in a position: its memory, and what has been read from it.

states.py saves, restores and derives states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .outcome import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.bindings import Snapshot

__all__ = ["State"]


class State:
    """The state of the VM in a position.

    Attributes:
        arrived: Memory at the stage *arrived* (states.py), before the moves are generated; set if
            `saved`.
        listed: Memory at the stage *listed*, with the move list, if it has been stored.
        engine_ran: Whether an engine of the script changed `listed`, which then cannot be
            derived from `arrived`.
        partial: Whether the last move was partial.
        skipped: Number of successive passes of players without moves.
        code: The result of OnIsGameOver, None before it was called.
        comment: The result comment, if the code ends the game.
        player: Index of the player to move, None before it was read.
        moves: Addresses of the moves in the list, None before the list was generated.
        texts: Texts of the moves, None before they were read.
        normalized: Memory without scratch memory, None before the position was compared.  A
            second snapshot is added if an engine changed the memory.
        saved: Whether the state can be restored; otherwise it is only in the VM's memory.
        private: Whether the state is unsaved, and only one position refers to it.
        dropped: Whether no position refers to the state any more, so it need not be saved.
        known_to_continue: Whether `player` is set, and the game is known to continue with one of
            `moves`.
    """

    __slots__ = (
        "__weakref__",
        "arrived",
        "code",
        "comment",
        "dropped",
        "engine_ran",
        "known_to_continue",
        "listed",
        "moves",
        "normalized",
        "partial",
        "player",
        "private",
        "saved",
        "skipped",
        "texts",
    )

    arrived: Snapshot

    def __init__(
        self, arrived: Snapshot | None, *, partial: bool = False, skipped: int = 0
    ) -> None:
        """Create a state at the stage *arrived*; without a snapshot, it is not saved."""
        self.saved = arrived is not None
        self.private = arrived is None
        if arrived is not None:
            self.arrived = arrived
        self.dropped = False
        self.known_to_continue = False
        self.partial = partial
        self.skipped = skipped
        self.engine_ran = False
        self.listed: Snapshot | None = None
        self.code: int | None = UNKNOWN if partial else None
        self.comment = ""
        self.player: int | None = None
        self.moves: Sequence[int] | None = None
        self.texts: tuple[str, ...] | None = None
        self.normalized: tuple[Snapshot, ...] | None = None

    @property
    def current(self) -> Snapshot:
        """The memory from which play continues: as arrived, or as an engine changed it."""
        return self.listed if self.engine_ran and self.listed is not None else self.arrived

    def same(self, other: State) -> bool:
        """Return whether memory (including scratch memory), stack and counters are equal."""
        return (
            self.skipped == other.skipped
            and self.partial == other.partial
            and self.engine_ran == other.engine_ran
            and self.arrived.equal(other.arrived)
            and self.current.equal(other.current)
        )
