"""The server of a library: search, thumbnails, opening games, progress of the scan."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from forthvm.core.failure import ForthVMError
from forthvm.library.cache import Cache
from forthvm.library.dropped import DroppedFiles
from forthvm.library.entry import Entry
from forthvm.library.folders import LibraryFolders
from forthvm.library.scan import Scan
from forthvm.library.user_library import UserLibrary
from forthvm.web.library import dropping
from forthvm.web.library.server import LibraryServer
from tests.kit.cases import each_case
from tests.kit.files import write_files
from tests.library.games import HEAPS, RULES

HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"
ALL = {"do": "search", "text": "", "rows": 10} | dict.fromkeys(
    ("players", "board", "kind", "loads", "chance", "hidden")
)


def opened(entry: Entry, again: bool) -> str:
    if entry.title == "heaps":
        raise ForthVMError("no table is free")
    return f"{ORIGIN}/{entry.title}?{again}{entry.rules}"


def library_in(folder: Path, *given: Path) -> UserLibrary:
    return UserLibrary(
        Cache(folder / "cache"),
        LibraryFolders(folder / "folders.json"),
        DroppedFiles(folder / "dropped"),
        given,
    )


@pytest.fixture
def server(tmp_path: Path) -> LibraryServer:
    games = tmp_path / "games"
    games.mkdir()
    write_files(games, {"drops.zrf": RULES, "heaps.4th": HEAPS, "cut.zrf": RULES[:120]})
    return LibraryServer(
        library_in(tmp_path, games),
        open_entry=opened,
        recent=lambda entry: entry.title == "heaps",
    )


@pytest.fixture
def socket(server: LibraryServer) -> Iterator[WebSocketTestSession]:
    with (
        TestClient(server.application(), base_url=ORIGIN) as client,
        client.websocket_connect(
            f"/ws?key={server.key}", headers={"host": HOST, "origin": ORIGIN}
        ) as socket,
    ):
        wait_for_scan(socket)
        yield socket


def wait_for_scan(socket: WebSocketTestSession) -> None:
    while (message := socket.receive_json())["is"] != "progress" or message["running"]:
        pass


def ask(socket: WebSocketTestSession, request: dict[str, Any]) -> dict[str, Any]:
    socket.send_json(request)
    answer: dict[str, Any] = socket.receive_json()
    return answer


def titles(found: dict[str, Any]) -> list[str]:
    return [row["title"] for row in found["rows"]]


@pytest.mark.slow
def test_the_page_needs_the_key(server: LibraryServer) -> None:
    with TestClient(server.application(), base_url=ORIGIN) as client:
        assert client.get("/").status_code == 403
        page = client.get(f"/?key={server.key}")
        assert (page.status_code, "library.js" in page.text) == (200, True)
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/ws?key=x", headers={"host": HOST, "origin": ORIGIN}),
        ):
            pass


@pytest.mark.slow
def test_search_and_rows(socket: WebSocketTestSession) -> None:
    found = ask(socket, ALL)
    assert titles(found) == ["heaps", "Drops", "Drops"]  # the recent game comes first
    assert (found["count"], found["total"]) == (3, 3)
    heaps, broken, drops = found["rows"]
    assert broken["reason"]
    assert (drops["players"], drops["columns"], drops["rows"]) == (2, 3, 2)
    assert (drops["place"], drops["recent"]) == ("drops.zrf", False)
    assert (heaps["squares"], heaps["columns"], heaps["recent"]) == (2, 0, True)
    assert titles(ask(socket, {**ALL, "loads": True, "text": "ada"})) == ["Drops"]
    assert titles(ask(socket, {**ALL, "board": "oblong"})) == ["Drops"]
    assert titles(ask(socket, {**ALL, "board": "3x2"})) == ["Drops"]
    first = ask(socket, {**ALL, "rows": 1})
    assert (len(first["rows"]), first["count"]) == (1, 3)


@pytest.mark.slow
def test_thumbnails(socket: WebSocketTestSession) -> None:
    numbers = {row["place"]: row["file"] for row in ask(socket, ALL)["rows"]}
    message = ask(socket, {"do": "thumbnails", "files": list(numbers.values())})
    assert message["is"] == "thumbnail"
    assert message["svg"].startswith("<svg")
    other = socket.receive_json()  # and none of the file that cannot be loaded
    assert {message["file"], other["file"]} == {numbers["drops.zrf"], numbers["heaps.4th"]}


@pytest.mark.slow
def test_texts(socket: WebSocketTestSession, tmp_path: Path) -> None:
    numbers = {row["place"]: row["file"] for row in ask(socket, ALL)["rows"]}
    message = ask(socket, {"do": "texts", "file": numbers["drops.zrf"]})
    assert (message["title"], message["players"]) == ("Drops", ["Red", "Blue"])
    assert message["path"] == str(tmp_path / "games" / "drops.zrf")
    (section,) = message["texts"]["sections"]
    assert section["kind"] == "description"
    assert ask(socket, {"do": "texts", "file": numbers["cut.zrf"]})["texts"] is None
    (tmp_path / "games" / "drops.zrf").write_text("; nothing")
    answer = ask(socket, {"do": "texts", "file": numbers["drops.zrf"]})
    assert (answer["is"], answer["code"]) == ("error", "not-opened")


@pytest.mark.slow
def test_opening(socket: WebSocketTestSession) -> None:
    numbers = {row["place"]: row["file"] for row in ask(socket, ALL)["rows"]}
    request = {"do": "open", "file": numbers["drops.zrf"], "again": True}
    assert ask(socket, request) == {"is": "opened", "address": f"{ORIGIN}/Drops?True"}
    answer = ask(socket, {**request, "file": numbers["heaps.4th"]})
    assert (answer["is"], answer["values"]) == ("error", {"reason": "no table is free"})


@pytest.mark.slow
@each_case(
    "request_",
    [
        {"do": "search"},
        {**ALL, "rows": -1},
        {**ALL, "rows": True},
        {**ALL, "more": 1},
        {**ALL, "board": "round"},
        {**ALL, "text": "a" * 1000},
        {"do": "thumbnails", "files": [3]},
        {"do": "thumbnails", "files": [-1]},
        {"do": "thumbnails", "files": [0] * 1000},
        {"do": "open", "file": 3, "again": False},
        {"do": "open", "file": 0},
        {"do": "shut"},
    ],
)
def test_wrong_requests_are_refused(socket: WebSocketTestSession, request_: dict[str, Any]) -> None:
    assert ask(socket, request_)["code"] == "unknown-request"
    assert ask(socket, ALL)["count"] == 3


def test_closing_ends_a_running_scan(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    (games / "slow.4th").write_text(": spin BEGIN 0 UNTIL ; spin\n" + HEAPS)
    server = LibraryServer(library_in(tmp_path, games), open_entry=opened)
    with TestClient(server.application(), base_url=ORIGIN) as client:
        assert client.get(f"/?key={server.key}").status_code == 200
    assert server._listing.progress()["done"] == 0
    assert not server._listing.is_scanning


def test_unexpected_end_of_the_scan_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def entries() -> Iterator[Entry]:
        yield Entry(path="a.zrf", kind="game", title="A")
        raise RuntimeError("no more")

    library = library_in(tmp_path)
    monkeypatch.setattr(UserLibrary, "scan", lambda self: (Scan(self.cache), entries()))
    server = LibraryServer(library, open_entry=opened)
    with TestClient(server.application(), base_url=ORIGIN) as client:
        server._listing._thread.join()
        with client.websocket_connect(
            f"/ws?key={server.key}", headers={"host": HOST, "origin": ORIGIN}
        ) as socket:
            folders, progress, failure = (socket.receive_json() for _ in range(3))
    assert folders == {"is": "folders", "folders": []}
    assert (progress["running"], progress["files"]) == (False, 1)
    assert (failure["is"], failure["values"]) == ("error", {"reason": "no more"})


# --- folders --------------------------------------------------------------------------------


@pytest.mark.slow
def test_folders_are_added_and_forgotten(socket: WebSocketTestSession, tmp_path: Path) -> None:
    more = tmp_path / "more games"
    more.mkdir()
    (more / "third.zrf").write_text(RULES.replace('"Drops"', '"Third"'))
    assert ask(socket, {"do": "add folder", "path": f' "{more}" '})["folders"] == [str(more)]
    wait_for_scan(socket)
    assert "Third" in titles(ask(socket, ALL))
    before = {row["place"]: row["file"] for row in ask(socket, ALL)["rows"]}
    (more / "third.zrf").unlink()
    (more / "fourth.zrf").write_text(RULES.replace('"Drops"', '"Fourth"'))
    socket.send_json({"do": "scan"})
    wait_for_scan(socket)
    rows = ask(socket, ALL)["rows"]
    assert {row["title"] for row in rows} == {"heaps", "Drops", "Fourth"}
    assert all(before.get(row["place"], row["file"]) == row["file"] for row in rows)
    answer = ask(socket, {"do": "open", "file": before["third.zrf"], "again": False})
    assert answer["code"] == "unknown-request"
    assert ask(socket, {"do": "forget folder", "path": str(more)})["folders"] == []
    wait_for_scan(socket)
    assert "Fourth" not in titles(ask(socket, ALL))
    assert (more / "fourth.zrf").exists()


@pytest.mark.slow
def test_scans_that_begin_at_the_same_time(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    (games / "slow.4th").write_text(": spin BEGIN 0 UNTIL ; spin\n" + HEAPS)
    server = LibraryServer(library_in(tmp_path, games), open_entry=opened)

    async def scans() -> int:
        await asyncio.gather(*(server._begin() for _ in range(3)))
        threads = [each for each in threading.enumerate() if each.name == "forthvm library"]
        await server.close()
        return len(threads)

    assert asyncio.run(scans()) == 1
    assert not server._listing.is_scanning


@pytest.mark.slow
def test_folders_that_cannot_be_added(socket: WebSocketTestSession, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, code in (
        ("games", "folder-path"),
        (str(tmp_path / "gone"), "no-folder"),
        (str(tmp_path / "file"), "no-folder"),
        (str(tmp_path / "a\0b"), "no-folder"),
        ("", "folder-path"),
    ):
        assert ask(socket, {"do": "add folder", "path": path})["code"] == code
    assert not (tmp_path / "folders.json").exists()


# --- dropped files --------------------------------------------------------------------------


def drop(
    server: LibraryServer, files: dict[str, bytes], key: str = "", origin: str = ORIGIN
) -> tuple[int, dict[str, str]]:
    line = json.dumps([[name, len(data)] for name, data in files.items()]).encode()
    client = TestClient(server.application(), base_url=ORIGIN)
    answer = client.post(
        f"/drop?key={key or server.key}",
        content=b"\n".join([line, b"".join(files.values())]),
        headers={"origin": origin},
    )
    return answer.status_code, answer.json() if answer.content else {}


def stored(server: LibraryServer, files: dict[str, bytes]) -> str:
    _, answer = drop(server, files)
    assert answer["is"] == "stored"
    return answer["drop"]


@pytest.mark.slow
def test_one_dropped_game_is_opened(
    server: LibraryServer, socket: WebSocketTestSession, tmp_path: Path
) -> None:
    game = RULES.replace('"Drops"', '"Dropped"').encode()
    name = stored(server, {"Rules/new.zrf": game, "Images/man.bmp": b"", "notes.txt": b"x"})
    folder = tmp_path / "dropped"
    assert (folder / name / "Rules" / "new.zrf").read_bytes() == game
    assert [path.name for path in folder.iterdir()] == [name]
    assert ask(socket, {"do": "dropped", "drop": name}) == {"is": "dropped", "opens": True}
    assert socket.receive_json() == {"is": "opened", "address": f"{ORIGIN}/Dropped?False"}
    assert titles(ask(socket, ALL))[0] == "Dropped"  # before the recent game
    assert name == stored(server, {"Rules/new.zrf": game, "Images/man.bmp": b"", "notes.txt": b"x"})


@pytest.mark.slow
def test_saved_game_uses_the_rule_file_of_the_library(
    server: LibraryServer, socket: WebSocketTestSession, tmp_path: Path
) -> None:
    text = "Zillions Save Game File Version 0.02 HC\r\nRulesFile=C:\\{}\r\nVariantName=Saved\r\n"
    name = stored(server, {"one.zsg": text.format("DROPS.ZRF").encode()})
    assert ask(socket, {"do": "dropped", "drop": name})["opens"]
    rules = str(tmp_path / "games" / "drops.zrf")
    assert socket.receive_json()["address"] == f"{ORIGIN}/Saved?False{rules}"
    row = ask(socket, ALL)["rows"][0]
    assert (row["title"], row["reason"]) == ("Saved", "")
    name = stored(server, {"two.zsg": text.format("other.zrf").encode()})
    assert not ask(socket, {"do": "dropped", "drop": name})["opens"]
    assert "other.zrf" in socket.receive_json()["values"]["reason"]


@pytest.mark.slow
def test_several_dropped_files_are_listed(
    server: LibraryServer, socket: WebSocketTestSession
) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("one.zrf", RULES.replace('"Drops"', '"One"'))
    files = {"a.zip": archive.getvalue(), "two.zrf": RULES.encode(), "cut.zrf": b"(game"}
    answer = ask(socket, {"do": "dropped", "drop": stored(server, files)})
    assert answer == {"is": "dropped", "opens": False}
    rows = ask(socket, ALL)["rows"][:3]
    assert {(row["archive"] or row["place"], bool(row["reason"])) for row in rows} == {
        ("a.zip", False),
        ("two.zrf", False),
        ("cut.zrf", True),
    }


@pytest.mark.slow
def test_dropped_files_that_take_long_are_scanned_in_the_background(
    server: LibraryServer, socket: WebSocketTestSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dropping, "_SECONDS", 0.0)
    name = stored(server, {f"{at}.zrf": RULES.encode() for at in range(40)})
    socket.send_json({"do": "dropped", "drop": name})
    seen = [socket.receive_json()["is"] for _ in range(2)]
    assert sorted(seen) == ["dropped", "progress"]
    wait_for_scan(socket)
    found = ask(socket, ALL)
    assert found["total"] == 43
    assert {row["place"] for row in found["rows"]} < {f"{at}.zrf" for at in range(40)}


@pytest.mark.slow
def test_dropped_files_that_cannot_be_opened(
    server: LibraryServer, socket: WebSocketTestSession
) -> None:
    name = stored(server, {"letter.docx": b"text", "empty.zrf": b""})
    assert ask(socket, {"do": "dropped", "drop": name})["code"] == "nothing-dropped"
    for other in ("0" * 32, "../games", "", name[:-1]):
        assert ask(socket, {"do": "dropped", "drop": other})["code"] == "unknown-request"


@each_case(
    "files",
    [
        {},
        {"../evil.zrf": b"x"},
        {"/evil.zrf": b"x"},
        {"C:\\evil.zrf": b"x"},
        {".. /evil.zrf": b"x"},
        {"con.zrf": b"x"},
        {"": b"x"},
        {"a\0b": b"x"},
        {"\ud800": b"x"},
        {"a" * 2000: b"x"},
        {"a/b": b"x", "a": b"x"},
        {f"{at}.zrf": b"" for at in range(5001)},
    ],
)
def test_names_and_numbers_that_are_refused(
    server: LibraryServer, tmp_path: Path, files: dict[str, bytes]
) -> None:
    assert drop(server, files)[1]["code"] == "not-opened"
    assert not list(tmp_path.glob("dropped/*"))
    assert not list(tmp_path.rglob("evil*"))


@each_case(
    "body",
    [
        b"",
        b"\n",
        b"[]",
        b"{}\n",
        b'[["a", 1]]\n',
        b'[["a", 1]]\nxy',
        b'[["a", -1]]\n',
        b'[["a", 1.5]]\nx',
        b'[["a", 300000000]]\nx',
        b"[" * 5_000_000,
    ],
)
def test_damaged_bodies(server: LibraryServer, tmp_path: Path, body: bytes) -> None:
    client = TestClient(server.application(), base_url=ORIGIN)
    answer = client.post(f"/drop?key={server.key}", content=body, headers={"origin": ORIGIN})
    assert answer.json()["code"] == "not-opened"
    assert not list(tmp_path.glob("dropped/*"))


def test_full_disk_while_files_arrive(
    server: LibraryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullDisk(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: FullDisk())
    status, answer = drop(server, {"a.zrf": RULES.encode()})
    assert (status, answer["code"]) == (200, "not-opened")
    assert "No space left" in str(answer)


def test_only_the_page_with_the_key_drops_files(server: LibraryServer, tmp_path: Path) -> None:
    files = {"a.zrf": RULES.encode()}
    assert drop(server, files, key="other") == (403, {})
    assert drop(server, files, origin="http://elsewhere") == (403, {})
    assert not (tmp_path / "dropped").exists()
