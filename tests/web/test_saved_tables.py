"""Tables that continue after their server was ended or killed."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from websockets.sync.client import connect

import forthvm
from forthvm.web.table.clocks import Clocks, TimeControl
from forthvm.web.table.document import document_of, restore
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.offers import DRAW
from forthvm.web.table.saved_tables import MOST_FILES, SavedTables
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from tests.kit.cases import each_case
from tests.kit.games import load_text, script_of
from tests.kit.processes import FORTHVM, run, start

if TYPE_CHECKING:
    from selenium import webdriver

HERE = Viewer(is_owner=True, players=("White", "Black"))
SECONDS = 30.0


def breakthrough(**people: tuple[str, ...]) -> Table:
    return Table(forthvm.load("breakthrough"), **people)  # type: ignore[arg-type]


def copied(table: Table) -> Table:
    """Return another table, restored from the document of a table."""
    other = Table(table.game)
    assert restore(other, json.loads(json.dumps(document_of(table)))) == ""
    return other


def test_everything_continues() -> None:
    table = breakthrough(persons=("White",), guests=("Black",))
    table.clocks = Clocks(TimeControl(60.0, 1.0), table.seats)
    table.play(Viewer(is_owner=True, players=("White",)), 0, 3)
    table.tree.comment(1, "a comment")
    other = copied(table)
    assert other.position == table.position
    assert other.tree.whole() == table.tree.whole()
    assert other.seats.as_json() == table.seats.as_json()
    assert other.clocks.running == "Black"
    assert other.clocks.control == TimeControl(60.0, 1.0)


def test_an_end_continues() -> None:
    table = breakthrough()
    table.resign(HERE, "White")
    other = copied(table)
    assert TableMessages(other).state(HERE)["result"] == TableMessages(table).state(HERE)["result"]
    assert other.departed == {"White": "resigned"}


def test_an_offer_still_waits_for_its_answer() -> None:
    table = breakthrough(persons=("White",), guests=("Black",))
    seats = table.seats
    owner, guest = map(seats.viewer_of, (seats.owner_key, seats["Black"].key))
    table.make_offer(owner, DRAW)
    other = copied(table)
    assert other.offer == table.offer
    other.answer_offer(guest, agrees=True)
    assert TableMessages(other).state(owner)["result"]["code"] == "agreed-draw"


def test_moves_survive_a_change_of_the_script(tmp_path: Path) -> None:
    text = script_of("breakthrough")
    table = Table(load_text(tmp_path, text))
    table.play(HERE, 0, table.position.parse("pawn a2 - a3").index)
    document = document_of(table)
    other = Table(load_text(tmp_path, f"{text}\n: another ;\n"))
    assert "1 moves of the game could be made again" in restore(other, document)
    assert [str(entry) for entry in other.position.history] == ["pawn a2 - a3"]


@each_case("key", ["tree", "seats", "clocks", "left", "ending", "offer"])
def test_a_damaged_document_is_an_error(key: str) -> None:
    document = document_of(breakthrough())
    with pytest.raises((KeyError, ValueError)):
        restore(breakthrough(), {name: 7 if name == key else document[name] for name in document})


@each_case("key", ["tree", "seats", "clocks", "left", "ending"])
def test_an_incomplete_document_is_an_error(key: str) -> None:
    document = document_of(breakthrough())
    del document[key]
    with pytest.raises(KeyError):
        restore(breakthrough(), document)


def test_only_the_user_reads_the_file(tmp_path: Path) -> None:
    tables = SavedTables(tmp_path / "state" / "tables")
    tables.new_file({"port": 1}).write({"a": 1})
    ((file, table),) = tables.newest_first()
    assert (file.about, table) == ({"port": 1}, {"a": 1})
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700


def test_names_of_files_need_not_be_utf_8(tmp_path: Path) -> None:
    path = os.fsdecode(b"\xe8\xe3\xf0\xe0.4th")  # a Russian name from Windows
    tables = SavedTables(tmp_path)
    tables.new_file({"game": path}).write({})
    assert [file.about for file, _ in tables.newest_first()] == [{"game": path}]


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    tables = SavedTables(tmp_path)
    file = tables.new_file({})
    file.write({"number": 1})
    with pytest.raises(TypeError):
        file.write({"number": object()})
    file.write({"number": 2})
    assert [table for _, table in tables.newest_first()] == [{"number": 2}]
    assert len(list(tmp_path.iterdir())) == 1


def test_damaged_and_foreign_files_are_left_out(tmp_path: Path) -> None:
    tables = SavedTables(tmp_path)
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text('{"format": "another"}')
    (tmp_path / "c.json").write_text("[" * 100_000)
    (tmp_path / "d.json").mkdir()
    (tmp_path / "e.json").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "f.json")
    tables.clean_up()
    assert list(tables.newest_first()) == []


def test_old_tables_are_deleted(tmp_path: Path) -> None:
    tables = SavedTables(tmp_path)
    for number in range(MOST_FILES + 5):
        file = tables.new_file({"number": number})
        file.write({})
        os.utime(file.path, (time.time(), time.time() - 60 + number / 10))
    old = tables.new_file({})
    old.write({})
    os.utime(old.path, (0, 0))
    tables.clean_up()
    numbers = [file.about["number"] for file, _ in tables.newest_first()]
    assert numbers == list(range(MOST_FILES + 4, 4, -1))


# --- the command ---------------------------------------------------------------------------


class Board:
    """A process of `forthvm board`."""

    def __init__(self, state: Path, *arguments: str) -> None:
        command = (*FORTHVM, "board", *arguments, "--no-browser")
        self.process = start(*command, XDG_STATE_HOME=str(state))
        self.links: dict[str, str] = {}
        for line in self.process.stdout:
            if found := re.search(r"(?:Link for (\w+):|The board is at) (http\S+)", line):
                self.links[found[1] or "owner"] = found[2]
            if line.startswith("Ctrl-C"):
                break

    def state(self, who: str, *requests: dict[str, Any]) -> dict[str, Any]:
        """Send requests, and return what the last state says."""
        link = self.links[who].replace("http", "ws", 1).replace("/?", "/ws?")
        origin = self.links[who].rpartition("/")[0]
        end = time.monotonic() + SECONDS
        while True:  # the port is open before the server answers
            try:
                return self._state(link, origin, requests)
            except (OSError, EOFError):
                assert time.monotonic() < end

    def _state(
        self, link: str, origin: str, requests: Iterable[Mapping[str, Any]]
    ) -> dict[str, Any]:
        with connect(link, origin=origin) as window:  # type: ignore[arg-type]
            state: dict[str, Any] = {}
            for request in (None, *requests):
                if request is not None:
                    window.send(json.dumps(request))
                message: dict[str, Any] = {}
                while message.get("is") != "state":
                    message = json.loads(window.recv(SECONDS))
                    assert message["is"] != "error", message
                state |= message
            return state

    def kill(self) -> None:
        with self.process:
            pass  # its end kills the process


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Callable[..., Board]]:
    """Start processes, and end them after the test."""
    started: list[Board] = []

    def start(*arguments: str) -> Board:
        started.append(Board(tmp_path / "state", *arguments))
        return started[-1]

    yield start
    for one in started:
        one.kill()


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


Start = Callable[..., Board]


@pytest.mark.slow
@pytest.mark.parametrize("again", ["same command", "--resume"])
def test_a_killed_server_continues_with_the_same_links(board: Start, again: str) -> None:
    command = ["breakthrough", "--guest", "Black", "--port", free_port()]
    first = board(*command)
    assert first.state("owner", {"do": "play", "node": 0, "move": 0})["ply"] == 1
    assert first.state("Black", {"do": "play", "node": 1, "move": 0})["ply"] == 2
    first.kill()
    second = board(*(command if again == "same command" else ["--resume"]))
    assert second.links == first.links
    assert second.state("owner", {"do": "play", "node": 2, "move": 0})["ply"] == 3


@pytest.mark.slow
def test_another_game_or_a_new_table_begins_anew(board: Start) -> None:
    port = free_port()
    first = board("breakthrough", "--guest", "Black", "--port", port)
    assert first.state("owner", {"do": "play", "node": 0, "move": 0})["ply"] == 1
    first.kill()
    for command in (["tictactoe"], ["breakthrough", "--new-table"]):
        other = board(*command, "--port", port)
        assert other.state("owner")["ply"] == 0
        assert other.links["owner"] != first.links["owner"]
        other.kill()


@pytest.mark.slow
def test_nothing_to_resume(tmp_path: Path) -> None:
    done = run(*FORTHVM, "board", "--resume", XDG_STATE_HOME=str(tmp_path))
    assert done.returncode == 2
    assert "there is no table to continue" in done.stderr


@pytest.mark.slow
def test_an_open_page_continues_after_the_server_was_killed(
    board: Start, driver: webdriver.Chrome
) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    command = ["breakthrough", "--side", "White", "--side", "Black", "--port", free_port()]
    first = board(*command)
    first.state("owner", {"do": "play", "node": 0, "move": 0})
    driver.get(first.links["owner"])
    wait = WebDriverWait(driver, SECONDS)
    wait.until(lambda page: len(page.find_elements("css selector", "#history li")) == 1)
    first.kill()
    wait.until(lambda page: page.find_element("id", "offline").is_displayed())
    second = board(*command)
    wait.until(lambda page: not page.find_element("id", "offline").is_displayed())
    second.state("owner", {"do": "play", "node": 1, "move": 0})
    wait.until(lambda page: len(page.find_elements("css selector", "#history li")) == 2)
    driver.refresh()
    wait.until(lambda page: len(page.find_elements("css selector", "#history li")) == 2)
