"""Bindings to the C core: the only package that knows `forthvm._native`.

It owns the translation of every C function into a typed method: status codes become
exceptions, C values become Python values, nothing of cffi escapes.  It must not know files,
sources or games.

Three rules hold here.  A VM is used by one thread at a time, so every call takes its lock
(only `interrupt` and `engine_stop` do not).  An exception raised in a hook is kept while the
C frames unwind and raised again when the C call that it happened in returns.  Names and
texts are bytes in C; a Codec reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    TreeMemory,
    TreeNode,
    TreeOptions,
    TreeReport,
)

from .clib import CORE_FILE, Host
from .games import NativeVM
from .searches import Cache, Tree
from .snapshot import Snapshot, digest, page_size

if TYPE_CHECKING:
    from .trace import Call, Mark, Place, Reason, Record, Trace, Until

__all__ = [
    "CORE_FILE",
    "Cache",
    "Call",
    "Change",
    "ChangeKind",
    "EngineResult",
    "ErrorRecord",
    "Host",
    "Leaf",
    "Line",
    "Mark",
    "NativeVM",
    "Option",
    "Place",
    "Reason",
    "Record",
    "ReportKind",
    "SearchLimits",
    "SearchResult",
    "Snapshot",
    "ThinkOptions",
    "Thought",
    "Trace",
    "Tree",
    "TreeMemory",
    "TreeNode",
    "TreeOptions",
    "TreeReport",
    "Until",
    "digest",
    "page_size",
]


def __getattr__(name: str) -> object:
    """The names of trace.py, which only debuggers need."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import trace

    value: object = getattr(trace, name)
    globals()[name] = value
    return value
