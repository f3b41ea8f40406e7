"""Requests about the tree of moves, as a browser sends them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

import forthvm
from forthvm.web.play.server import TableServer
from forthvm.web.table.table import Table
from tests.kit.boards import PASSES
from tests.kit.games import load_text

HOST = "127.0.0.1"
ORIGIN = f"http://{HOST}"


class Window:
    """A window without a page."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket

    def send(self, do: str, **fields: object) -> None:
        self.socket.send_json({"do": do, **fields})

    def next(self, kind: str) -> dict[str, Any]:
        """Return the next message of a kind; fail at an error."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            others = ("absent", "game", "tree", "state", "view", "lines")
            assert message["is"] in (kind, *others), message
            if message["is"] == kind:
                return message


@contextmanager
def connected(server: TableServer, key: str = "") -> Iterator[Window]:
    with connected_windows(server, key, 1) as (window,):
        yield window


@contextmanager
def connected_windows(server: TableServer, key: str = "", count: int = 2) -> Iterator[list[Window]]:
    """Open windows with the same key."""
    address = f"/ws?key={key or server.table.seats.owner_key}"
    headers = {"host": HOST, "origin": ORIGIN}
    with TestClient(server.application(), base_url=ORIGIN) as client, ExitStack() as stack:
        connections = [client.websocket_connect(address, headers=headers) for _ in range(count)]
        yield [Window(stack.enter_context(one)) for one in connections]


@pytest.fixture
def table() -> Table:
    """Noughts and crosses between two people."""
    return Table(forthvm.load("tictactoe"))


@pytest.fixture
def window(table: Table) -> Iterator[Window]:
    with connected(TableServer(table)) as window:
        yield window


def index_of(position: forthvm.Position, square: str) -> int:
    return position.parse(square).index


def piece_squares(view: dict[str, Any]) -> set[str]:
    return {piece["square"] for piece in view["scene"]["pieces"]}


def play(window: Window, table: Table, square: str) -> dict[str, Any]:
    node = table.tree.played.number
    window.send("play", node=node, move=index_of(table.position, square))
    return window.next("state")


def test_the_whole_tree_comes_first(window: Window) -> None:
    tree = window.next("tree")
    assert tree["whole"]
    assert tree["rows"] == [[0, None, "", "", "", "", []]]


def test_a_move_sends_only_its_row_and_that_of_its_parent(window: Window, table: Table) -> None:
    window.next("state")
    play(window, table, "b2")
    window.send("play", node=1, move=index_of(table.position, "a1"))
    tree = window.next("tree")
    assert (tree["whole"], tree["rows"]) == (
        False,
        [
            [1, 0, "X", "X mark b2", "", "", [2], "b2"],
            [2, 1, "O", "O mark a1", "", "", [], "a1"],
        ],
    )


def test_looking_does_not_disturb_the_game(window: Window, table: Table) -> None:
    window.next("state")
    play(window, table, "b2")
    window.send("look", node=0)
    view = window.next("view")
    assert (view["node"], view["ply"], piece_squares(view)) == (0, 0, set())
    assert len(view["gestures"]["clicks"]) == 9
    assert table.position.ply == 1


def test_a_move_elsewhere_is_a_variation(window: Window, table: Table) -> None:
    window.next("state")
    play(window, table, "b2")
    start = table.tree.position_at(table.tree.root)
    window.send("vary", node=0, move=index_of(start, "a3"))
    assert window.next("tree")["rows"][1] == [2, 0, "X", "X mark a3", "", "", [], "a3"]
    assert piece_squares(window.next("view")) == {"a3"}
    assert [entry.text for entry in table.position.history] == ["X mark b2"]


def test_the_game_continues_from_a_variation(window: Window, table: Table) -> None:
    window.next("state")
    play(window, table, "b2")
    window.send("vary", node=0, move=0)
    window.next("view")
    window.send("play from", node=2)
    tree = window.next("tree")
    assert tree["rows"] == [[0, None, "", "", "", "", [2, 1]]]
    assert tree["played"] == 2
    assert window.next("state")["node"] == 2


def test_comments_reach_other_windows(table: Table) -> None:
    server = TableServer(table)
    headers = {"host": HOST, "origin": ORIGIN}
    with TestClient(server.application(), base_url=ORIGIN) as client:
        address = f"/ws?key={server.table.seats.owner_key}"
        with (
            client.websocket_connect(address, headers=headers) as first,
            client.websocket_connect(address, headers=headers) as second,
        ):
            Window(first).next("state"), Window(second).next("state")
            Window(first).send("comment", node=0, text="<b>start</b>")
            assert Window(second).next("tree")["rows"] == [
                [0, None, "", "", "<b>start</b>", "", []]
            ]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "request_fields",
    [
        {"do": "look", "node": 99},
        {"do": "look", "node": "0"},
        {"do": "vary", "node": 0, "move": 9},
        {"do": "vary", "node": 0, "move": -1},
        {"do": "delete", "node": 0},
        {"do": "promote", "node": 0},
        {"do": "judge", "node": 0, "glyph": "!"},
        {"do": "comment", "node": 0, "text": "x" * 2001},
        {"do": "play from", "node": 5},
    ],
)
def test_refused_requests_change_nothing(
    window: Window, table: Table, request_fields: dict[str, object]
) -> None:
    window.next("state")
    window.socket.send_json(request_fields)
    assert window.socket.receive_json()["is"] == "error"
    assert table.tree.whole()["rows"] == [[0, None, "", "", "", "", []]]


def test_a_forced_pass_in_a_variation(tmp_path: Path) -> None:
    table = Table(load_text(tmp_path, PASSES, name="passes.4th"))
    with connected(TableServer(table)) as window:
        window.next("state")
        window.send("vary", node=0, move=0)
        after_move = window.next("view")
        assert after_move["gestures"]["clicks"] == [
            ["choice", "Pass", None, {"move": -1, "text": "Pass"}]
        ]
        window.send("vary", node=1, move=-1)
        assert window.next("view")["scene"]["turn"] == "White"
