"""The page in a real browser: games by clicks only and by keys only."""

from __future__ import annotations

import random
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import uvicorn

import forthvm
from forthvm.game import Click
from forthvm.web.server import TableServer
from forthvm.web.table import Table
from tests.every_game import every_game

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402 - after importorskip
from selenium.webdriver.common.keys import Keys  # noqa: E402

DRIVER = shutil.which("chromedriver")
SECONDS = 20.0  # for anything that the page should do at once

pytestmark = pytest.mark.skipif(DRIVER is None, reason="chromedriver is absent")


class Browser:
    """A page that shows a table, and the table itself."""

    def __init__(self, driver: webdriver.Chrome, table: Table) -> None:
        self.driver = driver
        self.table = table

    def wait(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, self.driver.find_element(By.ID, "message").text
            time.sleep(0.01)

    def shown_ply(self) -> int:
        return len(self.driver.find_elements(By.CSS_SELECTOR, "#history li"))

    def wait_until_shown(self) -> None:
        self.wait(lambda: self.shown_ply() == self.table.position.ply)

    def wait_for_ply(self, ply: int) -> None:
        self.wait(lambda: self.shown_ply() == ply)

    def cell(self, square: str) -> webdriver.remote.webelement.WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, f'[data-square="{square}"]')

    def click(self, click: Click) -> None:
        """Click on a square or a button, with the mouse."""
        if click.kind == "square":
            target = self.cell(click.name).find_element(By.TAG_NAME, "polygon")
            webdriver.ActionChains(self.driver).move_to_element(target).click().perform()
        else:
            self.button(str(click)).click()

    def button(self, text: str) -> webdriver.remote.webelement.WebElement:
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "#choices button")
        return next(button for button in buttons if button.text == text)

    def play(self, move: forthvm.Move, click: Callable[[Click], None]) -> None:
        """Make a move by clicks, and end the gesture where it could go on."""
        ply = self.table.position.ply
        node = self.table.position.gestures()
        for step in move.gesture():
            click(step)
            node = node.children[step]
        if node.children:
            self.button(f"Done: {move}").click()
        self.wait(lambda: self.table.position.ply > ply)
        self.wait_until_shown()


@contextmanager
def served(table: Table) -> Iterator[str]:
    """Serve a table on a free port; yield the address of the page."""
    server = TableServer(table)
    listener = socket.create_server(("127.0.0.1", 0))
    runner = uvicorn.Server(uvicorn.Config(server.application(), log_level="error"))
    thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/?key={server.table.seats.owner_key}"
    finally:
        runner.should_exit = True
        thread.join(SECONDS)
        listener.close()


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def show(driver: webdriver.Chrome) -> Iterator[Callable[[Table], Browser]]:
    """Show a table in the browser; fail if the page logs an error."""
    with ExitStack() as stack:

        def show(table: Table) -> Browser:
            driver.get(stack.enter_context(served(table)))
            browser = Browser(driver, table)
            browser.wait(lambda: driver.find_elements(By.CSS_SELECTOR, "[data-square]"))
            return browser

        yield show
    errors = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert not [error for error in errors if "WebSocket" not in error["message"]]


def random_moves(browser: Browser, plies: int, click: Callable[[Click], None]) -> None:
    """Play random moves; chance moves by itself."""
    chooser, table = random.Random(4), browser.table
    while table.position.result is None and table.position.ply < plies:
        if table.position.is_chance or table.position.is_stuck:
            browser.wait(lambda: not (table.position.is_chance or table.position.is_stuck))
            browser.wait_until_shown()
            continue
        browser.play(chooser.choice(table.position.legal_moves), click)


Show = Callable[[Table], Browser]


def test_a_game_by_clicks(show: Show) -> None:
    browser = show(Table(forthvm.load("tictactoe")))
    random_moves(browser, 9, browser.click)
    result = browser.table.position.result
    assert result is not None
    assert browser.driver.find_element(By.ID, "status").text == str(result)


@pytest.mark.slow
def test_a_game_by_keys(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))

    def press(click: Click) -> None:
        """Go from the square in focus to another one by arrow keys, and press Enter."""
        here = browser.driver.switch_to.active_element.get_attribute("data-square") or ""
        columns = ord(click.name[0]) - ord(here[0])
        rows = int(click.name[1:]) - int(here[1:])
        keys = [Keys.ARROW_RIGHT if columns > 0 else Keys.ARROW_LEFT] * abs(columns)
        keys += [Keys.ARROW_UP if rows > 0 else Keys.ARROW_DOWN] * abs(rows)
        browser.driver.switch_to.active_element.send_keys(*keys)
        assert browser.driver.switch_to.active_element.get_attribute("data-square") == click.name
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)

    browser.driver.execute_script("document.querySelector('[tabindex=\"0\"]').focus()")
    random_moves(browser, 6, press)
    assert browser.table.position.ply == 6


@pytest.mark.slow
def test_a_move_by_dragging(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    actions = webdriver.ActionChains(browser.driver)
    actions.drag_and_drop(browser.cell("a2"), browser.cell("a3")).perform()
    browser.wait_for_ply(1)
    assert browser.table.position.history[0].text == "pawn a2 - a3"


@pytest.mark.slow
def test_take_back_and_again(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    random_moves(browser, 2, browser.click)
    browser.driver.find_element(By.ID, "undo").click()
    browser.wait_for_ply(1)
    browser.driver.find_element(By.ID, "redo").click()
    browser.wait_for_ply(2)


def test_escape_forgets_clicks(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    browser.click(Click("square", "a2"))
    assert browser.driver.find_elements(By.CSS_SELECTOR, ".clicked")
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert not browser.driver.find_elements(By.CSS_SELECTOR, ".clicked")


@pytest.mark.slow
def test_stores_are_shown(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "drops.zrf"
    path.write_text(
        """(game (title "Drops") (players Red Blue) (turn-order Red Blue)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
        (board-setup (Red (Stone off 2)) (Blue (Stone off 1)))
        (piece (name Stone) (drops ((verify empty?) add))))""",
        encoding="utf-8",
    )
    browser = show(Table(forthvm.load(path)))
    seats = browser.driver.find_element(By.ID, "seats")
    assert "Store of Red: 2 Stone" in seats.text
    browser.click(Click("square", "b"))
    browser.wait_for_ply(1)
    browser.wait(lambda: "Store of Red: Stone" in seats.text)


@pytest.mark.slow
def test_names_are_not_markup(show: Show, tmp_path: Path) -> None:
    evil = "<img/src=x/onerror=document.title='caught'>"
    path = tmp_path / "evil.4th"
    path.write_text((forthvm.load("tictactoe").path.read_text()).replace("mark", evil))
    browser = show(Table(forthvm.load(path)))
    random_moves(browser, 3, browser.click)
    assert "caught" not in browser.driver.title
    assert not browser.driver.find_elements(By.TAG_NAME, "img")


@pytest.mark.slow
@every_game()
def test_every_game_by_clicks(show: Show, name: str) -> None:
    browser = show(Table(forthvm.load(name)))
    random_moves(browser, 12, browser.click)
    assert browser.table.position.ply >= 12 or browser.table.position.result is not None
