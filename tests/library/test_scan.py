"""Scanning folders: what entries say, what is scanned again, and files that do harm."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import forthvm
from forthvm.autoplay.match import worker_process
from forthvm.autoplay.match.worker_process import WorkerProcess
from forthvm.autoplay.results.store import Store
from forthvm.library import cache as cache_module
from forthvm.library import surroundings, unpacked, workers
from forthvm.library.cache import Cache
from forthvm.library.describing import Description, describe, failed
from forthvm.library.entry import Entry
from forthvm.library.scan import Scan
from forthvm.library.surroundings import digest_of
from forthvm.system.files import open_file
from tests.kit import processes
from tests.kit.files import write_files
from tests.library.games import ENDLESS, HEAPS, RULES, scripts
from tests.systems import ODD_CHARACTERS, needs_links


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def scan(folder: Path, cache: Path | None, *, loads: int | None = None) -> dict[str, Entry]:
    """Return the entries by file name, and check how many files were not in the cache."""
    run = Scan(Cache(cache), processes=1)
    found = {Path(entry.path).name: entry for entry in run.entries([folder])}
    assert run.done == run.found
    assert loads in {None, run.loaded}
    return found


@pytest.mark.slow
def test_entries_describe_games(games: Path, cache: Path) -> None:
    write_files(games, {"drops.zrf": RULES, "heaps.4th": HEAPS})
    found = scan(games, cache, loads=2)
    assert found["drops.zrf"] == Entry(
        path=str(games / "drops.zrf"),
        kind="game",
        title="Drops",
        author="Ada Lovelace",
        description="Put a man on each square.",
        players=("Red", "Blue"),
        columns=3,
        rows=2,
        squares=6,
        variants=2,
    )
    heaps = found["heaps.4th"]
    assert heaps.description.startswith("Two heaps, no grid.")
    assert (heaps.squares, heaps.columns, heaps.variants) == (2, 0, 1)
    known = Cache(cache)
    list(Scan(known).entries([games]))
    picture = known.thumbnail(games / "drops.zrf")
    assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1251", "utf-8"])
def test_russian_texts_in_any_encoding(games: Path, cache: Path, encoding: str) -> None:
    """Comments of scripts, and titles of rule files, of which some cannot be loaded."""
    rules = RULES.replace('"Drops"', '"Капли дождя"')
    assert rules != RULES
    heaps = HEAPS.replace("Two heaps", "Две кучи камней")
    for name, text in {"drops.zrf": rules, "heaps.4th": heaps, "cut.zrf": rules[:120]}.items():
        (games / name).write_bytes(text.encode(encoding))
    found = scan(games, cache)
    assert found["drops.zrf"].title == found["cut.zrf"].title == "Капли дождя"
    assert found["heaps.4th"].description.startswith("Две кучи камней, no grid.")


HEXAGON = """
(game (title "Hexagon") (players You) (turn-order You)
  (board
    (grid (start-rectangle 0 0 9 9)
      (dimensions ("a/b/c/d/e" (10 -5)) ("1/2/3/4/5" (0 10)))
      (directions (n 0 -1) (s 0 1) (ne 1 0) (sw -1 0)))
    (kill-positions a4 a5 b5 d1 e1 e2))
  (board-setup (You (Man a1)))
  (piece (name Man) (moves (n (verify empty?) add) (ne (verify empty?) add))))
"""


@pytest.mark.slow
def test_a_hexagon_has_no_rows_and_columns(games: Path, cache: Path) -> None:
    """Its largest corner without gaps is a grid for the script."""
    write_files(games, {"hexagon.zrf": HEXAGON})
    entry = scan(games, cache)["hexagon.zrf"]
    assert (entry.columns, entry.rows, entry.squares) == (0, 0, 19)


def test_game_without_a_title_has_the_name_of_its_file(games: Path) -> None:
    path = games / "drops one.zrf"
    path.write_text(RULES.replace('(title "Drops")', ""))
    found = describe(path, "").entry
    assert (found.title, found.reason) == ("drops one", "")


@pytest.mark.slow
def test_chance_and_hidden_pieces_are_known(games: Path, cache: Path) -> None:
    hides = HEAPS + ': OnShow ( -- ) ." ~heap" ;\n'
    dice = RULES.replace("Blue)", "Blue ?Dice)", 1)
    write_files(games, {"dice.zrf": dice, "spies.4th": hides})
    found = scan(games, cache)
    assert (found["dice.zrf"].chance, found["dice.zrf"].hidden) == (True, False)
    assert (found["spies.4th"].chance, found["spies.4th"].hidden) == (False, True)


@pytest.mark.slow
def test_parts_of_games_and_foreign_files_are_no_entries(games: Path, cache: Path) -> None:
    write_files(
        games,
        {
            "game.4th": "LOAD part.4th\n",
            "part.4th": HEAPS.split("\n", 2)[2],
            "part.zrf": "(define step (add))",
            "other.json": '{"forthvm": 1}',
            "other.db": "no database",
        },
    )
    assert not scan(games, cache, loads=5).keys() - {"game.4th", "part.4th"}
    assert scan(games, cache, loads=0).keys() <= {"game.4th", "part.4th"}


@pytest.mark.slow
def test_saved_positions_and_games(games: Path, cache: Path) -> None:
    position = forthvm.load("tictactoe").start()
    header = "Zillions Save Game File Version 0.02 HC"
    zsg = header + "\r\nRulesFile={}\r\nVariantName=Drops\r\n1. man a1\r\n"
    write_files(
        games,
        {
            "drops.zrf": RULES,
            "one.zsg": zsg.format("C:\\Games\\DROPS.ZRF"),
            "lost.zsg": zsg.format("gone.zrf"),
            "bad.zsg": "nothing",
            "start.json": position.to_json(),
            "cut.json": position.to_json()[:-10],
        },
    )
    found = scan(games, cache)
    assert (found["one.zsg"].kind, found["one.zsg"].title) == ("saved game", "Drops")
    assert "1 move" in found["one.zsg"].description
    assert found["one.zsg"].loads
    assert "gone.zrf" in found["lost.zsg"].reason
    assert found["bad.zsg"].reason
    assert (found["start.json"].kind, found["start.json"].title) == ("position", "tictactoe")
    assert found["start.json"].loads
    assert found["cut.json"].reason


_LEAVE_SIDE_FILES = """\
import os, sqlite3
log = sqlite3.connect("log.db", isolation_level=None)
log.execute("PRAGMA journal_mode = WAL")
log.execute("CREATE TABLE t (x)")
log.execute("INSERT INTO t VALUES (1)")
journal = sqlite3.connect("journal.db", isolation_level=None)
journal.execute("CREATE TABLE t (x)")
journal.execute("PRAGMA cache_size = 1")
journal.execute("BEGIN IMMEDIATE")
for _ in range(500):
    journal.execute("INSERT INTO t VALUES (?)", ("x" * 1000,))
os._exit(0)
"""
"""Leaves a write-ahead log and a journal, as a program that is killed does."""


@pytest.mark.slow
def test_databases_of_other_programs_are_not_changed(games: Path, cache: Path) -> None:
    processes.output_of(sys.executable, "-c", _LEAVE_SIDE_FILES, folder=games)
    before = {path.name: path.read_bytes() for path in games.iterdir()}
    assert {"log.db-wal", "journal.db-journal"} < before.keys()
    assert not scan(games, cache, loads=2)
    assert {path.name: path.read_bytes() for path in games.iterdir()} == before


@pytest.mark.slow
def test_results_of_matches(games: Path, cache: Path) -> None:
    match = {"game": "tictactoe", "entrants": [{}, {}]}
    for name in ("one.db", "two.autoplay.db"):
        Store.create(games / name, match).close()
    (games / "bad.autoplay.db").write_bytes(b"no database")
    found = scan(games, cache, loads=3)
    assert (found["one.db"].kind, found["one.db"].title) == ("results", "tictactoe")
    assert found["one.db"].description == "0 games of 2 entrants"
    assert found["two.autoplay.db"].loads
    assert "not a results file" in found["bad.autoplay.db"].reason


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("Designed by Ada Lovelace in 1843", "Ada Lovelace"),
        ("Author: Vincent van Gogh.", "Vincent van Gogh"),
        ("Copyright (c) 1998-2001, 2003 Ada Lovelace", "Ada Lovelace"),
        ("copyright © Byron", "Byron"),
        ("Copyright 1843 by Ada", "Ada"),
        ("Copyright 1843 all rights", ""),
        ("Copyrights Ada", ""),
    ],
)
def test_author_is_named_in_a_comment(games: Path, line: str, author: str) -> None:
    path = games / "a.4th"
    path.write_text(f"\\ {line}\n{HEAPS}", encoding="cp1252")
    found = describe(path, "").entry
    assert found.author == author


@pytest.mark.slow
def test_names_that_are_not_utf_8(games: Path) -> None:
    for text in (RULES, RULES.replace('(title "Drops")', "")):
        path = games / f"h{ODD_CHARACTERS}.zrf"
        path.write_text(text)
        found = describe(path, "").entry
        assert not found.reason


# --- damaged and hostile files ---------------------------------------------------------


@pytest.mark.slow
def test_damaged_files_have_a_reason_and_their_title(games: Path, cache: Path) -> None:
    write_files(
        games,
        {
            "cut.zrf": RULES[:120],
            "empty.4th": "",
            "missing.4th": "LOAD nowhere.4th\n",
            "fine.4th": HEAPS,
        },
    )
    found = scan(games, cache)
    assert found["cut.zrf"].title == "Drops"
    assert found["cut.zrf"].reason
    assert "empty.4th" not in found
    assert found["missing.4th"].reason.startswith("line 1: ")
    assert "nowhere.4th" in found["missing.4th"].reason
    assert found["fine.4th"].loads


@pytest.mark.slow
def test_script_that_never_ends_does_not_stop_the_scan(games: Path, cache: Path) -> None:
    write_files(games, {"a.4th": ENDLESS, "b.4th": HEAPS})
    found = scan(games, cache)
    assert found["a.4th"].reason
    assert found["b.4th"].loads
    scan(games, cache, loads=0)


@pytest.mark.slow
def test_long_text_that_could_name_an_author(games: Path, cache: Path) -> None:
    line = "Copyright " + "1 - " * 20_000 + "all rights"
    history = RULES.replace("(players", f'(history "{line}") (players', 1)
    write_files(games, {"a.zrf": "; Copyright" + " " * 200 + history, "b.zrf": history})
    assert all(entry.loads for entry in scan(games, cache, loads=2).values())


@pytest.mark.slow
def test_process_is_killed_after_its_seconds(games: Path, cache: Path) -> None:
    write_files(games, {"a.4th": ": spin BEGIN 0 UNTIL ; spin\n" + HEAPS, "b.4th": HEAPS})
    for loaded in (2, 1):  # a file that was killed is loaded again: the computer may have been busy
        run = Scan(Cache(cache), processes=1, seconds=1)
        found = {Path(entry.path).name: entry for entry in run.entries([games])}
        assert found["a.4th"].reason == "it takes longer than 1 s"
        assert found["b.4th"].loads
        assert run.loaded == loaded


def test_process_that_does_not_start(
    games: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(games, {"a.4th": HEAPS})
    monkeypatch.setattr(worker_process, "_command", lambda _: [sys.executable, "-c", "pass"])
    assert "could not start" in scan(games, cache, loads=1)["a.4th"].reason


@pytest.mark.slow
def test_file_that_cannot_be_read(
    games: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(games, {"a.4th": HEAPS, "b.4th": HEAPS})

    def refuse(path: Path, flags: int) -> int:
        if path.name == "a.4th":
            raise PermissionError(13, "Permission denied")
        return open_file(path, flags)

    monkeypatch.setattr(surroundings, "open_file", refuse)
    found = scan(games, cache)
    assert found["a.4th"].reason == "Permission denied"
    assert found["b.4th"].loads


# --- the cache -------------------------------------------------------------------------


@pytest.mark.slow
def test_only_changed_files_are_scanned_again(games: Path, cache: Path) -> None:
    write_files(games, scripts(4))
    first = scan(games, cache, loads=4)
    assert scan(games, cache, loads=0) == first
    os.utime(games / "heaps-000.4th", (1, 1))  # contents count, not times
    write_files(games, {"heaps-001.4th": "\\ New text\n" + HEAPS})
    found = scan(games, cache, loads=1)
    assert found["heaps-001.4th"].description == "New text"
    (games / "heaps-002.4th").unlink()
    assert scan(games, cache, loads=0).keys() == first.keys() - {"heaps-002.4th"}


@pytest.mark.slow
def test_change_of_a_loaded_file_counts(games: Path, cache: Path) -> None:
    board = "{board {position} left-heap {position} right-heap board}"
    write_files(
        games, {"game.4th": HEAPS.replace(board, "LOAD parts/board.4th"), "parts/board.4th": board}
    )
    assert scan(games, cache)["game.4th"].squares == 2
    write_files(games, {"parts/board.4th": board.replace("board}", "{position} third board}")})
    assert scan(games, cache)["game.4th"].squares == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["board.4th", "parts/board.4th"])
def test_failure_is_tried_again_when_a_missing_file_appears(
    games: Path, cache: Path, name: str
) -> None:
    board = "{board {position} left-heap {position} right-heap board}"
    write_files(games, {"game.4th": HEAPS.replace(board, f"LOAD {name}"), "other.4th": HEAPS})
    assert scan(games, cache, loads=2)["game.4th"].reason
    scan(games, cache, loads=0)
    write_files(games, {name: board})
    assert scan(games, cache, loads=2)["game.4th"].loads  # board.4th is the other file


@pytest.mark.slow
def test_copied_and_moved_folders_are_not_scanned_again(games: Path, cache: Path) -> None:
    board = "{board {position} left-heap {position} right-heap board}"
    text = HEAPS.replace(board, "LOAD parts/board.4th")
    write_files(games, {"a/game.4th": text, "a/parts/board.4th": board, "a/bad.zrf": RULES[:120]})
    first = scan(games, cache, loads=3)
    shutil.copytree(games / "a", games / "b" / "c")
    (games / "a").rename(games / "moved")
    found = scan(games, cache, loads=0)
    assert found["game.4th"] == replace(first["game.4th"], path=str(games / "moved" / "game.4th"))
    write_files(games, {"b/c/parts/board.4th": board.replace("board}", "{position} third board}")})
    run = Scan(Cache(cache), processes=1)
    squares = {entry.path: entry.squares for entry in run.entries([games]) if entry.loads}
    assert squares == {str(games / "b" / "c" / "game.4th"): 3, str(games / "moved" / "game.4th"): 2}
    assert run.loaded == 3  # the part, the game that loads it, and the file that fails
    scan(games, cache, loads=0)  # both copies have records


@pytest.mark.slow
def test_renamed_file_is_scanned_again(games: Path, cache: Path) -> None:
    untitled = RULES.replace('(title "Drops")', "")
    write_files(games, {"one.zrf": untitled})
    scan(games, cache, loads=1)
    (games / "one.zrf").rename(games / "two.zrf")
    assert scan(games, cache, loads=1)["two.zrf"].title == "two"


@pytest.mark.slow
def test_archive_and_folder_share_descriptions(games: Path, cache: Path) -> None:
    write_files(games, {"drops.zrf": RULES})
    scan(games, cache, loads=1)
    archive = games / "a.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(games / "drops.zrf", "drops.zrf")
    run = Scan(Cache(cache), processes=1)
    archives = [entry.archive for entry in run.entries([games])]
    assert (sorted(archives), run.loaded) == (["", str(archive)], 0)


@pytest.mark.slow
def test_file_that_changes_while_it_is_described_is_not_stored(games: Path, cache: Path) -> None:
    write_files(games, {"a.4th": HEAPS})
    before = digest_of(games / "a.4th")
    found = describe(games / "a.4th", "")
    write_files(games, {"a.4th": HEAPS + "\\ more\n"})
    Cache(cache).store(games / "a.4th", before, found)
    scan(games, cache, loads=1)


PICTURED = RULES.replace("(board (grid", '(board (image "Drops/board.bmp") (grid').replace(
    "(piece (name man)", '(piece (name man) (image Red "man.bmp" Blue "man.bmp")'
)


@pytest.mark.slow
def test_thumbnail_follows_its_pictures(games: Path, cache: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    write_files(games, {"Rules/drops.zrf": PICTURED, "Rules/heaps.4th": HEAPS})
    scan(games, cache, loads=2)
    scan(games, cache, loads=0)
    (games / "Images" / "Drops").mkdir(parents=True)
    board = games / "Images" / "Drops" / "BOARD.bmp"
    image.new("RGB", (27, 18), "red").save(board)
    scan(games, cache, loads=1)  # a missing picture is there
    image.new("RGB", (27, 18), "blue").save(board)
    scan(games, cache, loads=1)
    write_files(games, {"Rules/symbols/heap.svg": "<svg/>"})
    scan(games, cache, loads=2)  # a drawing may belong to any game of the folder
    write_files(games, {"Rules/notes.txt": "no picture"})
    scan(games, cache, loads=0)


@pytest.mark.slow
@needs_links
def test_failure_is_tried_again_beside_a_link_to_nothing(games: Path, cache: Path) -> None:
    write_files(games, {"game.4th": "LOAD z.4th\n"})
    (games / "a.4th").symlink_to("nowhere")
    assert scan(games, cache, loads=1)["game.4th"].reason
    write_files(games, {"z.4th": HEAPS})
    assert scan(games, cache, loads=2)["game.4th"].loads


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"made_by": 1}', b"\xff"])
def test_damaged_records_are_replaced(games: Path, cache: Path, damage: bytes) -> None:
    write_files(games, {"a.4th": HEAPS})
    first = scan(games, cache, loads=1)
    for record in (cache / "entries").glob("*/*.json"):
        record.write_bytes(damage)
    assert scan(games, cache, loads=1) == first
    scan(games, cache, loads=0)


@pytest.mark.slow
def test_another_version_scans_again(
    games: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(games, {"a.4th": HEAPS})
    scan(games, cache, loads=1)
    monkeypatch.setattr(cache_module, "_MADE_BY", "another version")
    scan(games, cache, loads=1)


@pytest.mark.slow
def test_without_a_cache_everything_is_scanned(games: Path, tmp_path: Path) -> None:
    write_files(games, {"a.4th": HEAPS})
    scan(games, None, loads=1)
    scan(games, None, loads=1)


@pytest.mark.slow
def test_old_records_and_archives_are_deleted(games: Path, cache: Path) -> None:
    write_files(games, scripts(2))
    with zipfile.ZipFile(games / "old.zip", "w") as packed:
        packed.writestr("drops.zrf", RULES)
    scan(games, cache, loads=3)
    Cache(cache).clean_up()
    scan(games, cache, loads=0)
    (unpacked,) = cache.glob("archives/*/*")
    for path in [unpacked, *cache.glob("entries/*")]:
        os.utime(path, (1, 1))
    Cache(cache).clean_up()
    assert not [path for path in cache.rglob("*") if path.is_file()]
    scan(games, cache, loads=3)


@pytest.mark.slow
def test_stopped_scan_keeps_what_it_has(games: Path, cache: Path) -> None:
    write_files(games, {**scripts(6), "z.4th": ENDLESS})
    run = Scan(Cache(cache), processes=1)
    entries = run.entries([games])
    next(entries)
    next(entries)
    entries.close()
    loaded = run.loaded
    assert loaded >= 2
    (games / "z.4th").unlink()
    scan(games, cache, loads=6 - loaded)


_SCAN = """\
import sys
from pathlib import Path
from forthvm.library.cache import Cache
from forthvm.library.scan import Scan
entries = Scan(Cache(Path(sys.argv[2])), processes=1).entries([Path(sys.argv[1])])
print(sum(entry.loads for entry in entries), "load")
"""
_KILLED_SCAN = """\
import os, sys
from pathlib import Path
from forthvm.library.cache import Cache
from forthvm.library.scan import Scan
from forthvm.library.surroundings import digest_of
entries = Scan(Cache(Path(sys.argv[2])), processes=1).entries([Path(sys.argv[1])])
for _ in range(3):
    next(entries)
print("three", flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
def test_killed_scan_keeps_what_it_has(games: Path, cache: Path) -> None:
    write_files(games, scripts(6))
    process = processes.run(sys.executable, "-c", _KILLED_SCAN, games, cache)
    assert process.stdout == "three\n"
    assert process.returncode
    run = Scan(Cache(cache), processes=1)
    assert len(list(run.entries([games]))) == 6
    assert run.loaded <= 3


@pytest.mark.slow
def test_killed_process_loses_only_its_file(
    games: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(games, {**scripts(3), "z.4th": ": spin BEGIN 0 UNTIL ; spin\n" + HEAPS})
    started: list[WorkerProcess] = []

    class Recorded(WorkerProcess):
        def send(self, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
            super().send(function, arguments)
            if "z.4th" in str(arguments):
                started.append(self)
                os.kill(self.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    with monkeypatch.context() as patched:
        patched.setattr(workers, "WorkerProcess", Recorded)
        found = scan(games, cache, loads=4)
    assert started
    assert found["z.4th"].reason.startswith("the process that loads it ")
    assert [entry.loads for name, entry in found.items() if name != "z.4th"] == [True] * 3
    (games / "z.4th").write_text(HEAPS)
    assert scan(games, cache, loads=1)["z.4th"].loads


@pytest.mark.slow
def test_two_scans_at_once_share_a_cache(games: Path, cache: Path) -> None:
    write_files(games, scripts(12))
    command = [sys.executable, "-c", _SCAN, str(games), str(cache)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == ["12 load\n"] * 2
    scan(games, cache, loads=0)


@pytest.mark.slow
def test_scripts_that_take_memory_are_stopped(games: Path, cache: Path) -> None:
    endless = ": take BEGIN 1000000 ALLOT 0 UNTIL ; take\n"
    text = ': print BEGIN ." more and more" 0 UNTIL ; print\n'
    write_files(games, {"a.4th": endless + HEAPS, "b.4th": text + HEAPS, "c.4th": HEAPS})
    found = scan(games, cache, loads=3)
    assert found["a.4th"].reason.startswith("line 1: ")
    assert found["b.4th"].reason.startswith("line 1: ")
    assert found["c.4th"].loads
    scan(games, cache, loads=0)


ODD_NAMES = ["it's", "a b", "\N{GAME DIE}", "%41&amp;", "x" * 200, "-v", "ÄÖ"]
POSIX_NAMES = ['"quoted"', "two\nlines", "<b>", "\udcff", "tab\t", "con"]


@pytest.mark.slow
def test_odd_names_and_empty_files(games: Path, cache: Path) -> None:
    names = ODD_NAMES if os.name == "nt" else ODD_NAMES + POSIX_NAMES
    for name in names:
        (games / f"{name}.zrf").write_text(RULES)
        for suffix in (".4th", ".zrf", ".zsg", ".json", ".db", ".zip", ".autoplay.db"):
            (games / f"{name} empty{suffix}").touch()
    found = scan(games, cache)
    loading = {name for name, entry in found.items() if entry.loads}
    assert loading == {f"{name}.zrf" for name in names}
    failing = {Path(name).suffix for name in found.keys() - loading}
    assert failing == {".zsg", ".zip", ".db"}
    assert scan(games, cache) == found


@pytest.mark.slow
def test_300_files_are_scanned_once(games: Path, cache: Path) -> None:
    write_files(games, scripts(300))
    first = scan(games, cache, loads=300)
    assert len(first) == 300
    assert scan(games, cache, loads=0) == first


# --- archives ---------------------------------------------------------------------------


@pytest.mark.slow
def test_files_in_archives_are_entries(games: Path, cache: Path) -> None:
    archive = games / "old.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("Rules/drops.zrf", RULES)
        packed.writestr("inner.zip", b"not opened")
    (games / "broken.zip").write_bytes(b"PK")
    found = scan(games, cache, loads=1)
    assert found.keys() == {"drops.zrf", "broken.zip"}
    assert found["drops.zrf"].archive == str(archive)
    assert found["drops.zrf"].loads
    assert found["broken.zip"].kind == "archive"
    assert found["broken.zip"].reason
    assert scan(games, cache, loads=0) == found
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("heaps.4th", HEAPS)
    assert scan(games, cache, loads=1).keys() == {"heaps.4th", "broken.zip"}


@pytest.mark.slow
def test_archives_without_a_game_are_not_kept(
    games: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are known, so that they are not unpacked each time."""
    for name, file in (("pictures", "a.bmp"), ("program", "package.json")):
        with zipfile.ZipFile(games / f"{name}.zip", "w") as packed:
            packed.writestr(file, "{}")
    assert scan(games, cache, loads=1) == {}
    assert not [*cache.glob("archives/*/*")]
    monkeypatch.setattr(Scan, "_describe_all", pytest.fail)
    assert scan(games, cache, loads=0) == {}


@pytest.mark.slow
def test_archives_that_are_too_large_together(
    games: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacked, "MOST_BYTES", 1 << 14)
    for name in ("a", "b"):
        with zipfile.ZipFile(games / f"{name}.zip", "w") as packed:
            packed.writestr(f"{name}.zrf", RULES + "; " * 5000)
    found = scan(games, cache, loads=1)
    refused = [entry for entry in found.values() if entry.kind == "archive"]
    assert len(found) == 2
    assert [entry.reason for entry in refused] == [
        "the archives of the library are too large when unpacked"
    ]
    assert len([*cache.glob("archives/*/*")]) == 1


@pytest.mark.slow
def test_archive_with_a_path_outside_is_an_entry_with_the_reason(games: Path, cache: Path) -> None:
    with zipfile.ZipFile(games / "evil.zip", "w") as packed:
        packed.writestr("../../evil.zrf", RULES)
    found = scan(games, cache, loads=0)
    assert "../../evil.zrf" in found["evil.zip"].reason
    assert not list(cache.parent.rglob("evil.zrf"))


@pytest.mark.slow
def test_cache_in_which_nothing_can_be_unpacked(games: Path, cache: Path) -> None:
    with zipfile.ZipFile(games / "old.zip", "w") as packed:
        packed.writestr("drops.zrf", RULES)
    write_files(games, {"heaps.4th": HEAPS})
    cache.mkdir()
    (cache / "archives").touch()
    found = scan(games, cache, loads=1)
    assert found["old.zip"].reason.startswith("it cannot be unpacked: ")
    assert found["heaps.4th"].loads
    (cache / "archives").unlink()
    assert scan(games, cache, loads=1).keys() == {"drops.zrf", "heaps.4th"}


@pytest.mark.slow
def test_unpacked_archive_is_read_although_unpacking_has_failed(games: Path, cache: Path) -> None:
    path = games / "old.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("drops.zrf", RULES)
    scan(games, cache, loads=1)
    Cache(cache).store(path, digest_of(path), Description(failed(path, "it was damaged")))
    assert scan(games, cache, loads=0).keys() == {"drops.zrf"}
