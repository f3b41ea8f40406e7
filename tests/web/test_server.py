"""The server of a table: who may connect, requests, and moves of engines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import forthvm
from forthvm import engines
from forthvm.engines import Engine, Info, Limits, Reporter, SearchResult
from forthvm.game import Position
from forthvm.web.modules import PAGE
from forthvm.web.play import server as play_server
from forthvm.web.play.server import TableServer
from forthvm.web.serving import access
from forthvm.web.table.table import Table
from tests.kit.files import write
from tests.kit.games import load_text

HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"
SECONDS = 20.0  # for anything that the server should do at once


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


def connect(
    client: TestClient, server: TableServer, key: str = "", **headers: str
) -> WebSocketTestSession:
    return client.websocket_connect(
        f"/ws?key={key or server.table.seats.owner_key}",
        headers={"host": HOST, "origin": ORIGIN} | headers,
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


DICE = """
{board 3 3 {grid} {position} Z board}
{players {player} X {player} O {player} ?Dice {random} players}
{turn-order {turn} ?Dice {turn} X {turn} O turn-order}
: put here Z < verify empty? verify drop add-move ;
: throw here Z = verify drop add-move ;
{moves puts {move} put moves}
{moves throws {move} throw moves}
{pieces {piece} mark {drops} puts {piece} one {drops} throws {piece} two {drops} throws pieces}
"""
"""Chance moves first, so that the server changes the table while windows open."""


@pytest.mark.slow
def test_a_state_follows_each_game(tmp_path: Path) -> None:
    """A page draws a state on the board of the message `game` that came before it."""
    path = write(tmp_path / "dice.4th", DICE)
    for persons, engine in ((("X", "O"), ""), (("X",), "random")):
        table = Table(forthvm.load(path), persons=persons, engine=engine)
        server = TableServer(table)
        with TestClient(server.application(), base_url=ORIGIN) as client:
            for _ in range(12):
                with connect(client, server) as socket:
                    kinds = [socket.receive_json()["is"]]
                    while "state" not in kinds:
                        kinds.append(socket.receive_json()["is"])
                    assert "game" in kinds


def clicked_squares(tree: dict[str, Any]) -> set[str]:
    """Return the squares in a tree of clicks."""
    squares = set()
    for kind, name, _, after in tree.get("clicks", ()):
        squares |= clicked_squares(after) | ({name} if kind == "square" else set())
    return squares


def test_squares_of_legal_moves_are_drawn(tmp_path: Path) -> None:
    """After chance has put a mark on the board, the square of the dice is empty, and a move."""
    table = Table(load_text(tmp_path, DICE, name="dice.4th"), persons=("X", "O"))
    table.position.push("mark a1")
    owner = table.seats.viewer_of(table.seats.owner_key)
    assert owner is not None
    state = TableServer(table).shared.messages.state(owner)
    clicked = clicked_squares(state["gestures"])  # type: ignore[arg-type]
    board = state["board"]
    assert "Z" in clicked
    assert clicked <= {square["name"] for square in board["squares"]}  # type: ignore[index]


def test_the_page_needs_the_key(client: TestClient, server: TableServer) -> None:
    assert client.get("/").status_code == 403
    assert client.get("/?key=guess").status_code == 403
    page = client.get(f"/?key={server.table.seats.owner_key}")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]


def test_another_host_name_is_refused(client: TestClient, server: TableServer) -> None:
    """DNS rebinding: a stranger's page whose host name leads to this computer."""
    answer = client.get(f"/?key={server.table.seats.owner_key}", headers={"host": "evil.example"})
    assert answer.status_code == 421


@pytest.mark.slow
def test_every_file_of_the_page_is_answered(client: TestClient) -> None:
    for path in PAGE.rglob("*.*"):
        assert client.get(f"/page/{path.relative_to(PAGE).as_posix()}").status_code == 200


def test_files_of_the_page_are_made_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined = []
    monkeypatch.setattr(access, "join_modules", lambda path: joined.append(path) or "script")
    access._contents.cache_clear()
    for encoding in ("gzip", "identity", "gzip"):
        answer = client.get("/page/app.js", headers={"accept-encoding": encoding})
        assert answer.text == "script"
        assert answer.headers.get("content-encoding", "identity") == encoding
    access._contents.cache_clear()
    assert joined == [PAGE / "app.js"]


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


@pytest.mark.slow
def test_the_engine_answers(client: TestClient, server: TableServer) -> None:
    with connect(client, server) as socket:
        assert states(socket, 1)[0]["ply"] == 0
        socket.send_json({"do": "play", "node": 0, "move": 0})
        after_move, after_answer = states(socket, 2)
    assert (after_move["ply"], after_answer["ply"]) == (1, 2)
    assert after_answer["scene"]["turn"] == "White"


def test_all_windows_get_a_move(client: TestClient, server: TableServer) -> None:
    with connect(client, server) as first, connect(client, server) as second:
        states(first, 1), states(second, 1)
        first.send_json({"do": "play", "node": 0, "move": 0})
        assert states(second, 1)[0]["ply"] == 1


@pytest.mark.sampled(6)
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


class Unending(Engine):
    """An engine that searches until it is stopped, and discards requests from before its search."""

    def __init__(self) -> None:
        self.called, self.may_begin, self.begun = Event(), Event(), Event()
        self.requested, self.ended = Event(), Event()

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        self.called.set()
        assert self.may_begin.wait(SECONDS)
        self.requested.clear()
        self.begun.set()
        end = time.monotonic() + SECONDS
        while not self.requested.wait(0.01):
            assert time.monotonic() < end, "the engine was not stopped"
            assert report is not None
            report(Info(depth=1))
        self.ended.set()
        return SearchResult(move=position.legal_moves[0])

    def stop(self) -> None:
        self.requested.set()


class Failing(Engine):
    """An engine with an error."""

    def __init__(self) -> None:
        self.calls = 0

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        self.calls += 1
        raise ZeroDivisionError


@pytest.mark.slow
def test_an_engine_that_fails_is_not_called_again_without_a_request(
    client: TestClient, server: TableServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Failing()
    monkeypatch.setattr(engines, "get", lambda _: engine)
    with connect(client, server) as socket:
        states(socket, 1)
        for calls in (1, 2):
            socket.send_json({"do": "play", "node": 0, "move": 0})
            while socket.receive_json()["is"] != "error":
                pass
            assert engine.calls == calls
            socket.send_json({"do": "undo"})
            assert states(socket, 1)[0]["ply"] == 0


class Resigning(Engine):
    """An engine that resigns."""

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        raise engines.Resignation("enough")


def test_an_engine_can_resign(
    client: TestClient, server: TableServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "get", lambda _: Resigning())
    with connect(client, server) as socket:
        states(socket, 1)
        socket.send_json({"do": "play", "node": 0, "move": 0})
        states(socket, 2)
    ending = server.table.ending
    assert ending.code == "resigned"
    assert ending.values["player"] == server.table.position.turn


@pytest.mark.slow
@pytest.mark.parametrize("searches", [True, False], ids=["while it searches", "before it searches"])
def test_taking_back_stops_the_engine(
    client: TestClient, server: TableServer, monkeypatch: pytest.MonkeyPatch, searches: bool
) -> None:
    engine = Unending()
    monkeypatch.setattr(engines, "get", lambda _: engine)
    if searches:
        engine.may_begin.set()
    with connect(client, server) as socket:
        states(socket, 1)
        socket.send_json({"do": "play", "node": 0, "move": 0})
        states(socket, 1)
        while socket.receive_json()["is"] != "thinking":
            pass
        assert (engine.begun if searches else engine.called).wait(SECONDS)
        socket.send_json({"do": "undo"})
        assert states(socket, 1)[0]["ply"] == 0
        engine.may_begin.set()
        assert engine.ended.wait(SECONDS)
    assert server.table.position.ply == 0


def test_a_refused_request_does_not_disturb_the_engine(
    client: TestClient, server: TableServer
) -> None:
    server.table.seats.give("White", "random")
    server.table.seats.give("Black", "guest")
    changes = server.engines._changes
    with connect(client, server, server.table.seats["Black"].key) as socket:
        for request in ({"do": "play", "node": 0, "move": 0}, {"do": "new"}, {"do": "look"}):
            socket.send_json(request)
        refused = 0
        while refused < 3:
            refused += socket.receive_json()["is"] == "error"
    assert server.engines._changes == changes


def test_a_guest_plays_one_seat_only(client: TestClient, server: TableServer) -> None:
    seats = server.table.seats
    seats.give("Black", "guest")
    with connect(client, server) as owner, connect(client, server, seats["Black"].key) as guest:
        assert states(owner, 1)[0]["gestures"]
        assert not states(guest, 1)[0]["gestures"]
        guest.send_json({"do": "play", "node": 0, "move": 0})
        assert guest.receive_json()["code"] == "not-your-turn"
        guest.send_json({"do": "seat", "player": "White", "by": "guest"})
        assert guest.receive_json()["code"] == "owner-only"
        owner.send_json({"do": "play", "node": 0, "move": 0})
        assert states(guest, 1)[0]["gestures"]
        guest.send_json({"do": "play", "node": 1, "move": 0})
        assert [state["ply"] for state in states(owner, 2)] == [1, 2]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("request_name", ["play", "undo", "new", "seat", "renew"])
def test_watchers_only_look(client: TestClient, server: TableServer, request_name: str) -> None:
    with connect(client, server, server.table.seats.watch_key) as socket:
        state = states(socket, 1)[0]
        assert not state["is_owner"]
        assert not state["gestures"]
        socket.send_json(
            {"do": request_name, "node": 0, "move": 0, "player": "White", "by": "guest"}
        )
        assert socket.receive_json()["code"] in ("watcher", "owner-only")
    assert server.table.position.ply == 0


def test_watchers_choose_their_set_of_pieces(client: TestClient, server: TableServer) -> None:
    with connect(client, server, server.table.seats.watch_key) as socket:
        states(socket, 1)
        socket.send_json({"do": "pieces", "set": "letters"})
        assert socket.receive_json()["is"] == "symbols"


def test_rights_name_requests_that_exist(server: TableServer) -> None:
    offered = {*server.handlers, "dropped"}  # which only some tables offer
    assert offered >= play_server._FOR_ALL | play_server._FOR_PLAYERS | play_server._NOT_REVEALING


def test_a_replaced_link_is_closed(client: TestClient, server: TableServer) -> None:
    seats = server.table.seats
    seats.give("Black", "guest")
    old = seats["Black"].key
    with connect(client, server) as owner, connect(client, server, old) as guest:
        states(guest, 1)
        owner.send_json({"do": "renew", "player": "Black"})
        with pytest.raises(WebSocketDisconnect):
            states(guest, 9)
    assert client.get(f"/?key={old}").status_code == 403
    assert client.get(f"/?key={seats['Black'].key}").status_code == 200


def test_given_names_are_allowed(server: TableServer) -> None:
    named = TableServer(server.table, ["board.example"])
    with TestClient(named.application(), base_url=ORIGIN) as client:
        address = f"/?key={server.table.seats.owner_key}"
        assert client.get(address, headers={"host": "Board.Example:8000"}).status_code == 200
        assert client.get(address, headers={"host": "[::1"}).status_code == 421
        assert client.get(address, headers={"host": HOST}).status_code == 200  # where it arrived
