"""The random streams of a position: reads, sets and seeds them.

Owns the addresses of the streams in memory, and the probabilities of a chance player's moves.  The
addresses are found by seeding each stream and comparing memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.game.states import State
from forthvm.game.tables import cells_of

from .differences import changed_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.bindings import NativeVM, Snapshot
    from forthvm.game.loaded import LoadedGame
    from forthvm.game.states import States

__all__ = ["RandomState", "Streams", "chances_of", "streams_of"]

_STREAMS = (1, 2, 3)
_PROBE_SEEDS = (0x55555555, -0x55555556)  # as they differ in every bit, they change every cell


def chances_of(game: LoadedGame, player: int, moves: Sequence[object]) -> tuple[float, ...]:
    """Return the probability of each move of the chance player with index `player`."""
    count = len(moves)
    engine = game.tables.players[player].engine
    if engine == "$RandomMoveEngine" and game.axiom.startswith("140"):
        # Version 140 chooses the first move twice as often as each other move.
        return tuple((1 + (index == 0)) / (count + 1) for index in range(count))
    return (1 / max(count, 1),) * count


@dataclass(frozen=True)
class RandomState:
    """The complete state of all random streams, an opaque value to compare, store and set."""

    streams: tuple[tuple[int, ...], ...]


def streams_of(game: LoadedGame) -> Streams:
    """Return the random streams of a game's VM."""
    return game.once(_streams_of)


def _streams_of(game: LoadedGame) -> Streams:
    with game.states.lock:
        native = game.states.restore_base(game.base)
        try:
            return Streams(native)
        finally:
            native.snapshot_restore(game.base)


class Streams:
    """The random streams of a VM, with their addresses."""

    def __init__(self, native: NativeVM) -> None:
        """Find the addresses; this changes the VM's memory, which the caller must restore."""
        starts = [_address(native, stream) for stream in _STREAMS]
        self._native = native
        self._starts = starts
        # Streams are adjacent records of equal size.
        self._cells_per_stream = (starts[1] - starts[0]) // CELL

    def read(self, memory: Snapshot) -> RandomState:
        """Return the state of the streams in a snapshot."""
        length = self._cells_per_stream * CELL
        return RandomState(
            tuple(
                cells_of(memory.read(start, length).ljust(length, b"\0")) for start in self._starts
            )
        )

    def changes_to(self, memory: Snapshot, other: Snapshot) -> dict[int, int]:
        """Return the cells, by address, that give `memory` the streams of `other`."""
        start, length = self._starts[0], len(self._starts) * self._cells_per_stream * CELL
        streams = other.read(start, length).ljust(length, b"\0")
        if memory.read(start, length).ljust(length, b"\0") == streams:
            return {}
        return dict(zip(range(start, start + length, CELL), cells_of(streams), strict=True))

    def replaced(self, states: States, state: State, value: RandomState) -> State:
        """Return the same position with the given random streams.

        Raises:
            ValueError: The value is from another version of forthvm.
        """
        sizes = [self._cells_per_stream] * len(self._starts)
        if [len(stream) for stream in value.streams] != sizes:
            raise ValueError("this random state belongs to another version of forthvm")
        cells = {
            start + CELL * index: cell
            for start, stream in zip(self._starts, value.streams, strict=True)
            for index, cell in enumerate(stream)
        }
        memory = state.current
        patched = memory.patch(cells, memory.stack())
        engine_memory = patched if state.engine_ran else None
        return states.from_memory(
            state.arrived if state.engine_ran else patched,
            skipped=state.skipped,
            engine_memory=engine_memory,
        )

    def reseeded(self, states: States, state: State, seed: int) -> State:
        """Return the same position after the script's two streams were seeded."""
        return self.replaced(states, state, self.seeded(states, state, {1: seed, 2: seed}))

    def seeded(self, states: States, state: State, seeds: dict[int, int]) -> RandomState:
        """Return the streams of a position after seeding some of them."""
        with states.in_memory(state, listed=False) as native:
            for stream, seed in seeds.items():
                native.seed(stream, seed)
            return self.read(native.snapshot_take())


def _address(native: NativeVM, stream: int) -> int:
    """Return the address of the first cell that seeding a stream changes."""
    native.seed(stream, _PROBE_SEEDS[0])
    before = native.snapshot_take()
    native.seed(stream, _PROBE_SEEDS[1])
    return changed_runs(native.snapshot_take(), before)[0][0]
