"""A VM that searches: the original's alpha-beta, the script's engines, our own searches.

This file owns these functions of C's as methods.  It must not know rules, names or histories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.records import (
    EngineResult,
    Leaf,
    Line,
    SearchResult,
    Thought,
    TreeMemory,
    TreeNode,
    TreeReport,
)

from .clib import ffi, lib
from .image import ImageMachine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.core.records import SearchLimits, ThinkOptions, TreeOptions

    from .clib import CData

__all__ = ["Cache", "Searcher", "Tree"]


class Cache:
    """A transposition table, which searches of several VMs may share."""

    def __init__(self, size: int) -> None:
        """Reserves about `size` bytes.

        Raises:
            MemoryError: there are not so many.
        """
        cache = lib.fvm_tt_new(size)
        if cache == ffi.NULL:
            raise MemoryError(f"no {size} bytes for a transposition table")
        self.pointer: CData = ffi.gc(cache, lib.fvm_tt_free)

    def clear(self) -> None:
        """Forget everything."""
        lib.fvm_tt_clear(self.pointer)


class Tree:
    """The tree of a Monte Carlo search."""

    def __init__(self, most_nodes: int) -> None:
        """An empty tree that may grow to so many nodes.

        Raises:
            MemoryError: there is no memory.
        """
        tree = lib.fvm_tree_new(most_nodes)
        if tree == ffi.NULL:
            raise MemoryError("no memory for a search tree")
        self.pointer: CData = ffi.gc(tree, lib.fvm_tree_free)

    def __len__(self) -> int:
        """Nodes."""
        size: int = lib.fvm_tree_size(self.pointer)
        return size

    def read(self, first: int, count: int) -> tuple[TreeNode, ...]:
        """Nodes from an index on, as many as there are."""
        nodes = ffi.new("fvm_tree_node[]", max(count, 1))
        read = lib.fvm_tree_read(self.pointer, first, nodes, count)
        return tuple(
            TreeNode(one.first, one.count, one.visits, one.mover, one.proof, one.sum, one.prior)
            for one in nodes[0:read]
        )

    def write(self, nodes: Sequence[TreeNode]) -> bool:
        """Replace the tree by nodes that were read; False: they are not a valid tree."""
        told = ffi.new("fvm_tree_node[]", [vars(node) for node in nodes])
        return bool(lib.fvm_tree_write(self.pointer, told, len(nodes)))

    def get_state(self) -> TreeMemory:
        """The state of the search besides the nodes, for `set_state`."""
        memory = ffi.new("fvm_tree_state *")
        lib.fvm_tree_get_state(self.pointer, memory)
        sums, visits = list(memory.sums), list(memory.visits)
        history = tuple((at, sums[at], count) for at, count in enumerate(visits) if count)
        return TreeMemory(memory.random, memory.scale, history)

    def set_state(self, memory: TreeMemory) -> bool:
        """Restore the state that `get_state` returned; False: it is not valid.

        Raises:
            IndexError: there is no such slot.
            OverflowError: a number does not fit.
        """
        told = ffi.new("fvm_tree_state *", {"random": memory.random, "scale": memory.scale})
        for slot, total, count in memory.history:
            told.sums[slot], told.visits[slot] = total, count
        return bool(lib.fvm_tree_set_state(self.pointer, told))

    def follow(self, child: int) -> bool:
        """Make a child of the root the root; False: there is none."""
        return bool(lib.fvm_tree_follow(self.pointer, child))

    def merge(self, other: Tree) -> None:
        """Merge the tree of another search of the same position, as deep as both go."""
        lib.fvm_tree_merge(self.pointer, other.pointer)

    def answer(self, priors: memoryview[float], rewards: memoryview[float]) -> bool:
        """Evaluate the pending leaf: a prior for each of its moves, a reward for each number.

        False: none waits, or it has another number of moves.  Both views hold C floats.
        """
        told = ffi.from_buffer("float[]", priors)
        given = ffi.from_buffer("float[]", rewards)
        return bool(lib.fvm_tree_backpropagate(self.pointer, told, len(priors), given))

    def clear(self) -> None:
        """Forget everything."""
        lib.fvm_tree_clear(self.pointer)


class Searcher(ImageMachine):
    """The searches of a VM."""

    # --- search ----------------------------------------------------------------------

    def search_axiom(self, limits: SearchLimits) -> SearchResult:
        """Run the original's alpha-beta on the newest list."""
        result = ffi.new("fvm_search_result *")
        self._search(lib.fvm_search_axiom, _limits(limits), result)
        return SearchResult(
            result.best, result.score, result.depth, result.nodes, bool(result.stopped)
        )

    def search_reset(self) -> None:
        """Empty the search's table."""
        with self.lock:
            lib.fvm_search_reset(self._vm)

    def engine_run(self, limits: SearchLimits) -> EngineResult:
        """Run OnSearch, the engine that the script names for the player to move.

        Raises:
            Interrupted: the run was interrupted; errors of the script are in the result.
        """
        from forthvm.core.errors import Interrupted

        result = ffi.new("fvm_search_result *")
        best = ffi.new("char[]", 4096)
        failure = None
        try:
            self._search(lib.fvm_engine_run, _limits(limits), result, best, 4096)
        except Interrupted:
            raise
        except ForthVMError as error:
            failure = error
        return EngineResult(
            self.codec.decode(ffi.string(best)),
            result.score,
            result.depth,
            result.nodes,
            bool(result.stopped),
            result.items,
            result.boards,
            result.lists,
            bool(result.turned),
            failure,
        )

    def engine_stop(self, status: int) -> None:
        """Ask a running engine to stop, from any thread: 1 soon, 2 now."""
        lib.fvm_engine_stop(self._pointer, status)

    def perft(self, depth: int, *, joined: bool = False) -> int:
        """Count move sequences of that length; joined: a chain of partial moves is one ply."""
        count = ffi.new("int64_t *")
        self._search(lib.fvm_perft, depth, int(joined), count)
        total: int = count[0]
        return total

    def _search(self, function: Callable[..., int], *args: object) -> None:
        """Run a search; its errors are explained with the position restored, not as it failed."""
        self.searching = True
        try:
            self._run(function, *args)
        finally:
            self.searching = False

    def think(self, options: ThinkOptions, cache: Cache | None) -> Thought:
        """Search the newest list's position by alpha-beta, max^n or best reply search."""
        told = ffi.new("fvm_deepening_options *", vars(options))
        lines = ffi.new("fvm_line[]", options.lines)
        result = ffi.new("fvm_deepening_result *")
        pointer = ffi.NULL if cache is None else cache.pointer
        self._search(lib.fvm_deepening_search, told, pointer, lines, result)
        return Thought(
            tuple(
                Line(tuple(line.moves[0 : line.length]), line.score, line.depth)
                for line in lines[0 : result.lines]
            ),
            result.nodes,
            result.evaluations,
            result.tt_cutoffs,
            result.depth,
            bool(result.stopped),
            result.outside,
            bool(result.table_disabled),
            tuple(result.scores),
        )

    def tree_grow(self, tree: Tree, options: TreeOptions) -> TreeReport:
        """Search the newest list's position, the tree's root, by Monte Carlo."""
        told = ffi.new("fvm_tree_options *", vars(options))
        result = ffi.new("fvm_tree_result *")
        self._search(lib.fvm_tree_grow, tree.pointer, told, result)
        return TreeReport(result.iterations, result.playouts, result.plies, bool(result.stopped))

    def tree_select_leaf(self, tree: Tree, options: TreeOptions, board: memoryview) -> Leaf:
        """One way down to a leaf, whose board's cells go to `board`, a view of C ints."""
        told = ffi.new("fvm_tree_options *", vars(options))
        leaf = ffi.new("fvm_leaf *")
        cells = ffi.from_buffer("int32_t[]", board)
        self._search(lib.fvm_tree_select_leaf, tree.pointer, told, cells, len(board), leaf)
        return Leaf(bool(leaf.decided), leaf.moves, leaf.mover, leaf.cells)

    def playouts(self, options: TreeOptions) -> tuple[tuple[float, ...], TreeReport]:
        """Games at random from the newest list's position: rewards by number, added up."""
        told = ffi.new("fvm_tree_options *", vars(options))
        result = ffi.new("fvm_tree_result *")
        sums = ffi.new("double[32]")
        self._search(lib.fvm_playouts, Tree(1).pointer, told, sums, result)
        report = TreeReport(result.iterations, result.playouts, result.plies, bool(result.stopped))
        return tuple(sums), report


def _limits(limits: SearchLimits) -> CData:
    return ffi.new("fvm_limits *", [limits.depth, limits.variety, limits.nodes, limits.seconds])
