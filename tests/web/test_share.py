"""The requests for pictures, replays, links and texts, as a browser sends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm.game import Position
from forthvm.web.play import share_requests
from forthvm.web.play.server import TableServer
from forthvm.web.table.position_link import document_in
from forthvm.web.table.table import Table
from tests.kit.games import loaded, play
from tests.web.test_tree_requests import Window, connected

TITLE = ".//{http://www.w3.org/2000/svg}title"


@pytest.fixture
def table() -> Table:
    """A game in which X has taken the centre, and O a corner."""
    position = loaded("tictactoe").start()
    play(position, "b2", "a1")
    return Table(position.game, position=position)


@pytest.fixture
def window(table: Table) -> Iterator[Window]:
    with connected(TableServer(table)) as window:
        yield window


def marks(message: dict[str, Any]) -> list[str]:
    """Return the titles of the pieces in a picture."""
    titles = [one.text or "" for one in ElementTree.fromstring(message["svg"]).findall(TITLE)]
    return sorted(title for title in titles if title.endswith(" mark"))


def error(window: Window) -> dict[str, Any]:
    message: dict[str, Any] = {"is": ""}
    while message["is"] != "error":
        message = window.socket.receive_json()
    return message


def test_a_picture_of_each_position(window: Window, table: Table) -> None:
    played = table.tree.played
    first = played.parent
    assert first is not None
    for node, pieces in ((played, ["O mark", "X mark"]), (first, ["X mark"])):
        window.send("picture", node=node.number, **{"as": "png"})
        picture = window.next("picture")
        assert (picture["as"], picture["name"]) == ("png", "tictactoe.png")
        assert marks(picture) == pieces


def test_an_animated_replay(window: Window, table: Table) -> None:
    window.send("replay", node=table.tree.played.number)
    replay = window.next("replay")
    assert replay["name"] == "tictactoe-replay.svg"
    assert "<animate " in replay["svg"]
    assert marks(replay) == ["O mark", "X mark"]


def test_long_texts_are_made_once_until_the_table_is_changed(
    window: Window, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(share_requests, "game_text", lambda _: f"game {made.append('text')}")
    monkeypatch.setattr(share_requests, "replay_svg", lambda *_, **__: made.append("replay") or "")
    node = table.tree.played.number
    for _ in range(3):
        window.send("text", node=node, **{"as": "game"})
        window.next("text")
        window.send("replay", node=node)
        window.next("replay")
    assert made == ["text", "replay"]
    window.send("comment", node=node, text="a corner")
    window.next("tree")
    window.send("text", node=node, **{"as": "game"})
    window.next("text")
    assert made == ["text", "replay", "text"]


def test_a_long_game_has_no_replay(
    window: Window, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_requests, "_MOST_PLIES", 1)
    window.send("replay", node=table.tree.played.number)
    refused = error(window)
    assert (refused["code"], refused["values"]) == ("long-replay", {"most": 1})


def test_a_link_is_opened(window: Window, table: Table) -> None:
    game, history = table.game, table.position.history
    window.send("link", node=table.tree.played.number)
    link = window.next("link")["position"]
    assert Position.from_json(game, document_in(link)) == table.position
    window.send("new")
    while window.next("state").get("ply") != 0:
        pass
    window.send("load", text=f"http://127.0.0.1:1/#position={link}")
    window.next("loaded")
    assert table.position.history == history


@pytest.mark.sampled(2)
@pytest.mark.parametrize("setup", [None, [("X", "mark", "b2"), ("O", "mark", "b1")]])
def test_a_game_from_a_link_has_a_replay(setup: list[tuple[str, str, str]] | None) -> None:
    """Although its random numbers are other ones; the set-up is the same."""
    start = forthvm.load("tictactoe").start(setup=setup)
    start.seed(3)
    table = Table(start.game, position=start)
    for _ in range(2):
        table.play_for_engine(0)
    with connected(TableServer(table)) as window:
        window.send("link", node=table.tree.played.number)
        window.send("load", text=f"#position={window.next('link')['position']}")
        window.next("loaded")
        window.send("replay", node=table.tree.played.number)
        assert marks(window.next("replay")) == ["O mark", "X mark"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("link", ["#position=", "#position=abc", "#position=%"])
def test_a_damaged_link_changes_nothing(window: Window, table: Table, link: str) -> None:
    window.send("load", text=link)
    assert "link" in error(window)["text"]
    assert table.position.ply == 2


def test_unknown_formats_and_nodes_are_refused(window: Window) -> None:
    for name in ("picture", "text"):
        window.send(name, node=0, **{"as": "exe"})
        assert error(window)["code"] == "no-format"
    for name, form in (("picture", "svg"), ("replay", ""), ("link", ""), ("text", "position")):
        window.send(name, node=99, **{"as": form})
        assert error(window)["code"] == "no-node"


def test_watchers_get_pictures_and_replays(table: Table) -> None:
    number = table.tree.played.number
    with connected(TableServer(table), table.seats.watch_key) as window:
        window.send("picture", node=number, **{"as": "svg"})
        window.next("picture")
        window.send("replay", node=number)
        window.next("replay")
        window.send("text", node=number, **{"as": "game"})
        assert "1. b2 a1 *" in window.next("text")["text"]
        for name, fields in (("link", {"node": number}), ("load", {"text": "x"})):
            window.send(name, **fields)
            assert error(window)["code"] == "watcher"
