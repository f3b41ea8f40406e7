"""Bindings to the C core: the only package that knows `forthvm._native`.

It owns a typed method for every C function: status codes become exceptions, C values become
Python values, and no cffi object leaves the package.

Three rules apply.  One thread uses a VM at a time, so methods acquire the VM's lock; any thread may
call `interrupt` and `engine_stop` without the lock.  An exception raised in a callback is stored
while the C frames unwind, and raised again when the C call returns.  Names and texts are bytes in
C; a Codec converts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.lazy_names import lazy_names
from forthvm.core.records import (
    Change,
    ChangeKind,
    DeepeningOptions,
    DeepeningResult,
    EngineResult,
    ErrorRecord,
    Line,
    ObservationTables,
    ObservedNumber,
    Option,
    ReportKind,
    SearchLimits,
    SearchResult,
    Show,
    TreeMemory,
    TreeNode,
    TreeOptions,
    TreeReport,
)

from .clib import CORE_FILE, Host
from .games import NativeVM
from .searches import Cache, SharedSearch, Tree
from .snapshot import Snapshot, digest, page_size

if TYPE_CHECKING:
    from .actions import ActionBlock, ActionFinder, LeafRows
    from .networks import (
        NETWORK_CELLS,
        NETWORK_FEATURES,
        NETWORK_HIDDEN,
        NETWORK_SCORE,
        NETWORK_TABLES,
        NETWORK_UNIT,
        Network,
        NetworkInputs,
        NetworkWeights,
        Trainer,
    )
    from .observations import ObservationPlan
    from .trace import RUN_CELL, Call, Mark, Reason, Record, Trace, TracePoint, Until

__all__ = [
    "CORE_FILE",
    "NETWORK_CELLS",
    "NETWORK_FEATURES",
    "NETWORK_HIDDEN",
    "NETWORK_SCORE",
    "NETWORK_TABLES",
    "NETWORK_UNIT",
    "RUN_CELL",
    "ActionBlock",
    "ActionFinder",
    "Cache",
    "Call",
    "Change",
    "ChangeKind",
    "DeepeningOptions",
    "DeepeningResult",
    "EngineResult",
    "ErrorRecord",
    "Host",
    "LeafRows",
    "Line",
    "Mark",
    "NativeVM",
    "Network",
    "NetworkInputs",
    "NetworkWeights",
    "ObservationPlan",
    "ObservationTables",
    "ObservedNumber",
    "Option",
    "Reason",
    "Record",
    "ReportKind",
    "SearchLimits",
    "SearchResult",
    "SharedSearch",
    "Show",
    "Snapshot",
    "Trace",
    "TracePoint",
    "Trainer",
    "Tree",
    "TreeMemory",
    "TreeNode",
    "TreeOptions",
    "TreeReport",
    "Until",
    "digest",
    "page_size",
]

# Few programs need these names; they are imported when they are first used.
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "forthvm.core.bindings.actions": ("ActionBlock", "ActionFinder", "LeafRows"),
        "forthvm.core.bindings.networks": (
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
        ),
        "forthvm.core.bindings.observations": ("ObservationPlan",),
        "forthvm.core.bindings.trace": (
            "RUN_CELL",
            "Call",
            "Mark",
            "Reason",
            "Record",
            "Trace",
            "TracePoint",
            "Until",
        ),
    },
)
