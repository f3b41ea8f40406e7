"""Files that are dropped on the page of a table: opened in pages of their own, or played on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

import forthvm
from forthvm.library.cache import Cache
from forthvm.library.dropped import DroppedFiles
from forthvm.library.entry import Entry
from forthvm.web.play.drop_requests import offer_dropping
from forthvm.web.play.server import TableServer
from forthvm.web.table.table import Table
from tests.library.games import RULES
from tests.web.browsing import Browser, serving
from tests.web.test_server import HOST, ORIGIN

if TYPE_CHECKING:
    from selenium import webdriver

pytestmark = pytest.mark.slow
Drop = Callable[[Path], Browser]


def opened(entry: Entry, again: bool) -> str:
    return f"about:blank#{entry.kind}"


def server_of(table: Table, folder: Path) -> TableServer:
    server = TableServer(table)
    offer_dropping(server, DroppedFiles(folder / "dropped"), Cache(folder / "cache"), opened)
    return server


@pytest.fixture
def drop(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Drop]:
    """Drop a file on the page of a table."""
    table = Table(forthvm.load("breakthrough"))
    with serving(server_of(table, tmp_path), 0) as address:
        driver.get(f"{address}?key={table.seats.owner_key}")
        browser = Browser(driver, table)
        browser.wait(lambda: browser.find("#title").text)

        def drop(path: Path) -> Browser:
            browser.drop(path)
            return browser

        yield drop


def test_game_is_opened_in_its_own_page(drop: Drop, tmp_path: Path) -> None:
    (tmp_path / "new.zrf").write_text(RULES)
    browser = drop(tmp_path / "new.zrf")
    browser.wait(lambda: browser.driver.current_url == "about:blank#game")


def test_several_files_are_opened_as_a_library(drop: Drop, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("a.zrf", "b.zrf"):
        (folder / name).write_text(f"; {name}\n{RULES}")
    browser = drop(folder)
    browser.wait(lambda: browser.driver.current_url == "about:blank#folder")


def test_saved_position_is_played_on_after_a_question(drop: Drop, tmp_path: Path) -> None:
    position = forthvm.load("breakthrough").start()
    position.push(position.legal_moves[0])
    (tmp_path / "one.json").write_text(position.to_json())
    browser = drop(tmp_path / "one.json")
    browser.answer("no")
    assert browser.table.position.ply == 0
    drop(tmp_path / "one.json")
    browser.answer("yes")
    browser.wait(lambda: browser.table.position.ply == 1)


def test_file_that_cannot_be_opened(drop: Drop, tmp_path: Path) -> None:
    (tmp_path / "bad.zrf").write_text(RULES[:120])
    browser = drop(tmp_path / "bad.zrf")
    browser.wait(lambda: "line " in browser.find("#message").text)
    assert browser.table.position.ply == 0


def test_only_the_owner_drops_files(tmp_path: Path) -> None:
    table = Table(forthvm.load("breakthrough"), guests=("Black",))
    server = server_of(table, tmp_path)
    body = json.dumps([["a.zrf", len(RULES)]]) + "\n" + RULES
    with TestClient(server.application(), base_url=ORIGIN) as client:
        guest = table.seats["Black"].key
        for key in (guest, table.seats.watch_key, "other"):
            answer = client.post(f"/drop?key={key}", content=body, headers={"origin": ORIGIN})
            assert answer.status_code == 403
        assert not (tmp_path / "dropped").exists()
        with client.websocket_connect(
            f"/ws?key={guest}", headers={"host": HOST, "origin": ORIGIN}
        ) as socket:
            socket.send_json({"do": "dropped", "drop": "0" * 32})
            while (message := socket.receive_json())["is"] != "error":
                pass
        assert message["code"] == "owner-only"
