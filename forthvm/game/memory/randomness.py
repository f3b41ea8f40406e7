"""The random streams of a position: to read, to set, to start anew.

Owns where the streams are in memory.  They live there like everything else that influences a
script; their place is found by starting each stream and looking at what changed.  It must not
know how numbers are drawn, only how likely each move of a chance player is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.value import Value
from forthvm.game.states import State
from forthvm.game.tables import cells_of

from .differences import changed_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.bindings import NativeVM, Snapshot
    from forthvm.game.game import Game
    from forthvm.game.states import States

__all__ = ["RandomState", "Streams", "chances_of"]

_STREAMS = (1, 2, 3)
_PROBES = (0x55555555, -0x55555556)  # no cell can equal both


def chances_of(game: Game, player: int, moves: Sequence[object]) -> tuple[float, ...]:
    """How likely each move is, if the player at that place among the game's players draws it."""
    count = len(moves)
    engine = game.player_details[player].engine
    if engine == "$RandomMoveEngine" and game.axiom.startswith("140"):
        return tuple((1 + (index == 0)) / (count + 1) for index in range(count))
    return (1 / max(count, 1),) * count


class RandomState(Value):
    """The complete state of all random streams, opaque: compare it, keep it, set it."""

    streams: tuple[tuple[int, ...], ...]


class Streams:
    """Where the random streams of a VM are."""

    def __init__(self, native: NativeVM) -> None:
        """Finds them, using the VM's memory: the caller brings a state back afterwards."""
        starts = [_place(native, stream) for stream in _STREAMS]
        self._native = native
        self._starts = starts
        # Streams are records of one size, one after the other.
        self._cells = (starts[1] - starts[0]) // CELL

    def read(self, memory: Snapshot) -> RandomState:
        """The streams as they are in a memory."""
        length = self._cells * CELL
        return RandomState(
            tuple(
                cells_of(memory.read(start, length).ljust(length, b"\0")) for start in self._starts
            )
        )

    def changed(self, states: States, state: State, value: RandomState) -> State:
        """The same position with other streams.

        Raises:
            ValueError: the value is from another version of forthvm.
        """
        if [len(stream) for stream in value.streams] != [self._cells] * len(self._starts):
            raise ValueError("this random state belongs to another version of forthvm")
        cells = {
            start + CELL * at: cell
            for start, stream in zip(self._starts, value.streams, strict=True)
            for at, cell in enumerate(stream)
        }
        memory = state.current
        patched = memory.patch(cells, memory.stack())
        played = patched if state.played else None
        return states.adopt(
            state.arrived if state.played else patched, skipped=state.skipped, played=played
        )

    def seeded(self, states: States, state: State, seeds: dict[int, int]) -> RandomState:
        """The streams of a position after some were started anew."""
        with states.borrowed(state, listed=False) as native:
            for stream, seed in seeds.items():
                native.seed(stream, seed)
            return self.read(native.snapshot_take())


def _place(native: NativeVM, stream: int) -> int:
    """Address of the first cell that starting a stream changes."""
    native.seed(stream, _PROBES[0])
    one = native.snapshot_take()
    native.seed(stream, _PROBES[1])
    return changed_runs(native.snapshot_take(), one)[0][0]
