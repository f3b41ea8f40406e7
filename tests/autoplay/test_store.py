"""The results file: stored data, and behaviour on errors."""

from __future__ import annotations

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from forthvm.autoplay import (
    Adjudication,
    Configuration,
    Entrant,
    GameRow,
    MatchError,
    Settings,
    Store,
    StoreError,
    TimeControl,
)
from tests.kit.cases import each_case
from tests.kit.messages import raises
from tests.systems import needs_pipes

ROW = GameRow(
    id=1,
    seed=5,
    seats={"South": "A", "North": "B"},
    outcome={"South": 0.5, "North": 0.5},
    reason="OnIsGameOver: draw",
    plies=2,
    moves=(("South", "troll é2 - e3"), ("North", "Pass")),
    seconds=0.25,
    finished_at="2026-01-01T00:00:00.000+00:00",
    game="splut-duel",
    opening=(("South", "troll é2 - e3"),),
    pair=1,
    nodes={"South": 2**40, "North": 0},
    thinking={"South": 0.1, "North": 0.05},
    branching=12.5,
    digest="ab" * 12,
    faults=("the script's engine for South left 1 number on the stack (dropped)",),
)


def test_game_is_read_as_recorded(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", {"game": "é"}) as store:
        assert store.record(ROW)
        assert list(store.games()) == [ROW]
        assert store.game(1) == ROW
        assert store.game(2) is None
    with Store.open(tmp_path / "a.db") as store:
        assert list(store.games()) == [ROW]
        assert store.match()["game"] == "é"


def test_columns_are_documented(tmp_path: Path) -> None:
    """Programs that read the file by SQL depend on the names and order of the columns."""
    Store.create(tmp_path / "a.db", {}).close()
    with sqlite3.connect(tmp_path / "a.db") as connection:
        columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(games)")]
    connection.close()
    assert columns[:9] == [
        *("id", "seed", "seats", "outcome", "reason", "plies", "moves", "seconds", "finished_at")
    ]
    page = Path(__file__).resolve().parents[2] / "docs" / "guides" / "autoplay.md"
    text = page.read_text(encoding="utf-8")
    assert [name for name in columns if f"`{name}`" not in text] == []


def test_second_record_of_a_game_has_no_effect(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", {}) as store:
        assert store.record(ROW)
        assert not store.record(replace(ROW, reason="another"))
        assert store.game(1) == ROW


def test_two_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    """Two connections, like those of two processes, record overlapping ranges of games."""
    path = tmp_path / "a.db"
    Store.create(path, {}).close()

    def write(first: int) -> int:
        with Store.open(path) as store:
            return sum(store.record(replace(ROW, id=first + at)) for at in range(150))

    with ThreadPoolExecutor(2) as pool:
        written = list(pool.map(write, (1, 101)))
    assert sum(written) == 250
    with Store.open(path) as store:
        assert store.numbers() == set(range(1, 251))
        check = store._connection.execute("PRAGMA integrity_check").fetchone()
    assert check == ("ok",)


def test_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_text("my diary")
    with raises(StoreError, "store.exists"):
        Store.create(path, {})
    assert path.read_text() == "my diary"


@pytest.mark.parametrize("content", ["", "PRAGMA journal_mode = WAL"])
def test_empty_file_is_reused(tmp_path: Path, content: str) -> None:
    """Such a file is left by a match that was killed before its first transaction."""
    path = tmp_path / "a.db"
    path.touch()
    connection = sqlite3.connect(path)
    connection.execute(content)
    connection.close()
    with raises(StoreError, "store.not-a-results-file"):
        Store.open(path)
    Store.create(path, {}).close()
    Store.open(path).close()


def test_folder_is_refused(tmp_path: Path) -> None:
    with raises(StoreError, "store.folder"):
        Store.open(tmp_path)


@needs_pipes
def test_irregular_files_are_refused_with_their_kind(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with raises(StoreError, "store.named-pipe") as raised:
        Store.open(tmp_path / "pipe")
    assert raised.value.hints == ("SQLite reads files, not pipes: save the results to a file",)
    with raises(StoreError, "store.device"):
        Store.open(Path("/dev/null"))


def test_refused_file_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows does not remove an open file, and an error keeps the variables of its functions."""
    path = tmp_path / "a.db"
    path.write_text("no database", encoding="utf-8")
    connection = sqlite3.connect(path)
    monkeypatch.setattr(sqlite3, "connect", lambda *_, **__: connection)
    with raises(StoreError, "store.not-a-results-file"):
        Store.open(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("")


@pytest.mark.parametrize("content", [b"not a database at all, and long enough" * 40, b"\0" * 4096])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)
    with pytest.raises(StoreError):
        Store.open(path)


def test_other_databases_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE match (key TEXT, value TEXT)")
    connection.close()
    with raises(StoreError, "store.no-schema"):
        Store.open(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with raises(StoreError, "store.missing"):
        Store.open(tmp_path / "none.db")
    with raises(StoreError, "store.cannot-open"):
        Store.create(tmp_path / "none" / "a.db", {})


def test_full_disk_keeps_recorded_games(tmp_path: Path) -> None:
    """SQLite reports a full disk if the file may not grow."""
    path = tmp_path / "a.db"
    with Store.create(path, {}) as store:
        store.record(ROW)
        store._connection.execute("PRAGMA max_page_count = 8")
        stored = 1
        with raises(StoreError, "store.disk-full"):
            for number in range(2, 1000):
                store.record(replace(ROW, id=number))
                stored = number
        assert store.numbers() == set(range(1, stored + 1))
    with Store.open(path) as store:
        assert store.numbers() == set(range(1, stored + 1))
        assert store.record(replace(ROW, id=1000))  # there is space again
        assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_void_game_keeps_its_reason(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", {}) as store:
        store.record(ROW)
        store.void([1], "too late")
        store.void([1], "twice")
        row = store.game(1)
    assert row == replace(ROW, void=True, reason="void: too late; OnIsGameOver: draw")


def test_scores_are_summed_over_the_seats_of_an_entrant() -> None:
    row = replace(
        ROW,
        seats={"N": "A", "E": "B", "S": "A", "W": "B"},
        outcome={"N": 0.5, "E": 0.0, "S": 0.5, "W": 0.0},
    )
    assert row.entrant_scores() == {"A": 1.0, "B": 0.0}


# --- settings ------------------------------------------------------------------------------------

SETTINGS = Settings(
    configurations=(
        Configuration(name="a", game="a", settings=(("siege", "natural"),), axiom=140),
        Configuration(name="b", game="/b.4th", library="/lib", checked=True),
    ),
    entrants=(
        Entrant(name="a", configuration=0),
        Entrant(name="b", spec="negamax:depth=3", configuration=1, time=TimeControl(base=9)),
    ),
    games=7,
    schedule="fixed",
    seed=11,
    depth=3,
    time=TimeControl(move=0.5, margin=0.0),
    adjudication=Adjudication(max_plies=9, draw_score=0),
    sprt=("elo0=0", "elo1=5"),
)


def test_settings_are_restored_from_the_file(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", SETTINGS.to_match()) as store:
        assert Settings.from_match(store.match()) == SETTINGS


@each_case("key", ["entrants", "configurations", "games", "seed", "options"])
def test_missing_settings_are_reported(key: str) -> None:
    rows = SETTINGS.to_match()
    del rows[key]
    with pytest.raises(MatchError, match=key):
        Settings.from_match(rows)


@each_case(
    ("changes", "message"),
    [
        ({"entrants": ()}, "store.no-entrants"),
        ({"entrants": (Entrant(name="a"), Entrant(name="a"))}, "store.two-entrants-are-called"),
        ({"entrants": (Entrant(name="a\x1b[2J"),)}, "store.unprintable-characters"),
        ({"games": 0}, "store.at-least-game"),
        ({"schedule": "knockout"}, "store.no-schedule-knockout"),
        ({"on_failure": "cry"}, "store.forfeit-or-void"),
    ],
)
def test_invalid_settings_are_refused(changes: dict[str, object], message: str) -> None:
    with raises(MatchError, message):
        replace(SETTINGS, **changes)  # type: ignore[arg-type]  # invalid on purpose


def test_any_text_can_be_stored(tmp_path: Path) -> None:
    """Lone surrogates cannot be encoded, and ESC is a terminal control character."""
    unencodable = replace(
        ROW, reason="void: \udcff\x1b[2J", faults=("\x07\udc80",), moves=(("White", "\udcff"),)
    )
    with Store.create(tmp_path / "a.db", {"game": "\udcff"}) as store:
        assert store.record(unencodable)
        stored = store.game(ROW.id)
        assert store.match()["game"] == "\udcff"
    assert stored.reason == r"void: \udcff\x1b[2J"
    assert stored.faults == (r"\x07\udc80",)
    assert stored.moves == unencodable.moves
