"""The page when things go wrong: reload, a killed server, a slow network, hostile names."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Click
from forthvm.web.report.server import ReportServer
from forthvm.web.table.table import Table
from tests.autoplay.results import write_random_match
from tests.web.browsing import SECONDS, Browser, Show, serving

pytest.importorskip("selenium")
from selenium.common.exceptions import StaleElementReferenceException

from tests.kit.files import write
from tests.kit.games import script_of
from tests.kit.processes import FORTHVM, Program, start

EVIL = "<img/src=x/onerror=document.title='caught'>"
SQUARES = [Click("square", "a2"), Click("square", "a3")]


def people() -> Table:
    """Breakthrough between two people at this computer."""
    return Table(forthvm.load("breakthrough"), persons=("White", "Black"))


def move(browser: Browser) -> None:
    for click in SQUARES:
        browser.click(click)


@pytest.mark.slow
def test_reload(show: Show) -> None:
    """After a reload the page shows the same position and moves."""
    browser = show(people())
    move(browser)
    browser.wait_for_ply(1)
    browser.driver.refresh()
    browser.wait_for_ply(1)
    label = browser.cell("a3").get_attribute("aria-label") or ""
    assert "pawn" in label.lower()


@pytest.mark.slow
def test_two_windows(show: Show) -> None:
    """A move in one window is shown in the other one, where the next move is made."""
    browser = show(people())
    driver, first = browser.driver, browser.driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(driver.execute_script("return arguments[0]", address_of(browser, first)))
    browser.wait_for_ply(0)
    second = driver.current_window_handle
    driver.switch_to.window(first)
    move(browser)
    driver.switch_to.window(second)
    browser.wait_for_ply(1)
    for square in ("a7", "a6"):
        browser.click(Click("square", square))
    driver.switch_to.window(first)
    browser.wait_for_ply(2)
    driver.switch_to.window(second)
    driver.close()
    driver.switch_to.window(first)


def address_of(browser: Browser, window: str) -> str:
    """Return the address of a window; the driver stays at the current window."""
    here = browser.driver.current_window_handle
    browser.driver.switch_to.window(window)
    address = browser.driver.current_url
    browser.driver.switch_to.window(here)
    return str(address)


@pytest.mark.slow
def test_a_slow_network(show: Show) -> None:
    """With 400 ms of delay and 50 kB/s the page loads, and a move arrives once."""
    browser = show(people())
    conditions = {
        "offline": False,
        "latency": 400,
        "downloadThroughput": 50_000,
        "uploadThroughput": 20_000,
    }
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
    try:
        browser.driver.refresh()
        browser.wait_for_ply(0)
        browser.wait(lambda: browser.driver.find_elements("css selector", "[data-square]"))
        move(browser)
        browser.wait_for_ply(1)
        assert [entry.text for entry in browser.table.position.history] == ["pawn a2 - a3"]
    finally:
        normal = conditions | {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", normal)
        browser.driver.execute_cdp_cmd("Network.disable", {})


@contextmanager
def board_command(folder: Path, port: int) -> Iterator[tuple[Program, str]]:
    """Run the command; yield the process and the address of the page."""
    command = [
        *(*FORTHVM, "board", "breakthrough"),
        *("--side", "White", "--side", "Black", "--port", str(port), "--no-browser"),
    ]
    with start(*command, XDG_STATE_HOME=str(folder)) as process:
        links = (re.search(r"http://\S+", line) for line in process.stdout)
        yield process, next(link[0] for link in links if link)


@pytest.mark.slow
def test_the_server_is_killed_and_started_again(show: Show, tmp_path: Path) -> None:
    """The page connects by itself and shows the game, which is not lost."""
    browser = show(people())  # only to open a window
    with board_command(tmp_path, 0) as (process, address):
        browser.driver.get(address)
        browser.wait_for_ply(0)
        browser.wait(lambda: browser.driver.find_elements("css selector", "[data-square]"))
        move(browser)
        browser.wait_for_ply(1)
        process.send_signal(signal.SIGKILL)
        process.wait(SECONDS)
    browser.wait(lambda: browser.find("#offline").is_displayed())
    port = int(address.split("/")[2].partition(":")[2])
    with board_command(tmp_path, port) as (_, again):
        assert again == address
        browser.wait(lambda: not browser.find("#offline").is_displayed())
        assert browser.shown_ply() == 1

        def black_moves() -> bool:
            """Move, or return False: clicks have no effect until the new state is drawn."""
            with suppress(StaleElementReferenceException):  # the square is being drawn anew
                for square in ("a7", "a6"):
                    browser.click(Click("square", square))
            time.sleep(0.3)
            return browser.shown_ply() == 1 + 1

        browser.wait(black_moves)


# --- hostile names ----------------------------------------------------------------------------


@pytest.mark.slow
def test_hostile_names_in_a_report(show: Show, tmp_path: Path) -> None:
    """Names of entrants, pieces and reasons are shown as texts in the report page."""
    script = write(tmp_path / "evil.4th", script_of("tictactoe").replace("mark", EVIL))
    path = tmp_path / "results.db"
    write_random_match(path, str(script), (EVIL, "B"), games=2)
    browser = show(people())  # only to open a window
    server = ReportServer(path, trust=True)
    with serving(server) as address:
        browser.driver.get(f"{address}?key={server.key}#game=1&ply=3")
        browser.wait(lambda: "3. " in browser.find("#now").text)
        page = browser.find("body").text
        assert f"{EVIL} (" in page
        assert EVIL in browser.find("#now").text
        assert browser.driver.find_elements("css selector", "img[onerror]") == []
        assert "caught" not in browser.driver.title
        browser.press("\ue014")  # arrow to the right
        browser.wait(lambda: "4. " in browser.find("#now").text)
