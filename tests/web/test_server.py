"""The server of a table: who may connect, requests, and replies of engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import forthvm
from forthvm.web.server import TableServer
from forthvm.web.table import Table

HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"


@pytest.fixture
def server() -> TableServer:
    """Breakthrough, White for a person, Black for an engine."""
    table = Table(forthvm.load("breakthrough"), persons=("White",), engine="random")
    return TableServer(table)


@pytest.fixture
def client(server: TableServer) -> Iterator[TestClient]:
    """A browser without a page."""
    with TestClient(server.application(), base_url=ORIGIN) as client:
        yield client


def connect(client: TestClient, server: TableServer, **headers: str) -> WebSocketTestSession:
    return client.websocket_connect(
        f"/ws?key={server.secret}", headers={"host": HOST, "origin": ORIGIN} | headers
    )


def states(socket: WebSocketTestSession, count: int) -> list[dict[str, Any]]:
    """Receive messages until `count` states have come."""
    found = []
    while len(found) < count:
        message = socket.receive_json()
        assert message["is"] != "error", message
        if message["is"] == "state":
            found.append(message)
    return found


def test_the_page_needs_the_key(client: TestClient, server: TableServer) -> None:
    assert client.get("/").status_code == 403
    assert client.get("/?key=guess").status_code == 403
    page = client.get(f"/?key={server.secret}")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]


def test_another_host_name_is_refused(client: TestClient, server: TableServer) -> None:
    """A page of a stranger whose name points to this computer reads nothing."""
    answer = client.get(f"/?key={server.secret}", headers={"host": "evil.example"})
    assert answer.status_code == 421


@pytest.mark.parametrize("name", ["..%2fserver.py", "%2e%2e/table.py", "nothing.js"])
def test_only_files_of_the_page(client: TestClient, name: str) -> None:
    assert client.get(f"/page/{name}").status_code == 404


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": ""}]
)
def test_sockets_of_other_pages_are_refused(
    client: TestClient, server: TableServer, headers: dict[str, str]
) -> None:
    with pytest.raises(WebSocketDisconnect), connect(client, server, **headers):
        pass


def test_sockets_need_the_key(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/ws?key=guess", headers={"host": HOST, "origin": ORIGIN}),
    ):
        pass


def test_the_engine_answers(client: TestClient, server: TableServer) -> None:
    with connect(client, server) as socket:
        assert states(socket, 1)[0]["ply"] == 0
        socket.send_json({"do": "play", "node": 0, "move": 0})
        after_move, after_answer = states(socket, 2)
    assert (after_move["ply"], after_answer["ply"]) == (1, 2)
    assert after_answer["history"][1]["player"] == "Black"


def test_all_windows_are_told(client: TestClient, server: TableServer) -> None:
    with connect(client, server) as first, connect(client, server) as second:
        states(first, 1), states(second, 1)
        first.send_json({"do": "play", "node": 0, "move": 0})
        assert states(second, 1)[0]["ply"] == 1


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"do": "play"}', '{"do": "play", "node": "0", "move": 0}', "9" * 5000],
)
def test_unknown_requests(client: TestClient, server: TableServer, text: str) -> None:
    with connect(client, server) as socket:
        states(socket, 1)
        socket.send_text(text)
        assert socket.receive_json()["is"] == "error"
        socket.send_json({"do": "play", "node": 0, "move": 0})
        assert states(socket, 1)[0]["ply"] == 1


def test_taking_back_stops_the_engine(client: TestClient, server: TableServer) -> None:
    server.table.engines += ("negamax:time=60",)
    server.table.seat("Black", "negamax:time=60")
    with connect(client, server) as socket:
        states(socket, 1)
        socket.send_json({"do": "play", "node": 0, "move": 0})
        states(socket, 1)
        while socket.receive_json()["is"] != "thinking":
            pass
        socket.send_json({"do": "undo"})
        assert states(socket, 1)[0]["ply"] == 0
