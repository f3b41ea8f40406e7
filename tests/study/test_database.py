"""Position databases: contents and queries compared with the replayed games, files, export."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.autoplay import Store
from forthvm.core.errors import ForthVMError
from forthvm.study import (
    OpeningTree,
    PositionDatabase,
    StudyError,
    database_file,
    position_key,
)
from forthvm.study.replays import recorded_games
from tests.autoplay.results import write_random_match
from tests.kit.files import write
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.study.recorded import write_games

WON_BY_X, DRAWN, WON_BY_O = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)
GAMES = [
    ("a1 b2 c3 a3 c1 c2 b1", WON_BY_X),
    ("c3 b2 a1 a3 c1 c2 b1", WON_BY_X),
    ("a1 b2 c3", WON_BY_O),
    ("b2 a1 c3", DRAWN),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("database") / "results.db", GAMES)


@pytest.fixture(scope="module")
def path(results: Path) -> Path:
    path = results.with_name("positions.db")
    PositionDatabase.create(path, results, documents=True).close()
    return path


@pytest.fixture
def database(path: Path) -> Iterator[PositionDatabase]:
    with PositionDatabase.open(path) as database:
        yield database


def test_contents_are_the_replayed_games(database: PositionDatabase, results: Path) -> None:
    expected = [
        (ply.number, ply.position.turn, position_key(ply.position), ply.move, recorded.row.id)
        for recorded in recorded_games([results])
        for ply in recorded.plies()
    ]
    found = list(database.occurrences())
    assert [(each.ply, each.turn, each.key, each.move, each.number) for each in found] == expected
    assert (database.games, len(database)) == (4, len({key for _, _, key, _, _ in expected}))
    assert (database.game, database.seats) == ("tictactoe", ("X", "O"))
    last = found[7]
    assert (last.ply, last.ended, last.move, last.file) == (7, True, None, "results.db")
    assert last.scores == {"X": 1.0, "O": 0.0}
    assert last.entrants == {"X": "A", "O": "B"}
    assert last.pieces == {
        **dict.fromkeys(["a1", "c3", "c1", "b1"], "X mark"),
        **dict.fromkeys(["b2", "a3", "c2"], "O mark"),
    }
    assert last.board.splitlines()[0].split() == ["3", "O", "·", "X"]


@pytest.mark.parametrize(
    ("conditions", "count"),
    [
        ({}, 8 + 8 + 4 + 4),
        ({"turn": "X"}, 4 + 4 + 2 + 2),
        ({"min_ply": 3}, 5 + 5 + 1 + 1),
        ({"max_ply": 0}, 4),
        ({"min_ply": 2, "max_ply": 3}, 8),
        ({"move": "X mark a1"}, 3),
        ({"winner": "X"}, 16),
        ({"winner": "O"}, 4),
        ({"draw": True}, 4),
        ({"draw": False}, 20),
        ({"ended": True}, 2),
        ({"entrant": "A", "max_ply": 0}, 4),
        ({"entrant": "C"}, 0),
        ({"pieces": {"b2": "X mark"}}, 3),
        ({"pieces": {"b2": None}}, 4 + 2 + 1),
        ({"pieces": {"a1": "X mark", "c3": "X mark", "a3": None}}, 3),
        ({"winner": "X", "turn": "O", "min_ply": 5, "move": "O mark c2"}, 2),
        ({"limit": 5}, 5),
        ({"limit": 0}, 0),
        ({"limit": 1, "pieces": {"b2": "X mark"}}, 1),
        ({"position": 12}, 0),
    ],
)
def test_conditions(database: PositionDatabase, conditions: dict[str, object], count: int) -> None:
    assert len(list(database.occurrences(**conditions))) == count  # type: ignore[arg-type]


def test_position_as_condition(database: PositionDatabase) -> None:
    game = forthvm.load("tictactoe")
    position = game.start()
    play(position, "X mark a1", "O mark b2", "X mark c3")
    assert [each.number for each in database.occurrences(position=position)] == [1, 2, 3]
    key = position_key(position)
    assert [each.ply for each in database.occurrences(position=key)] == [3, 3, 3]
    piece = position.board["a1"]
    assert len(list(database.occurrences(pieces={"a1": piece}, min_ply=3, max_ply=3))) == 3
    with raises(StudyError, "database.another-game"):
        database.occurrences(position=loaded("breakthrough").start())


def test_positions_have_the_results_of_their_games(
    database: PositionDatabase, results: Path
) -> None:
    tree = OpeningTree.from_results(results)
    found = database.positions()
    assert len(found) == len(database) == len(tree)
    assert [each.games for each in found] == sorted((each.games for each in found), reverse=True)
    for each in found:
        node = tree.nodes[each.key]
        assert (each.games, each.ply, each.turn) == (node.tally.games, node.ply, node.turn)
        assert each.scores == {"X": node.tally.score(0), "O": node.tally.score(1)}
    best = database.positions(min_ply=3, max_ply=3, limit=1)
    assert [(each.games, each.scores["X"]) for each in best] == [(3, pytest.approx(2 / 3))]


def test_positions_are_restored(database: PositionDatabase, results: Path) -> None:
    game = forthvm.load("tictactoe")
    for each in database.positions():
        position = database.restore(game, each.key)
        assert position_key(position) == each.key
        assert position.turn == each.turn
    with raises(StudyError, "database.unknown-position"):
        database.restore(game, 7)
    path = results.with_name("short.db")
    with PositionDatabase.create(path, results, plies=1, boards=False) as without:
        assert {each.board for each in without.occurrences()} == {None}
        assert max(each.ply for each in without.occurrences()) == 1
        with raises(StudyError, "database.without-documents"):
            without.restore(game, without.positions()[0].key)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["splut", "ur"])
def test_games_of_more_players_and_chance(game: str, tmp_path: Path) -> None:
    results = tmp_path / "results.db"
    write_random_match(results, game, games=2, max_plies=20)
    with PositionDatabase.create(tmp_path / "positions.db", results, boards=False) as database:
        with Store.open(results) as store:
            rows = list(store.games())
        for row in rows:
            found = [each for each in database.occurrences() if each.number == row.id]
            assert [each.move for each in found[:-1]] == [text for _, text in row.moves]
            assert [each.turn for each in found[:-1]] == [player for player, _ in row.moves]
            assert found[0].scores == dict(row.outcome)


# --- adding games ---------------------------------------------------------------------------------


def test_games_are_added_once(results: Path, tmp_path: Path) -> None:
    path = tmp_path / "positions.db"
    PositionDatabase.create(path, results, plies=2).close()
    second = write_games(tmp_path / "results.db", [("b1", DRAWN)], seed=2)
    with PositionDatabase.open(path, write=True) as database:
        assert database.add(results) == 0
        assert database.add([second, results]) == 1
        assert database.games == 5
        assert max(each.ply for each in database.occurrences()) == 2
        other = tmp_path / "other.db"
        write_random_match(other, "breakthrough")
        with raises(StudyError, "database.positions-of-another-game"):
            database.add(other)
    with PositionDatabase.open(path) as database:
        assert database.games == 5
        with raises(StudyError, "database.read-only"):
            database.add(results)


def test_failed_additions_change_nothing(results: Path, tmp_path: Path) -> None:
    illegal = write_games(tmp_path / "illegal.db", [("b1", DRAWN), ("b1 b1", DRAWN)], seed=2)
    path = tmp_path / "positions.db"
    with raises(StudyError, "database.game-differs"):
        PositionDatabase.create(path, illegal)
    assert not path.exists()
    PositionDatabase.create(path, results).close()
    with PositionDatabase.open(path, write=True) as database:
        with raises(StudyError, "database.game-differs"):
            database.add(illegal)
        assert database.games == 4


@pytest.mark.parametrize("pages", [2, 8])
def test_full_disk_leaves_no_file(
    pages: int, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite reports a full disk if the file may not grow."""
    limit = {"limit": f"PRAGMA max_page_count = {pages}"}
    monkeypatch.setattr(database_file, "_TABLES", limit | database_file._TABLES)
    with raises(StudyError, "database.disk-full"):
        PositionDatabase.create(tmp_path / "new.db", results)
    assert not list(tmp_path.iterdir())


def test_wrong_arguments_of_create(results: Path, path: Path, tmp_path: Path) -> None:
    with raises(StudyError, "database.exists"):
        PositionDatabase.create(path, results)
    with PositionDatabase.open(path) as database:
        assert len(database) > 0
    new = tmp_path / "new.db"
    for files, message in (([], "there are no games that count"), (tmp_path / "x.db", "no file")):
        with pytest.raises(ForthVMError, match=message):
            PositionDatabase.create(new, files)
    with raises(ValueError, "database.negative-plies"):
        PositionDatabase.create(new, results, plies=-1)
    with raises(StudyError, "database.cannot-write"):
        PositionDatabase.create(tmp_path / "missing" / "new.db", results)
    assert not list(tmp_path.iterdir())


# --- wrong conditions and files -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"turn": "White"}, "database.turn-tictactoe-has-no-player"),
        ({"winner": "Z"}, "database.winner-tictactoe-has-no-player"),
        ({"pieces": {"z9": None}}, "database.pieces-tictactoe-has-no-square"),
        ({"colour": 1}, "database.there-is-no-condition-colour"),
        ({"min_ply": 1 << 70}, "database.min-ply-is-too-large"),
        ({"min_ply": "3"}, "database.min-ply-expected-int-not-str"),
        ({"move": 3}, "database.move-expected-str-not-int"),
        ({"position": "x"}, "database.position-expected-a-position"),
        ({"limit": -1}, "database.limit-expected-a-non-negative"),
    ],
)
def test_wrong_conditions(
    database: PositionDatabase, conditions: dict[str, object], message: str
) -> None:
    with raises((StudyError, TypeError, ValueError), message):
        database.occurrences(**conditions)  # type: ignore[arg-type]


def test_other_files_are_refused(results: Path, path: Path, tmp_path: Path) -> None:
    with raises(StudyError, "database.missing"):
        PositionDatabase.open(tmp_path / "missing.db")
    with raises(StudyError, "database.not-a-regular-file"):
        PositionDatabase.open(tmp_path)
    with raises(StudyError, "database.other-version"):
        PositionDatabase.open(results)
    for content in (b"", b"text", b"SQLite format 3\0" + bytes(200)):
        other = write(tmp_path / "other.db", content)
        with raises(StudyError, "database.not-a-database"):
            PositionDatabase.open(other)
    for statement in (
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE more (x)",
        "DROP INDEX occurrences_by_key",
    ):
        other.write_bytes(path.read_bytes())
        with sqlite3.connect(other) as connection:
            connection.execute(statement)
        connection.close()
        with raises(StudyError, "database.other-version"):
            PositionDatabase.open(other)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE positions SET pieces = '[]'",
        "UPDATE positions SET pieces = '{\"a1\": 3}'",
        "UPDATE positions SET pieces = '" + "[" * 10_000 + "'",
        "UPDATE positions SET pieces = x'ff'",
        "UPDATE positions SET turn = x'00ff'",
        "UPDATE positions SET board = x'00'",
        "UPDATE occurrences SET move = x'00'",
        "UPDATE games SET number = 'many' WHERE id = 1",
        "UPDATE games SET file = x'00'",
        "UPDATE seats SET score = 'high'",
        "UPDATE seats SET entrant = x'00'",
        "UPDATE seats SET seat = 'Z' WHERE seat = 'X'",
        "DELETE FROM seats",
        "UPDATE info SET value = '3'",
        "UPDATE info SET value = '{' WHERE name = 'game'",
        "UPDATE info SET value = '7' WHERE name = 'seats'",
        "UPDATE info SET value = '[7]' WHERE name = 'squares'",
        "UPDATE info SET value = '\"x\"' WHERE name = 'plies'",
        "DELETE FROM info",
    ],
)
def test_damaged_values_raise_errors_of_forthvm(path: Path, tmp_path: Path, statement: str) -> None:
    damaged = write(tmp_path / "damaged.db", path.read_bytes())
    with sqlite3.connect(damaged) as connection:
        connection.execute(statement)
    connection.close()
    with (
        raises(StudyError, "database.damaged-file"),
        PositionDatabase.open(damaged) as database,
    ):
        list(database.occurrences())


@pytest.mark.slow
def test_damaged_pages_raise_errors_of_forthvm(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    damaged = tmp_path / "damaged.db"
    for at in range(100, len(content), max(1, len(content) // 60)):
        damaged.write_bytes(content[:at] + b"\xff" * 64 + content[at + 64 :])
        try:
            with PositionDatabase.open(damaged) as database:
                list(database.occurrences())
                database.positions()
        except StudyError:
            pass


# --- export ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_data_frame(database: PositionDatabase) -> None:
    frame = database.to_frame(winner="X")
    found = list(database.occurrences(winner="X"))
    assert len(frame) == len(found) == 16
    assert list(frame["key"]) == [f"{each.key:016x}" for each in found]
    assert list(frame["ply"]) == [each.ply for each in found]
    assert json.loads(frame["pieces"][3]) == found[3].pieces
    assert set(frame["score X"]) == {1.0}
    assert list(frame.columns)[-4:] == ["score X", "score O", "entrant X", "entrant O"]
    assert len(database.to_frame(limit=0).columns) == 14


@pytest.mark.slow
def test_parquet(
    database: PositionDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")

    from forthvm.study import database_export

    monkeypatch.setattr(database_export, "_BATCH_ROWS", 7)
    path = tmp_path / "positions.parquet"
    assert database.to_parquet(path) == 24
    table = parquet.read_table(path)
    found = list(database.occurrences())
    assert table.num_rows == 24
    assert table.column("move").to_pylist() == [each.move for each in found]
    assert table.column("ended").to_pylist() == [each.ended for each in found]
    assert table.column("score O").to_pylist() == [each.scores["O"] for each in found]
    with raises(StudyError, "database.exists"):
        database.to_parquet(path)
    assert database.to_parquet(tmp_path / "empty.parquet", entrant="C") == 0
    assert parquet.read_table(tmp_path / "empty.parquet").schema == table.schema
    with raises(StudyError, "database.no-such-folder"):
        database.to_parquet(tmp_path / "missing" / "positions.parquet")


def test_message_without_pyarrow(
    database: PositionDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with raises(StudyError, "database.needs-pyarrow"):
        database.to_parquet(tmp_path / "positions.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_failed_export_leaves_no_file(path: Path, tmp_path: Path) -> None:
    damaged = write(tmp_path / "damaged.db", path.read_bytes())
    with sqlite3.connect(damaged) as connection:
        connection.execute("UPDATE positions SET board = x'00' WHERE ended")
    connection.close()
    with PositionDatabase.open(damaged) as database, raises(StudyError, "database.damaged"):
        database.to_parquet(tmp_path / "positions.parquet")
    assert [each.name for each in tmp_path.iterdir()] == ["damaged.db"]
