"""The perft files of rule files: counts of move sequences with their sources.

Owns the reader of `games/*.perft`.  A row is `DEPTH COUNT SOURCE`, as in the files of the bundled
games.  Two lines set what the rows after them mean:

    variant: TITLE                  rows of this variant; before the first such line, of the game
    series: single                  each partial move is a ply (the default)
    series: joined                  a whole series of partial moves is a ply
    series: joined, equal results once   and series that end in the same position count once
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["GAMES", "Row", "game_files", "read_perft"]

GAMES = Path(__file__).parent / "games"
"""The rule files of whole games, each with a perft file beside it."""

SERIES = {
    "single": (False, False),
    "joined": (True, False),
    "joined, equal results once": (True, True),
}


@dataclass(frozen=True)
class Row:
    """A count of move sequences.

    Attributes:
        variant: Title of the variant; None for the game.
        joined: A series of partial moves is one ply.
        once: Series that end in the same position are one.
    """

    variant: str | None
    depth: int
    count: int
    source: str
    joined: bool = False
    once: bool = False


def game_files() -> list[Path]:
    """The rule files in alphabetical order, without those that are only included."""
    return sorted(GAMES.glob("*.zrf"))


def read_perft(path: Path) -> Iterator[Row]:
    """Yield the rows of a perft file.

    Raises:
        ValueError: A line has another form.
    """
    variant, joined, once = None, False, False
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        key, _, value = line.partition(": ")
        if key == "variant":
            variant, joined, once = value, False, False
        elif key == "series":
            joined, once = SERIES[value]
        else:
            depth, count, source = line.split(maxsplit=2)
            yield Row(variant, int(depth), int(count), source, joined, once)
