"""Counts how many recorded node counts agree: informational, shown after the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

__all__ = ["add", "counts", "lines", "nodes"]

_agree: Counter[str] = Counter()
_asked: Counter[str] = Counter()


def nodes(game: str, *, agree: bool) -> None:
    """Notes one comparison of node counts."""
    _asked[game] += 1
    _agree[game] += agree


def counts() -> dict[str, tuple[int, int]]:
    """The counts of this process: agreeing and compared, by game."""
    return {game: (_agree[game], _asked[game]) for game in _asked}


def add(others: Mapping[str, Sequence[int]]) -> None:
    """Adds the counts of another process."""
    for game, (agree, asked) in others.items():
        _agree[game] += agree
        _asked[game] += asked


def lines() -> list[str]:
    """A line per game, and the sum; nothing where nothing was compared."""
    if not _asked:
        return []
    rows = [f"{game}: {_agree[game]} of {_asked[game]}" for game in sorted(_asked)]
    return [*rows, f"all: {_agree.total()} of {_asked.total()}"]
