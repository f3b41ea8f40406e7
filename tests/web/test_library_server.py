"""The server of a library: search, thumbnails, opening games, progress of the scan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from forthvm.core.failure import ForthVMError
from forthvm.library.cache import Cache
from forthvm.library.entry import Entry
from forthvm.library.scan import Scan
from forthvm.web.library.server import LibraryServer
from tests.kit.cases import each_case
from tests.library.games import HEAPS, RULES

HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"
ALL = {"do": "search", "text": "", "rows": 10} | dict.fromkeys(
    ("players", "kind", "loads", "chance", "hidden")
)


def opened(entry: Entry, again: bool) -> str:
    if entry.title == "heaps":
        raise ForthVMError("no table is free")
    return f"{ORIGIN}/{entry.title}?{again}"


@pytest.fixture
def server(tmp_path: Path) -> LibraryServer:
    games = tmp_path / "games"
    games.mkdir()
    (games / "drops.zrf").write_text(RULES)
    (games / "heaps.4th").write_text(HEAPS)
    (games / "cut.zrf").write_text(RULES[:120])
    cache = Cache(tmp_path / "cache")
    scan = Scan(cache, processes=1)
    return LibraryServer(
        scan,
        scan.entries([games]),
        cache,
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
        while socket.receive_json()["running"]:
            pass
        yield socket


def ask(socket: WebSocketTestSession, request: dict[str, Any]) -> dict[str, Any]:
    socket.send_json(request)
    answer: dict[str, Any] = socket.receive_json()
    return answer


def titles(found: dict[str, Any]) -> list[str]:
    return [row["title"] for row in found["rows"]]


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
    first = ask(socket, {**ALL, "rows": 1})
    assert (len(first["rows"]), first["count"]) == (1, 3)


def test_thumbnails(socket: WebSocketTestSession) -> None:
    numbers = {row["place"]: row["file"] for row in ask(socket, ALL)["rows"]}
    message = ask(socket, {"do": "thumbnails", "files": list(numbers.values())})
    assert message["is"] == "thumbnail"
    assert message["svg"].startswith("<svg")
    other = socket.receive_json()  # and none of the file that cannot be loaded
    assert {message["file"], other["file"]} == {numbers["drops.zrf"], numbers["heaps.4th"]}


def test_opening(socket: WebSocketTestSession) -> None:
    numbers = {row["place"]: row["file"] for row in ask(socket, ALL)["rows"]}
    request = {"do": "open", "file": numbers["drops.zrf"], "again": True}
    assert ask(socket, request) == {"is": "opened", "address": f"{ORIGIN}/Drops?True"}
    answer = ask(socket, {**request, "file": numbers["heaps.4th"]})
    assert (answer["is"], answer["values"]) == ("error", {"reason": "no table is free"})


@each_case(
    "request_",
    [
        {"do": "search"},
        {**ALL, "rows": -1},
        {**ALL, "rows": True},
        {**ALL, "more": 1},
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
    (tmp_path / "slow.4th").write_text(": spin BEGIN 0 UNTIL ; spin\n" + HEAPS)
    cache = Cache(None)
    scan = Scan(cache, processes=1)
    server = LibraryServer(scan, scan.entries([tmp_path]), cache, open_entry=opened)
    with TestClient(server.application(), base_url=ORIGIN) as client:
        assert client.get(f"/?key={server.key}").status_code == 200
    assert scan.done == 0
    assert not server._thread.is_alive()


def test_unexpected_end_of_the_scan_is_reported(tmp_path: Path) -> None:
    def entries() -> Iterator[Entry]:
        yield Entry(path="a.zrf", kind="game", title="A")
        raise RuntimeError("no more")

    cache = Cache(None)
    server = LibraryServer(Scan(cache), entries(), cache, open_entry=opened)
    with TestClient(server.application(), base_url=ORIGIN) as client:
        server._thread.join()
        with client.websocket_connect(
            f"/ws?key={server.key}", headers={"host": HOST, "origin": ORIGIN}
        ) as socket:
            progress, failure = socket.receive_json(), socket.receive_json()
    assert (progress["running"], progress["files"]) == (False, 1)
    assert (failure["is"], failure["values"]) == ("error", {"reason": "no more"})
