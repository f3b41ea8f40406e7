"""Searching entries."""

from __future__ import annotations

import pytest

from forthvm.library.entry import Entry
from forthvm.library.search import Query, search

CHESS = Entry(path="/g/c.zrf", kind="game", title="Chess", players=("White", "Black"))
GO = Entry(
    path="/g/go.zrf",
    kind="game",
    title="Go",
    author="Ada Byron",
    description="Older than chess.",
    players=("Black", "White"),
)
LUDO = Entry(path="/g/l.4th", kind="game", title="Ludo", players=("A", "B", "C"), chance=True)
SPIES = Entry(path="/g/s.4th", kind="game", title="Spies", players=("A", "B"), hidden=True)
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
    ],
)
def test_search(query: Query, found: list[Entry]) -> None:
    assert search(ALL, query) == found
