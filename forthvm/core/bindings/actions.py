"""Numbers of actions, and searches whose leaves the host evaluates together.

Each method wraps C functions of native/encoding/ and native/search/.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .clib import ffi, lib
from .layout import CELL
from .searches import c_options_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from forthvm.core.records import TreeOptions

    from .clib import CData
    from .games import NativeVM
    from .searches import Tree
    from .snapshot import Snapshot

__all__ = ["ActionBlock", "ActionFinder", "LeafRows"]


@dataclass(frozen=True)
class ActionBlock:
    """The numbers of one kind of movement; forthvm.h explains the fields."""

    start: int
    squares: int
    planes: int
    types: tuple[int, ...]
    """The new type of each plane; empty if planes are choices."""


class ActionFinder:
    """Finds the numbers of moves; each thread needs its own."""

    def __init__(
        self, blocks: Sequence[ActionBlock], positions: int, spare_start: int, spare: int
    ) -> None:
        """Describe the numbers, as `fvm_action_space` does.

        Raises:
            MemoryError: There is not enough memory.
        """
        types = [ffi.new("int32_t[]", block.types) for block in blocks]
        c_blocks = [
            (block.start, block.squares, block.planes, numbers if block.types else ffi.NULL)
            for block, numbers in zip(blocks, types, strict=True)
        ]
        space = ffi.new("fvm_action_space *", (c_blocks, positions, spare_start, spare))
        finder = lib.fvm_action_finder_new(space)
        if finder == ffi.NULL:
            raise MemoryError("no memory for actions")
        self.pointer: CData = ffi.gc(finder, lib.fvm_action_finder_free)

    def find(self, native: NativeVM, count: int) -> array[int]:
        """Return the numbers of the first `count` moves of the newest list; -1: none.

        Raises:
            MemoryError: There is not enough memory.
        """
        numbers = array("i", bytes(CELL * count))
        with native.lock:
            found = lib.fvm_find_actions(
                native._vm, self.pointer, ffi.from_buffer("int32_t[]", numbers), count
            )
        if not found:
            raise MemoryError("no memory for actions")
        return numbers

    def take_unnumbered(self) -> tuple[int, tuple[int, int, int]]:
        """Return how many moves without a number the finder has met since the last call.

        The second item is the main movement of the first of them: from, to, type.
        """
        movement = ffi.new("fvm_cell[3]")
        count: int = lib.fvm_take_unnumbered(self.pointer, movement)
        return count, (movement[0], movement[1], movement[2])


class LeafRows:
    """Search trees of several games, each in a row, and the leaves to evaluate."""

    def __init__(
        self, rows: int, boards: Buffer, moves: Buffer, movers: Buffer, roots: Buffer
    ) -> None:
        """Allocate rows.

        Args:
            rows: The number of rows.
            boards: The array for the boards of the leaves, `rows` boards of C ints.
            moves: The array for the numbers of moves; 0 where a search has ended.
            movers: The array for the numbers of the players to move.
            roots: The array of bytes for 1 where the leaf is the root, else 0.
        """
        self._roots = ffi.new("fvm_tree_root[]", rows)
        self._used: list[tuple[Tree, Snapshot] | None] = [None] * rows
        self._boards = ffi.from_buffer("fvm_cell[]", boards)
        self._moves = ffi.from_buffer("int32_t[]", moves)
        self._movers = ffi.from_buffer("int32_t[]", movers)
        self._is_root = ffi.from_buffer("uint8_t[]", roots)
        cells = len(self._boards) // rows
        self._leaves = ffi.new(
            "fvm_leaf_arrays *", [self._boards, cells, self._moves, self._movers, self._is_root]
        )

    def set_root(self, row: int, tree: Tree, listed: Snapshot, seed: int, visits: int) -> None:
        """Begin a search.

        Args:
            row: The row.
            tree: The tree, which is empty.
            listed: Memory of the position with its list of moves.
            seed: The seed of the tree's random numbers.
            visits: The number of visits of the root that ends the search.
        """
        self._used[row] = tree, listed  # keeps them alive
        self._roots[row] = [tree.pointer, listed._pointer, seed, visits]

    def move_row(self, source: int, target: int) -> None:
        """Move a row and its leaf to another index."""
        cells = self._leaves.cells
        self._used[target] = self._used[source]
        self._roots[target] = self._roots[source]
        for numbers in (self._moves, self._movers, self._is_root):
            numbers[target] = numbers[source]
        board = self._boards[source * cells : (source + 1) * cells]
        self._boards[target * cells : (target + 1) * cells] = board

    def select(
        self,
        native: NativeVM,
        options: TreeOptions,
        finder: ActionFinder | None,
        rows: Sequence[int],
    ) -> None:
        """Select a leaf in each of some rows; a row whose search has ended gets 0 moves.

        Several threads may do so at the same time, with different rows, VMs and finders.

        Raises:
            ForthVMError: The script fails.
        """
        c_options = c_options_of("fvm_tree_options *", options)
        c_rows = ffi.new("int32_t[]", list(rows))
        pointer = ffi.NULL if finder is None else finder.pointer
        native._search(
            lib.fvm_select_leaves,
            *(c_options, pointer, self._roots, c_rows, len(rows), self._leaves),
        )

    def actions(self, row: int) -> array[int]:
        """Return the action of each move of a row's leaf; -1: the move has no number."""
        actions = array("i", bytes(CELL * self._moves[row]))
        pointer = ffi.from_buffer("int32_t[]", actions)
        lib.fvm_leaf_actions(self._roots[row].tree, pointer, len(actions))
        return actions

    def submit(
        self,
        count: int,
        priors: memoryview[float],
        stride: int,
        rewards: memoryview[float],
        reward_stride: int,
    ) -> int:
        """Add evaluations of the leaves of the first rows to the trees.

        Args:
            count: The number of rows.
            priors: `count` rows of `stride` C floats: a prior for each action.
            stride: The length of a row of priors.
            rewards: `count` rows of C floats: a reward for each of 32 player numbers.
            reward_stride: The length of a row of rewards.

        Returns:
            -1; else the first row with a number outside 0 to 1, or without a number for a legal
            action or a player: then nothing has changed.
        """
        c_priors = ffi.from_buffer("float[]", priors)
        c_rewards = ffi.from_buffer("float[]", rewards)
        row: int = lib.fvm_submit_leaves(
            self._roots, count, c_priors, stride, c_rewards, reward_stride
        )
        return row
