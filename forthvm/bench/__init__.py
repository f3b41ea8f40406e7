"""Benches that travel with the package: how fast this machine runs forthvm, and how others fare.

Each checks its own answer: a fast wrong result is an error, not a figure.  Peers run the
same programs in the same run, where they are installed.  Nothing here prints.
"""

from __future__ import annotations

from forthvm.bench.peers import Peers
from forthvm.bench.runner import (
    OURS,
    Bench,
    Effort,
    Figure,
    WrongAnswerError,
    all_benches,
    geometric_means,
    measure,
)
from forthvm.bench.tiers import TIERS, Tier

__all__ = [
    "OURS",
    "TIERS",
    "Bench",
    "Effort",
    "Figure",
    "Peers",
    "Tier",
    "WrongAnswerError",
    "all_benches",
    "geometric_means",
    "measure",
]
