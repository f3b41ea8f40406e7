"""Benches that travel with the package: how fast this machine runs forthvm.

Each checks its own answer: a fast wrong result is an error, not a figure.  Comparisons with
other programs are in benchmarks/ of the source tree.  Nothing here prints.
"""

from __future__ import annotations

from forthvm.bench.runner import Bench, Figure, WrongAnswerError, all_benches, measure

__all__ = ["Bench", "Figure", "WrongAnswerError", "all_benches", "measure"]
