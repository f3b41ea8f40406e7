"""Tables of actions, and searches whose leaves the host evaluates together.

Each method wraps C functions of native/encoding/action_table.c and native/search/.  This file must
not know games, nor the texts of actions.
"""

from __future__ import annotations

from array import array
from enum import IntEnum
from typing import TYPE_CHECKING

from .clib import ffi, lib
from .layout import CELL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from forthvm.core.records import TreeOptions

    from .clib import CData
    from .games import NativeVM
    from .searches import Tree
    from .snapshot import Snapshot

__all__ = ["ActionFinder", "ActionTable", "ActionsError", "ActionsResult", "LeafRows"]


class ActionsResult(IntEnum):
    """Whether the actions of moves were found; forthvm.h explains the names."""

    FOUND = lib.FVM_ACTIONS_FOUND
    UNKNOWN = lib.FVM_ACTIONS_UNKNOWN
    COLLISION = lib.FVM_ACTIONS_COLLISION
    TOO_LONG = lib.FVM_ACTIONS_TOO_LONG
    NO_MEMORY = lib.FVM_ACTIONS_NO_MEMORY


class ActionsError(Exception):
    """The actions of a list of moves were not found."""

    def __init__(self, result: ActionsResult, unknown: bytes) -> None:
        """Store the result, and the description of the move that is no action."""
        super().__init__(result.name)
        self.result = result
        self.unknown = unknown


class ActionTable:
    """The numbers of actions, for lookups in C; it never changes."""

    def __init__(self, detail: int, records: Sequence[bytes]) -> None:
        """Copy the descriptions of all actions; the action k has the description number k.

        Args:
            detail: The detail of the descriptions.
            records: Descriptions, as `NativeVM.list_actions` returns them.

        Raises:
            MemoryError: There is not enough memory.
        """
        data = b"".join(
            part for record in records for part in (array("i", [len(record) // CELL]), record)
        )
        cells = ffi.from_buffer("fvm_cell[]", data)
        table = lib.fvm_action_table_new(detail, len(records), cells, len(cells))
        if table == ffi.NULL:
            raise MemoryError("no memory for a table of actions")
        self.pointer: CData = ffi.gc(table, lib.fvm_action_table_free)


class ActionFinder:
    """Finds the numbers of moves; each thread needs its own."""

    def __init__(self, table: ActionTable) -> None:
        """Use a table.

        Raises:
            MemoryError: There is not enough memory.
        """
        finder = lib.fvm_action_finder_new(table.pointer)
        if finder == ffi.NULL:
            raise MemoryError("no memory for actions")
        self._table = table  # keeps it alive
        self.pointer: CData = ffi.gc(finder, lib.fvm_action_finder_free)

    def unknown(self) -> bytes:
        """Return the description of the move that is no action; empty if there is none."""
        count = lib.fvm_unknown_action(self.pointer, ffi.NULL, 0)
        cells = ffi.new("fvm_cell[]", count)
        lib.fvm_unknown_action(self.pointer, cells, count)
        return bytes(ffi.buffer(cells))


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
            ActionsError: The actions of a leaf were not found.
            ForthVMError: The script fails.
        """
        c_options = ffi.new("fvm_tree_options *", vars(options))
        c_rows = ffi.new("int32_t[]", list(rows))
        problem = ffi.new("fvm_leaf_problem *")
        pointer = ffi.NULL if finder is None else finder.pointer
        native._search(
            lib.fvm_select_leaves,
            *(c_options, pointer, self._roots, c_rows, len(rows), self._leaves, problem),
        )
        if problem.result != ActionsResult.FOUND:
            unknown = b"" if finder is None else finder.unknown()
            raise ActionsError(ActionsResult(problem.result), unknown)

    def actions(self, row: int) -> array[int]:
        """Return the action of each move of a row's leaf."""
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
