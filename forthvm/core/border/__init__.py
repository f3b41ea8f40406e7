"""The border to the C core: the only package that knows `forthvm._native`.

It owns the translation of every C function into a typed method: status codes become
exceptions, C values become Python values, nothing of cffi escapes.  It must not know files,
sources or games.

Three rules hold here.  A VM is used by one thread at a time, so every call takes its lock
(only `interrupt` and `engine_stop` do not).  An exception raised in a hook is kept while the
C frames unwind and raised again when the C call that it happened in returns.  Names and
texts are bytes in C; a Codec reads them.
"""

from __future__ import annotations

from forthvm.core.records import (
    Change,
    ChangeKind,
    EngineResult,
    ErrorRecord,
    Leaf,
    Line,
    Option,
    ReportKind,
    SearchLimits,
    SearchResult,
    ThinkOptions,
    Thought,
    TreeNode,
    TreeOptions,
    TreeReport,
)

from .games import NativeVM
from .searches import Cache, Tree
from .snapshot import Snapshot, page_size

__all__ = [
    "Cache",
    "Change",
    "ChangeKind",
    "EngineResult",
    "ErrorRecord",
    "Leaf",
    "Line",
    "NativeVM",
    "Option",
    "ReportKind",
    "SearchLimits",
    "SearchResult",
    "Snapshot",
    "ThinkOptions",
    "Thought",
    "Tree",
    "TreeNode",
    "TreeOptions",
    "TreeReport",
    "page_size",
]
