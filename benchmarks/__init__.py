"""Benchmarks of forthvm, compared with other systems (peers) that run the same programs.

`python -m benchmarks` runs them in a checkout; they are not part of the wheel.  Each benchmark
checks its result: a wrong result is reported as an error, without a time.
"""

from __future__ import annotations

from benchmarks.peers import Peers
from benchmarks.runner import (
    OURS,
    Benchmark,
    Effort,
    Figure,
    WrongResultError,
    all_benchmarks,
    geometric_means,
    measure,
)
from benchmarks.tiers import TIERS, Tier

__all__ = [
    "OURS",
    "TIERS",
    "Benchmark",
    "Effort",
    "Figure",
    "Peers",
    "Tier",
    "WrongResultError",
    "all_benchmarks",
    "geometric_means",
    "measure",
]
