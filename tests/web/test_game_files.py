"""Games as files: saved from a page, and loaded into it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.web.play.server import TableServer
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.game_choice import GameChoice
from forthvm.web.table.game_files import file_of, position_in
from forthvm.web.table.table import Table
from tests.kit.cases import each_case
from tests.kit.games import load_text, play
from tests.kit.messages import raises
from tests.web.test_game_choice import RULES

ORIGIN = "http://127.0.0.1"


@pytest.fixture
def stones(tmp_path: Path) -> forthvm.Game:
    """A rule file with a variant."""
    return load_text(tmp_path, RULES, name="stones.zrf")


def after(game: forthvm.Game, *moves: str) -> forthvm.Position:
    return play(game.start(), *moves)


def test_a_saved_position_is_read_back() -> None:
    position = after(forthvm.load("breakthrough"), "a2 - a3", "h7 - h6")
    name, data = file_of(position, "json")
    assert name == "breakthrough.json"
    read = position_in(name, data, position.game.start(), GameChoice(position.game))
    assert read == position
    assert read.history == position.history


def test_a_file_names_no_path(stones: forthvm.Game) -> None:
    for form in ("json", "zsg"):
        assert str(stones.path.parent) not in file_of(stones.start(), form)[1].decode()


def test_a_saved_game_of_zillions_is_read_back(stones: forthvm.Game) -> None:
    position = after(stones, "Stone b")
    name, data = file_of(position, "zsg")
    assert name == "stones.zsg"
    read = position_in(name, data, stones.start(), GameChoice(stones))
    assert [str(entry) for entry in read.history] == [str(entry) for entry in position.history]


def test_a_long_saved_game_of_zillions_is_refused(stones: forthvm.Game) -> None:
    """Before its moves are made: its first one is legal, the others are not."""
    data = file_of(after(stones, "Stone b"), "zsg")[1]
    (move,) = (line for line in data.splitlines(keepends=True) if line.startswith(b"1. "))
    with pytest.raises(RequestError, match="more than 2000 moves"):
        position_in("x.zsg", data.replace(move, move * 2001), stones.start(), GameChoice(stones))


def test_files_of_a_variant_change_the_variant(stones: forthvm.Game) -> None:
    choice = GameChoice(stones)
    two = choice.load("", "Two", {})
    for form in ("json", "zsg"):
        read = position_in("x", file_of(after(two, "Stone b"), form)[1], stones.start(), choice)
        assert read.game.title == "Two"


def test_a_file_of_another_listed_game_changes_the_game() -> None:
    chess = forthvm.load("chess")
    data = file_of(after(forthvm.load("tictactoe"), "b2"), "json")[1]
    assert position_in("x", data, chess.start(), GameChoice(chess)).game.name == "tictactoe"


def test_a_file_cannot_name_another_script(stones: forthvm.Game) -> None:
    chess = forthvm.load("chess")
    data = file_of(after(stones, "Stone b"), "json")[1]
    with raises(RequestError, "game-files.no-such-game"):
        position_in("x", data, chess.start(), GameChoice(chess))


@each_case(
    "data",
    [
        b"",
        b"{}",
        b"null",
        b"[" * 100_000,
        b"\xff\xfe",
        b"Zillions Save Game File Version 0.02\n1. x",
    ],
)
def test_damaged_files(data: bytes) -> None:
    chess = forthvm.load("chess")
    with pytest.raises(ForthVMError):
        position_in("x.json", data, chess.start(), GameChoice(chess))


def test_the_line_of_an_error_is_named(stones: forthvm.Game) -> None:
    data = file_of(after(stones, "Stone b"), "zsg")[1].replace(b" b\r\n", b" z\r\n")
    with pytest.raises(ForthVMError) as caught:
        position_in("/secret/folder/g.zsg", data, stones.start(), GameChoice(stones))
    assert (caught.value.location.file, caught.value.location.line) == ("g.zsg", 4)


@pytest.fixture
def client() -> Iterator[tuple[TestClient, Table]]:
    table = Table(forthvm.load("tictactoe"), persons=("X",), guests=("O",))
    with TestClient(TableServer(table).application(), base_url=ORIGIN) as client:
        yield client, table


def test_requests(client: tuple[TestClient, Table]) -> None:
    browser, table = client
    data = file_of(after(forthvm.load("tictactoe"), "b2", "a1"), "json")[1]
    headers = {"host": "127.0.0.1", "origin": ORIGIN}
    upload = {"do": "load", "name": "game.json", "data": base64.b64encode(data).decode()}
    guest, owner = (f"/ws?key={key}" for key in (table.seats["O"].key, table.seats.owner_key))
    with browser.websocket_connect(guest, headers=headers) as socket:
        for _ in range(3):
            socket.receive_json()
        socket.send_json({**upload, "name": "x" * 5000})
        assert socket.receive_json()["code"] == "too-long"
        socket.send_json({**upload, "data": ""})
        assert socket.receive_json()["code"] == "owner-only"
        socket.send_json({"do": "save", "as": "json"})
        saved = socket.receive_json()
        assert json.loads(base64.b64decode(saved["data"]))["ply"] == 0
        socket.send_json({"do": "save", "as": "exe"})
        assert socket.receive_json()["code"] == "no-format"
    with browser.websocket_connect(owner, headers=headers) as socket:
        socket.send_json(upload)
        message = {"ply": 0}
        while message.get("ply") != 2:
            message = socket.receive_json()
            assert message["is"] != "error", message
