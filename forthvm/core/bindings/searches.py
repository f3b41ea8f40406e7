"""The VM's methods for searches: the original's search, the script's engines, forthvm's searches.

Each method wraps C functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.records import (
    DeepeningResult,
    EngineResult,
    Line,
    SearchResult,
    TreeMemory,
    TreeNode,
    TreeReport,
)

from .clib import ffi, lib
from .image import ImageMachine
from .layout import CELL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.core.records import DeepeningOptions, SearchLimits, TreeOptions

    from .clib import CData

__all__ = ["Cache", "Searcher", "SharedSearch", "Tree", "c_options_of", "split_records"]

_TEXT_BYTES = 1024
"""The size of the text that an engine passes to BestMove!; see fvm_engine_run."""


class Cache:
    """A transposition table, which searches of several VMs may share."""

    def __init__(self, size: int) -> None:
        """Allocate about `size` bytes.

        Raises:
            MemoryError: There is not enough memory.
        """
        cache = lib.fvm_tt_new(size)
        if cache == ffi.NULL:
            raise MemoryError(f"no {size} bytes for a transposition table")
        self.pointer: CData = ffi.gc(cache, lib.fvm_tt_free)

    def clear(self) -> None:
        """Remove all entries."""
        lib.fvm_tt_clear(self.pointer)


class SharedSearch:
    """What the threads of one search share besides the cache."""

    def __init__(self) -> None:
        """Allocate the object.

        Raises:
            MemoryError: There is not enough memory.
        """
        shared = lib.fvm_shared_search_new()
        if shared == ffi.NULL:
            raise MemoryError("no memory for a search")
        self.pointer: CData = ffi.gc(shared, lib.fvm_shared_search_free)


class Tree:
    """The tree of a Monte Carlo search."""

    def __init__(self, max_nodes: int) -> None:
        """Allocate an empty tree of at most `max_nodes` nodes.

        Raises:
            MemoryError: There is not enough memory.
        """
        tree = lib.fvm_tree_new(max_nodes)
        if tree == ffi.NULL:
            raise MemoryError("no memory for a search tree")
        self.pointer: CData = ffi.gc(tree, lib.fvm_tree_free)

    def __len__(self) -> int:
        """Return the number of nodes."""
        size: int = lib.fvm_tree_size(self.pointer)
        return size

    def read(self, first: int, count: int) -> tuple[TreeNode, ...]:
        """Return up to `count` nodes, beginning with the node of index `first`."""
        nodes = ffi.new("fvm_tree_node[]", max(count, 1))
        read = lib.fvm_tree_read(self.pointer, first, nodes, count)
        return tuple(
            TreeNode(n.first, n.count, n.visits, n.mover, n.proof, n.sum, n.prior)
            for n in nodes[0:read]
        )

    def write(self, nodes: Sequence[TreeNode]) -> bool:
        """Replace all nodes; return False if the new nodes are not a valid tree."""
        c_nodes = ffi.new("fvm_tree_node[]", [vars(node) for node in nodes])
        return bool(lib.fvm_tree_write(self.pointer, c_nodes, len(nodes)))

    def get_state(self) -> TreeMemory:
        """Return the state of the search other than the nodes, for `set_state`."""
        memory = ffi.new("fvm_tree_state *")
        lib.fvm_tree_get_state(self.pointer, memory)
        sums, visits = list(memory.sums), list(memory.visits)
        history = tuple((index, sums[index], count) for index, count in enumerate(visits) if count)
        return TreeMemory(memory.random, memory.scale, history)

    def set_state(self, memory: TreeMemory) -> bool:
        """Restore a state that `get_state` returned; return False if it is not valid.

        Raises:
            IndexError: A slot in `memory.history` is out of range.
            OverflowError: A number does not fit into its C type.
        """
        state = ffi.new("fvm_tree_state *", {"random": memory.random, "scale": memory.scale})
        for slot, total, count in memory.history:
            state.sums[slot], state.visits[slot] = total, count
        return bool(lib.fvm_tree_set_state(self.pointer, state))

    def follow(self, child: int) -> bool:
        """Make a child of the root the new root; return False if there is no such child."""
        return bool(lib.fvm_tree_follow(self.pointer, child))

    def clear(self) -> None:
        """Remove all nodes."""
        lib.fvm_tree_clear(self.pointer)


class Searcher(ImageMachine):
    """The searches of a VM."""

    # --- search ----------------------------------------------------------------------

    def search_axiom(self, limits: SearchLimits) -> SearchResult:
        """Run the original's alpha-beta search for a move of the newest move list."""
        result = ffi.new("fvm_search_result *")
        self._search(lib.fvm_search_axiom, _limits(limits), result)
        return SearchResult(
            result.best, result.score, result.depth, result.nodes, bool(result.stopped)
        )

    def search_reset(self) -> None:
        """Empty the transposition table of the original's search."""
        with self.lock:
            lib.fvm_search_reset(self._vm)

    def engine_run(self, limits: SearchLimits) -> EngineResult:
        """Run OnSearch, the engine that the script names for the player to move.

        Raises:
            Interrupted: The run was interrupted.  An error of the script is not raised, but stored
                in the result.
        """
        from forthvm.core.errors import Interrupted

        result = ffi.new("fvm_search_result *")
        best = ffi.new("char[]", _TEXT_BYTES)
        failure = None
        try:
            self._search(lib.fvm_engine_run, _limits(limits), result, best, _TEXT_BYTES)
        except Interrupted:
            raise
        except ForthVMError as error:
            failure = error
        return EngineResult(
            self.codec.decode(ffi.string(best)),
            result.best,
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
        """Request a running engine to stop, from any thread: 1 soon, 2 immediately."""
        lib.fvm_engine_stop(self._pointer, status)

    def perft(self, depth: int, *, joined: bool = False) -> int:
        """Count move sequences of `depth` plies; `joined`: a chain of partial moves is one ply."""
        count = ffi.new("int64_t *")
        self._search(lib.fvm_perft, depth, int(joined), count)
        total: int = count[0]
        return total

    def _search(self, function: Callable[..., int], *args: object) -> None:
        """Run a search.  During the search, `searching` is true, which changes error reports."""
        self.searching = True
        try:
            self._run(function, *args)
        finally:
            self.searching = False

    def deepening_search(
        self, options: DeepeningOptions, cache: Cache | None, shared: SharedSearch | None = None
    ) -> DeepeningResult:
        """Search the current position by alpha-beta, max^n or best-reply search.

        Several threads can search the same position at the same time, each with its own VM and its
        own number `options.thread`, and share the cache and `shared`.
        """
        c_options = c_options_of("fvm_deepening_options *", options)
        c_options.shared = ffi.NULL if shared is None else shared.pointer
        lines = ffi.new("fvm_line[]", options.lines)
        result = ffi.new("fvm_deepening_result *")
        pointer = ffi.NULL if cache is None else cache.pointer
        self._search(lib.fvm_deepening_search, c_options, pointer, lines, result)
        return DeepeningResult(
            tuple(
                Line(
                    tuple(line.moves[0 : line.length]),
                    line.score,
                    line.depth,
                    tuple(line.scores),
                )
                for line in lines[0 : result.lines]
            ),
            result.nodes,
            result.evaluations,
            result.tt_cutoffs,
            result.depth,
            bool(result.stopped),
            result.off_board_cells,
            bool(result.table_disabled),
        )

    def evaluate(self, number: int) -> int:
        """Run OnEvaluate in the current position for the player with a number."""
        value = ffi.new("fvm_cell *")
        self._search(lib.fvm_evaluate, number, value)
        evaluated: int = value[0]
        return evaluated

    def tree_grow(self, tree: Tree, options: TreeOptions) -> TreeReport:
        """Grow the tree of a Monte Carlo search; its root is the current position.

        Other threads may grow the same tree at the same time, each with its own VM.
        """
        c_options = c_options_of("fvm_tree_options *", options)
        result = ffi.new("fvm_tree_result *")
        self._search(lib.fvm_tree_grow, tree.pointer, c_options, result)
        return TreeReport(result.iterations, result.playouts, result.plies, bool(result.stopped))

    def playouts(self, options: TreeOptions) -> tuple[tuple[float, ...], TreeReport]:
        """Play random games from the current position; return sums of rewards by player number."""
        c_options = c_options_of("fvm_tree_options *", options)
        result = ffi.new("fvm_tree_result *")
        sums = ffi.new("double[32]")
        self._search(lib.fvm_playouts, Tree(1).pointer, c_options, sums, result)
        report = TreeReport(result.iterations, result.playouts, result.plies, bool(result.stopped))
        return tuple(sums), report


def c_options_of(kind: str, options: DeepeningOptions | TreeOptions) -> CData:
    """Return options as a struct of C, which must not outlive the network of the options."""
    values = dict(vars(options))
    network = values.pop("network")
    c_options = ffi.new(kind, values)
    c_options.network = ffi.NULL if network is None else network.pointer
    return c_options


def split_records(data: bytes) -> list[bytes]:
    """Return the records of a buffer of cells; the first cell of each record is its length."""
    lengths = memoryview(data).cast("i")
    records, at, end = [], 0, len(lengths)
    while at < end:
        start = at + 1
        at = start + lengths[at]
        records.append(data[CELL * start : CELL * at])
    return records


def _limits(limits: SearchLimits) -> CData:
    return ffi.new("fvm_limits *", [limits.depth, limits.variety, limits.nodes, limits.seconds])
