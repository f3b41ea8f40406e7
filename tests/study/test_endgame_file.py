"""Files of endgame tables: saving, loading, and files that are damaged or hostile."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.study import EndgameTable, StudyError
from forthvm.study.endgame_file import MAX_POSITIONS
from tests.kit.games import play
from tests.kit.messages import raises
from tests.study.test_solving import write_line

MAGIC = b"forthvm endgame table 1\n"


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_line(tmp_path_factory.mktemp("line"))


@pytest.fixture(scope="module")
def table(line: Path) -> EndgameTable:
    return EndgameTable.build(forthvm.load(line).start())


@pytest.fixture
def saved(table: EndgameTable, tmp_path: Path) -> Path:
    path = tmp_path / "line.table"
    table.save(path)
    return path


def test_loaded_tables_are_equal(table: EndgameTable, saved: Path, line: Path) -> None:
    loaded = EndgameTable.load(saved)
    assert list(loaded.items()) == list(table.items())
    assert (loaded.game, loaded.seats, loaded.root) == (table.game, table.seats, table.root)
    assert (len(loaded), loaded.max_distance) == (9, table.max_distance)
    start = forthvm.load(line).start()
    assert str(loaded.probe(start)) == str(table.probe(start))


def test_saving_replaces_a_file_and_leaves_no_drafts(table: EndgameTable, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("something else")
    table.save(path)
    assert len(EndgameTable.load(str(path))) == 9
    assert list(tmp_path.iterdir()) == [path]
    with raises(StudyError, "endgame.no-such-folder"):
        table.save(tmp_path / "missing" / "table")
    (tmp_path / "folder").mkdir()
    with raises(StudyError, "endgame.cannot-write"):
        table.save(tmp_path / "folder")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "table"]


def test_changed_scripts_are_another_game(table: EndgameTable, tmp_path: Path) -> None:
    changed = write_line(tmp_path, before="\\ changed")
    with raises(StudyError, "endgame.other-rules"):
        table.probe(forthvm.load(changed).start())


@pytest.mark.slow
def test_files_are_compact(tmp_path: Path) -> None:
    start = forthvm.load("tictactoe").start()
    play(start, "a1", "b2")
    table = EndgameTable.build(start)
    table.save(tmp_path / "table")
    assert (tmp_path / "table").stat().st_size < 400 + 9 * len(table)


def header_and_data(path: Path) -> tuple[dict[str, object], bytes]:
    header, _, data = path.read_bytes().removeprefix(MAGIC).partition(b"\n")
    return json.loads(header), data


def write(path: Path, header: object, data: bytes) -> None:
    path.write_bytes(MAGIC + json.dumps(header).encode() + b"\n" + data)


def with_data(path: Path, change: Callable[[bytes], bytes], *, compressed: bool = False) -> None:
    """Change the data, before or after compression, and write the correct digest."""
    header, data = header_and_data(path)
    data = change(data) if compressed else zlib.compress(change(zlib.decompress(data)))
    write(path, header | {"sha256": hashlib.sha256(data).hexdigest()}, data)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", 3),
        ("game", "x" * 2000),
        ("seats", ["Left"]),
        ("seats", "LR"),
        ("seats", [1, 2]),
        ("positions", -1),
        ("positions", True),
        ("positions", "9"),
        ("positions", MAX_POSITIONS + 1),
        ("positions", 8),
        ("positions", 10),
        ("root", "xyz"),
        ("root", "-1"),
        ("root", "1" * 17),
        ("sha256", "0" * 64),
        ("sha256", None),
        ("digest", []),
    ],
)
def test_wrong_headers(saved: Path, field: str, value: object) -> None:
    header, data = header_and_data(saved)
    write(saved, header | {field: value}, data)
    with raises(StudyError, "endgame.damaged"):
        EndgameTable.load(saved)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"forthvm",
        MAGIC,
        MAGIC + b"{}",
        MAGIC + b"[]\n",
        MAGIC + b"[" * 5000 + b"\n",
        MAGIC + b'{"game":\n',
        MAGIC + b"\xff\xfe\n",
        MAGIC.replace(b"1", b"2"),
        b"SQLite format 3\0",
    ],
)
def test_other_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with raises(StudyError, "endgame.damaged-bytes"):
        EndgameTable.load(path)


def test_missing_files(tmp_path: Path) -> None:
    with raises(StudyError, "endgame.missing"):
        EndgameTable.load(tmp_path / "missing")
    with raises(StudyError, "endgame.not-a-regular-file"):
        EndgameTable.load(tmp_path)


@pytest.mark.slow
def test_data_with_a_correct_digest_are_checked(saved: Path) -> None:
    content = saved.read_bytes()
    for change, message in (
        (lambda raw: bytes(72) + raw[72:], "not in ascending order"),
        (lambda raw: b"\xff" * 72 + raw[72:], "a key is too large"),
        (lambda raw: raw[:72] + b"\xff" * 36, "a distance exceeds"),
        (lambda raw: raw[:-1], "another size"),
        (lambda raw: raw + b"\0", "another size"),
        (lambda _: bytes(500_000), "another size"),  # decompressed only up to the limit
    ):
        saved.write_bytes(content)
        with_data(saved, change)
        with pytest.raises(StudyError, match=message):
            EndgameTable.load(saved)
    for change in (lambda data: data[:-3], lambda data: data + b"more", lambda _: b"not zlib"):
        saved.write_bytes(content)
        with_data(saved, change, compressed=True)
        with raises(StudyError, "endgame.damaged"):
            EndgameTable.load(saved)


def test_limit_on_positions(saved: Path) -> None:
    assert len(EndgameTable.load(saved, max_positions=9)) == 9
    with raises(StudyError, "endgame.more-than-the-limit"):
        EndgameTable.load(saved, max_positions=8)


def test_texts_are_shown_without_control_characters(saved: Path) -> None:
    header, data = header_and_data(saved)
    write(saved, header | {"game": "a\x1b[31mb", "seats": ["\x07", "b"]}, data)
    loaded = EndgameTable.load(saved)
    assert loaded.game.isprintable()
    assert loaded.seats[0].isprintable()


@pytest.mark.slow
def test_random_damage_is_found(saved: Path) -> None:
    rng = random.Random(11)
    content = saved.read_bytes()
    for _ in range(500):
        damaged = bytearray(content)
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        saved.write_bytes(damaged[: rng.choice([len(damaged), rng.randrange(len(damaged))])])
        try:
            table = EndgameTable.load(saved)
        except StudyError:
            continue
        assert len(table) == 9  # the damage changed a name or nothing
