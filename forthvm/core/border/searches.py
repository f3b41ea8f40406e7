"""A VM that searches: the original's alpha-beta, the script's engines, our own searches.

This file owns these functions of C's as methods.  It must not know rules, names or histories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.records import EngineResult, Line, SearchResult, Thought

from .clib import ffi, lib
from .machine import Machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.records import SearchLimits, ThinkOptions

    from .clib import CData

__all__ = ["Cache", "Searcher"]


class Cache:
    """A transposition table, which searches of several VMs may share."""

    def __init__(self, size: int) -> None:
        """Reserves about `size` bytes.

        Raises:
            MemoryError: there are not so many.
        """
        cache = lib.fvm_cache_new(size)
        if cache == ffi.NULL:
            raise MemoryError(f"no {size} bytes for a transposition table")
        self.pointer: CData = ffi.gc(cache, lib.fvm_cache_free)

    def clear(self) -> None:
        """Forget everything."""
        lib.fvm_cache_clear(self.pointer)


class Searcher(Machine):
    """What a VM does to find moves."""

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
        with self._lock:
            lib.fvm_search_reset(self._vm)

    def engine_run(self, limits: SearchLimits) -> EngineResult:
        """Run OnSearch, the engine that the script names for the player to move."""
        result = ffi.new("fvm_search_result *")
        best = ffi.new("char[]", 4096)
        self._search(lib.fvm_engine_run, _limits(limits), result, best, 4096)
        text = self.codec.decode(ffi.string(best))
        return EngineResult(text, result.score, result.depth, result.nodes, bool(result.stopped))

    def engine_stop(self, status: int) -> None:
        """Ask a running engine to stop, from any thread: 1 soon, 2 now."""
        lib.fvm_engine_stop(self._vm, status)

    def perft(self, depth: int, *, joined: bool = False) -> int:
        """Count move sequences of that length; joined: a chain of partial moves is one ply."""
        count = ffi.new("int64_t *")
        self._search(lib.fvm_perft, depth, int(joined), count)
        total: int = count[0]
        return total

    def _search(self, function: Callable[..., int], *args: object) -> None:
        """Run a search; while errors are explained the position is not the one that failed."""
        self.searching = True
        try:
            self._run(function, *args)
        finally:
            self.searching = False

    def think(self, options: ThinkOptions, cache: Cache | None) -> Thought:
        """Search the newest list's position by our own alpha-beta and its kin."""
        told = ffi.new("fvm_think_options *", vars(options))
        lines = ffi.new("fvm_line[]", options.lines)
        result = ffi.new("fvm_think_result *")
        pointer = ffi.NULL if cache is None else cache.pointer
        self._search(lib.fvm_think, told, pointer, lines, result)
        return Thought(
            tuple(
                Line(tuple(line.moves[0 : line.length]), line.score, line.depth)
                for line in lines[0 : result.lines]
            ),
            result.nodes,
            result.evaluations,
            result.hits,
            result.depth,
            bool(result.stopped),
            result.outside,
            bool(result.keyless),
            tuple(result.scores),
        )


def _limits(limits: SearchLimits) -> CData:
    return ffi.new("fvm_limits *", [limits.depth, limits.variety, limits.nodes, limits.seconds])
