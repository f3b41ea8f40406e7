"""Networks in C: evaluations that were learned by self-play, and the trainer that learns them.

The values are defined in native/network/network.h; names of fields are those of forthvm.h.
"""

from __future__ import annotations

import struct
import sys
from array import array
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

from .clib import ffi, lib

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .clib import CData

__all__ = [
    "NETWORK_CELLS",
    "NETWORK_FEATURES",
    "NETWORK_HIDDEN",
    "NETWORK_SCORE",
    "NETWORK_TABLES",
    "NETWORK_UNIT",
    "Network",
    "NetworkInputs",
    "NetworkWeights",
    "Trainer",
]

NETWORK_CELLS: int = lib.FVM_NETWORK_CELLS
"""The maximum number of cells of the board."""
NETWORK_FEATURES: int = lib.FVM_NETWORK_FEATURES
"""The maximum number of features."""
NETWORK_HIDDEN: int = lib.FVM_NETWORK_HIDDEN
"""The maximum number of hidden units."""
NETWORK_TABLES: int = lib.FVM_NETWORK_TABLES
"""The maximum number of weights of patterns."""
NETWORK_SCORE: int = lib.FVM_NETWORK_SCORE
"""The maximum unit of scores, and factor of OnEvaluate's value."""
NETWORK_UNIT: int = lib.FVM_NETWORK_UNIT
"""The unit of direct weights, and of scores without OnEvaluate."""


@dataclass(frozen=True)
class NetworkInputs:
    """What a network sees of a position; see `fvm_network_spec`.

    Attributes:
        cells: The number of cells of the board that are read.
        views: The number of players who choose moves.
        types: The number of piece types.
        owner_kinds: The number of kinds of owners.
        turn_entries: The number of entries of the turn order.
        features: The number of features.
        patterns: The number of patterns.
        pattern_size: The number of squares of a pattern.
        view_of: For each of 32 player numbers the index of the view, -1 for none.
        places: For each view and cell the first feature of the cell, -1 for none.
        owners: For each view and each of 64 values of a cell's owner bits the kind, -1 for none.
        turns: For each view and entry of the turn order the feature, -1 for none.
        numbers: For each cell least value, number of values, and number of ranges; 0 ranges for a
            cell that contains a piece.
        pattern_squares: For each pattern its squares, as seen by a view.
        pattern_shapes: For each pattern a number, the same for patterns in different places.
    """

    cells: int
    views: int
    types: int
    owner_kinds: int
    turn_entries: int
    features: int
    patterns: int
    pattern_size: int
    view_of: tuple[int, ...]
    places: tuple[int, ...]
    owners: tuple[int, ...]
    turns: tuple[int, ...]
    numbers: tuple[tuple[int, int, int], ...]
    pattern_squares: tuple[int, ...]
    pattern_shapes: tuple[int, ...]

    @property
    def table_weights(self) -> int:
        """The number of weights of all patterns."""
        most_squares = 32  # bounds the power; the core refuses such tables
        table: int = (self.types * self.owner_kinds + 1) ** min(self.pattern_size, most_squares)
        return self.patterns * table

    def has_sizes(self) -> bool:
        """Whether the lengths of the tables fit the numbers."""
        return (
            len(self.view_of) == 32
            and len(self.places) == self.views * self.cells
            and len(self.owners) == self.views * 64
            and len(self.turns) == self.views * self.turn_entries
            and len(self.numbers) == self.cells
            and len(self.pattern_squares) == self.patterns * self.pattern_size
            and len(self.pattern_shapes) == self.patterns
            and self.pattern_size <= self.cells
            and self.table_weights <= NETWORK_TABLES
        )


@dataclass(frozen=True)
class NetworkWeights:
    """The weights of a network: 16-bit integers, in little-endian bytes.

    Attributes:
        hidden: The number of hidden units; 0 for a linear network.
        weights: Weights of the features for the hidden units, feature by feature.
        direct: Weights of the features for the value.
        biases: Biases of the hidden units.
        outputs: Weights of the hidden units for the value.
        tables: For each pattern the weights of all that can stand on its squares.
        bias: The bias of the value.
        own: The factor of OnEvaluate's value; 0: it is not used.
        unit: The score at which the expected score is the logistic function of 1.
    """

    hidden: int
    weights: bytes
    direct: bytes
    biases: bytes
    outputs: bytes
    tables: bytes
    bias: int
    own: int
    unit: int

    @classmethod
    def read(cls, inputs: NetworkInputs, data: bytes, numbers: Mapping[str, int]) -> NetworkWeights:
        """Return weights whose arrays follow each other in the data.

        Args:
            inputs: The inputs.
            data: The arrays.
            numbers: The other fields by name: hidden, bias, own, unit.

        Raises:
            ValueError: The data has another size.
        """
        counts = [count for count in vars(inputs).values() if isinstance(count, int)]
        if min(*counts, numbers["hidden"]) < 0:
            raise ValueError("a number of the network is negative")
        sizes = [2 * size for size in _array_sizes(inputs, numbers["hidden"])]
        if len(data) != sum(sizes):
            raise ValueError(f"it has {len(data)} bytes of weights, not {sum(sizes)}")
        ends = list(accumulate(sizes, initial=0))
        rows, direct, biases, outputs, tables = (data[at:end] for at, end in pairwise(ends))
        return cls(
            weights=rows, direct=direct, biases=biases, outputs=outputs, tables=tables, **numbers
        )

    @classmethod
    def zero(
        cls, inputs: NetworkInputs, hidden: int, *, own: int = 0, unit: int = NETWORK_UNIT
    ) -> NetworkWeights:
        """Return weights with which every position has the value 0, or that of OnEvaluate."""
        data = bytes(2 * sum(_array_sizes(inputs, hidden)))
        return cls.read(inputs, data, {"hidden": hidden, "bias": 0, "own": own, "unit": unit})

    @property
    def numbers(self) -> dict[str, int]:
        """The fields that are not arrays, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, int)}

    @property
    def arrays(self) -> tuple[bytes, ...]:
        """The arrays in the order of files."""
        return self.weights, self.direct, self.biases, self.outputs, self.tables

    def has_sizes(self, inputs: NetworkInputs) -> bool:
        """Whether the lengths of the arrays fit the numbers."""
        sizes = _array_sizes(inputs, self.hidden)
        return all(len(array) == 2 * size for array, size in zip(self.arrays, sizes, strict=True))


class Network:
    """A network, which searches of several VMs may use."""

    def __init__(self, inputs: NetworkInputs, weights: NetworkWeights) -> None:
        """Copy the tables and the weights.

        Raises:
            ValueError: A number is out of range, the sizes do not fit, or there is no memory.
        """
        if not inputs.has_sizes() or not weights.has_sizes(inputs):
            raise ValueError("the tables and weights of the network do not fit together")
        self.inputs = inputs
        self.weights = weights
        try:
            network = _new_network(inputs, weights)
        except OverflowError:  # more than 32 bits
            network = ffi.NULL
        if network == ffi.NULL:
            raise ValueError("a number of the network is out of range")
        self.pointer: CData = ffi.gc(network, lib.fvm_network_free)

    @property
    def fields(self) -> tuple[int | bytes, ...]:
        """The fields of `fvm_network_spec` in its order; arrays in little-endian bytes."""
        values = {**vars(self.inputs), **vars(self.weights)}
        values["numbers"] = tuple(chain.from_iterable(self.inputs.numbers))
        fields = [values[name] for name, _ in ffi.typeof("fvm_network_spec").fields]
        return tuple(
            struct.pack(f"<{len(field)}i", *field) if isinstance(field, tuple) else field
            for field in fields
        )

    def features(self, board: bytes, turn: int, view: int) -> tuple[int, ...]:
        """Return the features of a board, given as the bytes of its cells, for a view."""
        self._check(board, view)
        found = ffi.new("uint16_t[]", self.inputs.cells + 1)
        cells = ffi.from_buffer("fvm_cell[]", board)
        return tuple(found[0 : lib.fvm_network_features(self.pointer, cells, turn, view, found)])

    def value(self, board: bytes, turn: int, view: int) -> int:
        """Return the value of a board, given as the bytes of its cells, without OnEvaluate's."""
        self._check(board, view)
        cells = ffi.from_buffer("fvm_cell[]", board)
        value: int = lib.fvm_network_value(self.pointer, cells, turn, view)
        return value

    def _check(self, board: bytes, view: int) -> None:
        if len(board) < 4 * self.inputs.cells or not 0 <= view < self.inputs.views:
            raise ValueError("the board is too small for the network, or there is no such view")


class Trainer:
    """Learns weights from positions; one thread uses it at a time."""

    def __init__(
        self, network: Network, maps: Sequence[Sequence[int]] = (), *, size: int, seed: int
    ) -> None:
        """Begin with the weights of a network.

        Args:
            network: Has the inputs and the first weights.
            maps: For each symmetry of the game, the identity among them, the feature that takes the
                place of each feature; default: only the identity.
            size: Memory for the newest positions, in bytes.
            seed: Seed of all random choices.

        Raises:
            MemoryError: There is not enough memory.
            ValueError: A map does not have each feature once.
        """
        identity = range(network.inputs.features)
        maps = maps or [identity]
        if any(sorted(each) != list(identity) for each in maps):
            raise ValueError("a map of features must have each of them once")
        features = ffi.new("uint16_t[]", list(chain.from_iterable(maps)))
        trainer = lib.fvm_trainer_new(network.pointer, features, len(maps), size, seed)
        if trainer == ffi.NULL:
            raise MemoryError("no memory to train a network")
        self._network = network
        self._pointer: CData = ffi.gc(trainer, lib.fvm_trainer_free)

    @property
    def positions(self) -> int:
        """The number of positions kept."""
        count: int = lib.fvm_trainer_positions(self._pointer)
        return count

    def add(self, board: bytes, turn: int, view: int, own: int, target: float) -> None:
        """Add a position with OnEvaluate's value and the expected score, 0 to 1, of a view."""
        self._network._check(board, view)
        cells = ffi.from_buffer("fvm_cell[]", board)
        lib.fvm_trainer_add(self._pointer, cells, turn, view, own, target)

    def run(self, batches: int, *, size: int, rate: float, shrinkage: float = 0.0) -> float:
        """Learn from random batches of positions; return the mean loss, -1 without positions.

        Args:
            batches: The number of batches.
            size: The number of positions of a batch.
            rate: About how much a weight changes in a batch.
            shrinkage: This times the rate is about the part of the weights that is lost in a batch.
        """
        loss: float = lib.fvm_trainer_run(self._pointer, batches, size, rate, shrinkage)
        return loss

    def network(self) -> Network:
        """Return a network with the present weights."""
        inputs, hidden = self._network.inputs, self._network.weights.hidden
        arrays = [array("h", bytes(2 * size)) for size in _array_sizes(inputs, hidden)]
        pointers = [ffi.from_buffer("int16_t[]", found) for found in arrays]
        bias, unit = ffi.new("int32_t *"), ffi.new("int32_t *")
        lib.fvm_trainer_weights(self._pointer, *[*pointers, bias, unit])
        data = b"".join(_native_order(numbers.tobytes()) for numbers in arrays)
        numbers = {**self._network.weights.numbers, "bias": bias[0], "unit": unit[0]}
        return Network(inputs, NetworkWeights.read(inputs, data, numbers))


def _array_sizes(inputs: NetworkInputs, hidden: int) -> tuple[int, ...]:
    """Return the sizes of the arrays of weights, in the order of their fields."""
    features = inputs.features
    return features * hidden, features, hidden, hidden, inputs.table_weights


def _new_network(inputs: NetworkInputs, weights: NetworkWeights) -> CData:
    """Return a network in C; NULL: a number is out of range."""
    spec = ffi.new("fvm_network_spec *")
    kept = []  # as long as the spec
    for name, value in {**vars(inputs), **vars(weights)}.items():
        if isinstance(value, int):
            setattr(spec, name, value)
            continue
        if isinstance(value, bytes):
            pointer = ffi.from_buffer("int16_t[]", _native_order(value))
        elif name == "numbers":
            pointer = ffi.new("fvm_network_number[]", value)
        else:
            pointer = ffi.new("int32_t[]", value)
        kept.append(pointer)
        setattr(spec, name, pointer)
    return lib.fvm_network_new(spec)


def _native_order(data: bytes) -> bytes:
    """Return 16-bit integers in the order of the machine's bytes, or back."""
    if sys.byteorder == "little":
        return data
    numbers = array("h", data)
    numbers.byteswap()
    return numbers.tobytes()
