"""Searching entries."""

from __future__ import annotations

import pytest

from forthvm.library.entry import Entry
from forthvm.library.search import Query, search

CHESS = Entry(
    path="/g/c.zrf",
    kind="game",
    title="Chess",
    players=("White", "Black"),
    columns=8,
    rows=8,
    squares=64,
)
GO = Entry(
    path="/g/go.zrf",
    kind="game",
    title="Go",
    author="Ada Byron",
    description="Older than chess.",
    players=("Black", "White"),
    columns=19,
    rows=19,
    squares=361,
)
LUDO = Entry(
    path="/g/l.4th",
    kind="game",
    title="Ludo",
    archive="/g/old.zip",
    players=("A", "B", "C"),
    squares=40,
    chance=True,
)
SPIES = Entry(
    path="/g/s.4th",
    kind="game",
    title="Spies",
    players=("A", "B"),
    columns=4,
    rows=5,
    squares=20,
    hidden=True,
)
BROKEN = Entry(path="/g/b.zrf", kind="game", title="broken chess", reason="line 3")
SAVED = Entry(path="/g/c.zsg", kind="saved game", title="Chess", description="12 moves")
ALL = (SPIES, SAVED, LUDO, GO, CHESS, BROKEN)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query(), [BROKEN, CHESS, SAVED, GO, LUDO, SPIES]),
        # Titles come before descriptions.
        (Query(text="CHESS"), [BROKEN, CHESS, SAVED, GO]),
        (Query(text="byron black"), [GO]),
        (Query(text="l.4th"), [LUDO]),
        (Query(text="chess ludo"), []),
        (Query(text="/g/"), []),  # folders are not searched
        (Query(players=2), [CHESS, GO, SPIES]),
        (Query(players=0), []),
        (Query(chance=True), [LUDO]),
        (Query(chance=False), [CHESS, GO, SPIES]),  # nothing is known of games that do not load
        (Query(hidden=True, players=2), [SPIES]),
        (Query(loads=False), [BROKEN]),
        (Query(loads=True, text="chess"), [CHESS, SAVED, GO]),
        (Query(kind="saved game"), [SAVED]),
        (Query(board="square"), [CHESS, GO]),
        (Query(board="oblong"), [SPIES]),
        (Query(board="other"), [LUDO]),
        (Query(board="small"), [SPIES]),
        (Query(board="medium"), [CHESS, LUDO]),
        (Query(board="large"), [GO]),
        (Query(board="19x19"), [GO]),
        (Query(board="9x9"), []),
        (Query(text="old.ZIP"), [LUDO]),
    ],
)
def test_search(query: Query, found: list[Entry]) -> None:
    assert search(ALL, query) == found


@pytest.mark.parametrize("board", ["round", "", "8x", "8x8x8", "1000x1"])
def test_unknown_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="is none of"):
        Query(board=board)
