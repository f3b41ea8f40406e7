"""Benches: how fast this machine runs forthvm, beside peers that run the same programs.

`python -m benchmarks`, in a checkout, runs them; they are not part of the wheel.  Each bench
checks its own answer: a fast wrong result is an error, not a figure.
"""

from __future__ import annotations

from benchmarks.peers import Peers
from benchmarks.runner import (
    OURS,
    Bench,
    Effort,
    Figure,
    WrongAnswerError,
    all_benches,
    geometric_means,
    measure,
)
from benchmarks.tiers import TIERS, Tier

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
