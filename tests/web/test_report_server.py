"""The server of a results file: who may connect, live updates, recorded games."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from forthvm.autoplay import Store
from forthvm.web.report.server import ReportServer
from tests.autoplay.results import write_random_match
from tests.kit.commands import Cli

HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A results file with four games of tic-tac-toe."""
    path = tmp_path / "results.db"
    write_random_match(path, "tictactoe", games=4)
    return path


@pytest.fixture
def server(path: Path) -> ReportServer:
    return ReportServer(path)


@pytest.fixture
def client(server: ReportServer) -> Iterator[TestClient]:
    with TestClient(server.application(), base_url=ORIGIN) as client:
        yield client


def connect(client: TestClient, server: ReportServer, key: str = "") -> WebSocketTestSession:
    return client.websocket_connect(
        f"/ws?key={key or server.key}", headers={"host": HOST, "origin": ORIGIN}
    )


def receive(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """Return the next message of a kind; an error of another kind fails the test."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["is"] == kind:
            return message
        assert message["is"] != "error", message["text"]


def gather(socket: WebSocketTestSession) -> dict[str, dict[str, Any]]:
    """Return the last message of each kind, once the game is loaded and drawn in heat maps."""
    messages: dict[str, dict[str, Any]] = {}
    while "Where moves go" not in headings(messages.get("report", {"blocks": []})):
        message = socket.receive_json()
        assert message["is"] != "error", message["text"]
        messages[message["is"]] = message
    while "games" not in messages:
        messages["games"] = receive(socket, "games")
    return messages


def headings(report: dict[str, Any]) -> list[str]:
    return [block["text"] for block in report["blocks"] if block["is"] == "heading"]


def test_the_page_needs_the_key(client: TestClient, server: ReportServer) -> None:
    assert client.get("/").status_code == 403
    assert client.get(f"/?key={server.key}").status_code == 200
    with pytest.raises(WebSocketDisconnect), connect(client, server, "guess"):
        pass


def test_numbers_games_and_symbols(client: TestClient, server: ReportServer) -> None:
    with connect(client, server) as socket:
        messages = gather(socket)
    assert headings(messages["report"])[0] == "tictactoe: 4 games"
    assert [game["id"] for game in messages["games"]["games"]] == [1, 2, 3, 4]
    assert messages["report"]["finished"]


@pytest.mark.slow
def test_a_new_game_appears(client: TestClient, server: ReportServer, path: Path) -> None:
    """A game that another process records is sent to all windows, and only that game."""
    with connect(client, server) as first, connect(client, server) as second:
        for socket in (first, second):
            gather(socket)
        with Store.open(path) as store:
            row = store.game(1)
            assert row is not None
            store.record(dataclasses.replace(row, id=5, reason="forfeit: B: out of time"))
        for socket in (first, second):
            message = receive(socket, "games")
            assert [game["id"] for game in message["games"]] == [5]
            assert message["games"][0]["problem"]
            assert headings(receive(socket, "report"))[0] == "tictactoe: 5 games"


def test_a_recorded_game(client: TestClient, server: ReportServer, path: Path) -> None:
    with Store.open(path) as store:
        row = store.game(2)
    assert row is not None
    with connect(client, server) as socket:
        gather(socket)
        socket.send_json({"do": "replay", "game": 2})
        steps, complete = [], False
        while not complete:
            message = receive(socket, "steps")
            assert message["game"] == 2
            steps += message["steps"]
            complete = message["complete"]
    assert len(steps) == 1 + len(row.moves)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", [0, -1, 99, 2**70])
def test_no_such_game(client: TestClient, server: ReportServer, number: int) -> None:
    with connect(client, server) as socket:
        socket.send_json({"do": "replay", "game": number})
        assert f"There is no game {number}" in receive(socket, "error")["text"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "request_text", ["", "[]", '{"do": "replay"}', '{"do": "replay", "game": "2"}', "9" * 5000]
)
def test_unknown_requests(client: TestClient, server: ReportServer, request_text: str) -> None:
    with connect(client, server) as socket:
        gather(socket)
        socket.send_text(request_text)
        receive(socket, "error")
        socket.send_json({"do": "replay", "game": 1})
        receive(socket, "steps")


@pytest.mark.slow
def test_a_damaged_game_is_located(client: TestClient, server: ReportServer, path: Path) -> None:
    """The last readable numbers stay; the error names game and column."""
    with connect(client, server) as socket:
        gather(socket)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE games SET seats = '[' WHERE id = 3")
        connection.close()
        assert "game 3, column seats" in receive(socket, "error")["text"]
    with connect(client, server) as later:
        assert receive(later, "report")["blocks"]


def test_a_failure_of_the_server_is_reported(
    client: TestClient,
    server: ReportServer,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Windows would wait forever for what the failed task was to send."""
    monkeypatch.setattr(server, "_steps", lambda number: {}[number])
    with connect(client, server) as socket:
        gather(socket)
        socket.send_json({"do": "replay", "game": 1})
        assert receive(socket, "error")["text"] == "the report failed: KeyError: 1"
    assert "a task of the report failed" in caplog.text
    monkeypatch.setattr("forthvm.web.report.server.read_results", lambda path: {}[path.name])
    failing = ReportServer(path)
    with (
        TestClient(failing.application(), base_url=ORIGIN) as other,
        connect(other, failing) as socket,
    ):
        assert "the report failed: KeyError: 'results.db'" in receive(socket, "error")["text"]


def test_without_the_script_games_are_listed(tmp_path: Path, path: Path) -> None:
    """The numbers do not need the script; the message says why games cannot be shown."""
    script = tmp_path / "mine.4th"
    script.write_text((Path(__file__).parents[2] / "scripts/tictactoe/tictactoe.4th").read_text())
    own = tmp_path / "own.db"
    write_random_match(own, str(script), games=2)
    script.write_text(script.read_text() + "\n")
    server = ReportServer(own)
    with (
        TestClient(server.application(), base_url=ORIGIN) as client,
        connect(client, server) as socket,
    ):
        assert "has changed" in receive(socket, "game")["problem"]
        assert len(receive(socket, "games")["games"]) == 2
        socket.send_json({"do": "replay", "game": 1})
        assert "There is no game 1 that can be shown" in receive(socket, "error")["text"]


def test_the_command_refuses_other_outputs(path: Path, cli: Cli) -> None:
    assert "leave --html" in cli.err("report", path, "--serve", "--json", status=2)
    assert "there is no file" in cli.err("report", path.with_name("none.db"), "--serve", status=1)
