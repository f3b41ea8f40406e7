"""Counts searches whose number of nodes equals the recorded one, for the summary of a test run.

Different numbers of nodes are not a failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

__all__ = ["add", "counts", "lines", "nodes"]

_equal: Counter[str] = Counter()
_compared: Counter[str] = Counter()


def nodes(game: str, *, equal: bool) -> None:
    """Record one comparison of node counts."""
    _compared[game] += 1
    _equal[game] += equal


def counts() -> dict[str, tuple[int, int]]:
    """Return, by game, how many node counts of this process are equal and how many compared."""
    return {game: (_equal[game], _compared[game]) for game in _compared}


def add(others: Mapping[str, Sequence[int]]) -> None:
    """Add the counts of another process."""
    for game, (equal, compared) in others.items():
        _equal[game] += equal
        _compared[game] += compared


def lines() -> list[str]:
    """Return a line for each game and one for the sum; empty if no counts were compared."""
    if not _compared:
        return []
    rows = [f"{game}: {_equal[game]} of {_compared[game]}" for game in sorted(_compared)]
    return [*rows, f"all: {_equal.total()} of {_compared.total()}"]
