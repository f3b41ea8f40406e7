"""Reads from a results file what a page shows.

Owns the choice of the data.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.report.summary_blocks import match_blocks
from forthvm.autoplay.results.store import Store
from forthvm.autoplay.statistics.summary import summarise_store
from forthvm.web.report.heat_map import chosen_texts
from forthvm.web.report.messages import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from forthvm.autoplay.report.blocks import Block
    from forthvm.autoplay.results.store import GameRow
    from forthvm.web.report.messages import Message

__all__ = ["Results", "read_results", "state_of_file"]

MAX_LISTED = 100_000
"""The maximum number of games in the list of a page: about 20 MB."""


@dataclass(frozen=True, kw_only=True)
class Results:
    """The contents of a results file.

    Attributes:
        match: The table `match`.
        blocks: The numbers.
        games: The list of games by number (`messages.listed`), at most `MAX_LISTED`.
        total: The number of recorded games.
        texts: By text of a move, the number of times that an engine chose it.
        is_finished: Whether no more games will be played.
    """

    match: Mapping[str, object]
    blocks: tuple[Block, ...]
    games: Mapping[int, Message]
    total: int
    texts: Mapping[str, int]
    is_finished: bool


def read_results(path: Path) -> Results:
    """Read a results file.

    Raises:
        StoreError: The file does not exist, is not a results file, or is damaged.
        MatchError: The settings of the match's sequential test are invalid.
    """
    games: dict[int, Message] = {}
    texts: Counter[str] = Counter()
    total = 0

    def collected(rows: Iterable[GameRow]) -> Iterator[GameRow]:
        nonlocal total
        for total, row in enumerate(rows, start=1):  # noqa: B007 - used after the loop
            texts.update(chosen_texts(row))
            if len(games) < MAX_LISTED:
                games[row.id] = listed(row)
            yield row

    with Store.open(path) as store:
        match = store.match()
        summary = summarise_store(match, collected(store.games()))
    return Results(
        match=match,
        blocks=tuple(match_blocks(match, summary)),
        games=games,
        total=total,
        texts=texts,
        is_finished=summary.is_finished,
    )


def state_of_file(path: Path) -> tuple[object, ...]:
    """Return a value that changes when a game is recorded, without reading the file.

    SQLite writes to the file and to a log beside it.
    """
    state: list[object] = []
    for name in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            status = name.stat()
            state += [name.name, status.st_ino, status.st_mtime_ns, status.st_size]
    return tuple(state)
