"""Hidden pieces: what the server sends to each player and to watchers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

import forthvm
from forthvm.web.play.server import TableServer
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from tests.kit.games import load_text, script_of

ORIGIN = "http://127.0.0.1"
WHITE = Viewer(is_owner=True, players=("White",))
BLACK = Viewer(is_owner=False, players=("Black",))
WATCHER = Viewer(is_owner=False, players=())
REVEALING = [
    *("analyse", "threats", "code", "vary", "why not", "review"),
    *("save", "link", "replay", "text"),
]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Breakthrough in which players see only their own pawns."""
    game = load_text(tmp_path, script_of("breakthrough") + '\n: OnShow ." ~pawn " ;\n')
    return Table(game, persons=("White",), guests=("Black",))


@pytest.fixture
def client(table: Table) -> Iterator[TestClient]:
    server = TableServer(table)
    with TestClient(server.application(), base_url=ORIGIN) as client:
        yield client


def owners_of_pieces(table: Table, viewer: Viewer) -> set[str]:
    scene: Any = TableMessages(table).state(viewer)["scene"]
    return {scene["players"][piece["player"]]["name"] for piece in scene["pieces"]}


def texts_of_moves(message: dict[str, Any]) -> list[str]:
    return [row[3] for row in message["rows"] if row[3]]


def window(client: TestClient, key: str) -> WebSocketTestSession:
    return client.websocket_connect(
        f"/ws?key={key}", headers={"host": "127.0.0.1", "origin": ORIGIN}
    )


def test_pieces_are_sent_to_their_owners(table: Table) -> None:
    assert owners_of_pieces(table, WHITE) == {"White"}
    assert owners_of_pieces(table, BLACK) == {"Black"}
    assert owners_of_pieces(table, WATCHER) == set()


def test_moves_are_sent_to_those_who_made_them(table: Table) -> None:
    table.play(WHITE, 0, table.position.parse("a2 - a3").index)
    table.play(BLACK, 1, table.position.parse("h7 - h6").index)
    messages = TableMessages(table)
    assert texts_of_moves(messages.whole_tree(WHITE)) == ["pawn a2 - a3", "…"]
    assert texts_of_moves(messages.whole_tree(BLACK)) == ["…", "pawn h7 - h6"]
    assert texts_of_moves(messages.whole_tree(WATCHER)) == ["…", "…"]


def test_the_moves_of_others_cannot_be_looked_at(table: Table) -> None:
    messages = TableMessages(table)
    assert messages.view(0, WHITE)["gestures"] is not None
    assert messages.view(0, BLACK)["gestures"] is None
    assert "a2" not in json.dumps(messages.view(0, BLACK)["scene"])


@pytest.mark.slow
def test_a_window_gets_nothing_else(client: TestClient, table: Table) -> None:
    """Everything that Black's window receives, while White moves, names no square of White's."""
    with (
        window(client, table.seats.owner_key) as white,
        window(client, table.seats["Black"].key) as black,
    ):
        white.send_json({"do": "play", "node": 0, "move": table.position.parse("a2 - a3").index})
        received = []
        while not (received and received[-1].get("ply") == 1):
            received.append(black.receive_json())
        messages = [message for message in received if message["is"] != "game"]
        assert "a3" not in json.dumps([m for m in messages if "gestures" not in m])
        assert not [m for m in messages if "a2" in json.dumps(m.get("scene"))]


@pytest.mark.slow
def test_the_next_game_hides_the_same_pieces() -> None:
    table = Table(forthvm.load("tictactoe", settings={"OnShow": "~mark"}), persons=("X",))
    with TestClient(TableServer(table).application(), base_url=ORIGIN) as client:
        for name, hides in (("tictactoe", True), ("breakthrough", False)):
            with window(client, table.seats.owner_key) as socket:
                socket.send_json({"do": "new", "game": name, "settings": {}})
                for _ in range(2):  # the first message is about the game before
                    while (message := socket.receive_json())["is"] != "game":
                        assert message["is"] != "error"
            assert table.game.name == name
            assert table.has_secrets == hides


@pytest.mark.slow
@pytest.mark.parametrize("name", REVEALING)
def test_the_owner_gets_no_help(client: TestClient, table: Table, name: str) -> None:
    with window(client, table.seats.owner_key) as socket:
        socket.send_json({"do": name, "node": 0, "move": 0, "square": "a7", "squares": ["a7"]})
        message = socket.receive_json()
        while message["is"] != "error":
            message = socket.receive_json()
        assert message["code"] == "secret"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["White", "Black"])
def test_a_picture_shows_what_its_viewer_sees(client: TestClient, table: Table, name: str) -> None:
    key = table.seats.owner_key if name == "White" else table.seats[name].key
    with window(client, key) as socket:
        socket.send_json({"do": "picture", "node": 0, "as": "svg"})
        message = socket.receive_json()
        while message["is"] != "picture":
            message = socket.receive_json()
    assert set(re.findall(r"<title>(\w+) pawn</title>", message["svg"])) == {name}


def test_pieces_stay_hidden_after_a_resignation(table: Table) -> None:
    """Taking back a move continues the game."""
    table.resign(BLACK, "Black")
    assert table.is_over
    assert owners_of_pieces(table, BLACK) == {"Black"}


def test_all_is_shown_after_the_end(table: Table) -> None:
    while table.position.result is None:
        table.play_for_engine(0)
    owners = {piece.player for _, piece in table.position.board.occupied()}
    assert owners_of_pieces(table, WATCHER) == owners
    assert "…" not in texts_of_moves(TableMessages(table).whole_tree(BLACK))
