"""The games that tests use: bundled ones as parameters of a test, and files of other games.

Owns the list of the bundled games, which is read once for all test modules; the tests of variants
and of large games are marked slow.  The kit in tests/bundled_games runs all of them by default.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from forthvm.catalogue.bundled import list_games

__all__ = ["BUNDLED", "OTHER_GAMES", "every_game", "slow_variants"]

ROOT = Path(__file__).parents[2]

BUNDLED = tuple(entry for entry in list_games() if entry.origin == "forthvm")
"""The bundled games by name, without those of installed packages."""

OTHER_GAMES = tuple(
    path
    for pattern in (
        "tests/golden/games/*.4th",
        "benchmarks/games/*.4th",
        "tests/zrf/games/*.zrf",
        "tests/zrf/idioms/*.zrf",
    )
    for path in sorted(ROOT.glob(pattern))
)
"""The files of golden games, of games of the benchmarks, and rule files."""


QUICK = {"draughts", "reversi", "ur"}
"""Games of few rules: steps, captures in several parts, drops, and chance."""


def every_game(argument: str = "name", *, variants: bool = True) -> pytest.MarkDecorator:
    """Parametrize a test over the names of all bundled games, or of those that are no variants."""
    names = [
        entry.name if entry.name in QUICK else pytest.param(entry.name, marks=pytest.mark.slow)
        for entry in BUNDLED
        if variants or entry.variant_of is None
    ]
    return pytest.mark.parametrize(argument, names)


def slow_variants(rows: Iterable[tuple[object, ...]]) -> list[object]:
    """Return the rows, each of which begins with a game's name; mark those of variants slow."""
    variants = {entry.name for entry in BUNDLED if entry.variant_of is not None}
    return [
        pytest.param(*row, marks=pytest.mark.slow) if row[0] in variants else row for row in rows
    ]
