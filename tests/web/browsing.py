"""Tables in a real browser, for tests: the page, clicks on it, and random moves."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

import forthvm
from forthvm.game import Click
from forthvm.web.play.server import TableServer
from forthvm.web.serving.http_connections import HTTPConnection
from forthvm.web.serving.page_server import PageServer
from forthvm.web.table.table import Table

if TYPE_CHECKING:
    from selenium import webdriver

SECONDS = 20.0  # for anything that the page should do at once
CSS = "css selector"


class Page:
    """A page that shows a table."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def actions(self) -> webdriver.ActionChains:
        from selenium.webdriver import ActionChains

        return ActionChains(self.driver, duration=0)  # the default is 250 ms for each movement

    def find(self, selector: str) -> webdriver.remote.webelement.WebElement:
        return self.driver.find_element(CSS, selector)

    def emulate(self, width: int, scheme: str = "light") -> None:
        """Show the page in a window of another width, in light or dark colours."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def wait(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, self.driver.find_element(CSS, "#message").text
            time.sleep(0.01)

    def shown_ply(self) -> int:
        count = "return document.querySelectorAll('#history .played').length"
        return int(self.driver.execute_script(count))

    def shown_node(self) -> int:
        return int(self.find("#board").get_attribute("data-node") or -1)

    def wait_for_ply(self, ply: int) -> None:
        self.wait(lambda: self.shown_ply() == ply)

    def cell(self, square: str) -> webdriver.remote.webelement.WebElement:
        return self.driver.find_element(CSS, f'[data-square="{square}"]')

    def click(self, click: Click) -> None:
        """Click on a square, a piece in a store or a button, with the mouse."""
        if click.kind == "square":
            target = self.cell(click.name).find_element(CSS, "polygon")
            self.actions().move_to_element(target).click().perform()
            return
        stored = f'[data-player="{click.player}"] [data-stored="{click.name}"]'
        buttons = self.driver.find_elements(CSS, stored)
        (buttons[0] if buttons else self.button(str(click))).click()

    def press(self, *keys: str) -> None:
        """Press keys on the element that has the focus."""
        self.actions().send_keys(*keys).perform()

    def choose(self, setting: str, value: str) -> None:
        """Choose a value in the tab of settings."""
        self.find("#tab-settings").click()
        self.find(f'#panel-settings [name="{setting}"] option[value="{value}"]').click()
        self.find("body").click()

    def answer(self, answer: str) -> None:
        """Answer the question that the page asks in a dialog by `yes` or `no`."""
        self.wait(lambda: self.driver.find_elements(CSS, "#ask[open]"))
        self.find(f"#ask-{answer}").click()

    def right_drag(self, square: str, to: str) -> None:
        """Press the right mouse button on a square, and release it on another one."""
        actions = self.actions()
        actions.w3c_actions.pointer_action.move_to(self.cell(square)).pointer_down(button=2)
        actions.w3c_actions.pointer_action.move_to(self.cell(to)).pointer_up(button=2)
        actions.perform()

    def touch_drag(self, square: str, to: str) -> None:
        """Drag a piece with a finger."""
        for kind, name in (("touchStart", square), ("touchMove", to), ("touchEnd", None)):
            self.touch(kind, name)

    def touch(self, kind: str, square: str | None = None) -> None:
        """Put a finger on a square, move it there, or lift it."""
        points = []
        if square is not None:
            box = self.cell(square).rect
            points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        event = {"type": kind, "touchPoints": points}
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", event)

    def drop(self, path: Path, x: int = 300, y: int = 300) -> None:
        """Drop a file or a folder on the page."""
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, "x": x, "y": y, "data": data}
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", event)

    def button(self, name: str) -> webdriver.remote.webelement.WebElement:
        """Return a button that goes on with the move under construction.

        A picture of the piece, which may contain text, can be before its name.
        """
        script = """return [...document.querySelectorAll("#choices button, #chooser button")]
            .find((button) => button.lastChild.textContent === arguments[0]);"""
        button: webdriver.remote.webelement.WebElement | None
        button = self.driver.execute_script(script, name)
        assert button is not None, f"there is no button {name!r}"
        return button


class Browser(Page):
    """A page that shows a table, and the table itself."""

    def __init__(self, driver: webdriver.Chrome, table: Table) -> None:
        super().__init__(driver)
        self.table = table

    def wait_until_shown(self) -> None:
        """Wait until the list of moves and then the board show the position of the game."""
        self.wait(lambda: self.shown_ply() == self.table.position.ply)
        self.wait(lambda: self.shown_node() == self.table.tree.played.number)

    def play(self, move: forthvm.Move) -> None:
        """Make a move with the mouse."""
        ply = self.table.position.ply
        for click in clicks_of(self.table.position, move):
            self.click(click)
        self.wait(lambda: self.table.position.ply > ply)
        self.wait_until_shown()


def clicks_of(position: forthvm.Position, move: forthvm.Move) -> list[Click]:
    """Return the clicks of a move, with the one that ends it where it could go on."""
    clicks, node = list(move.gesture()), position.gestures()
    for click in clicks:
        node = node.children[click]
    return [*clicks, Click("choice", f"Done: {move}")] if node.children else clicks


Show = Callable[[Table], Browser]


@contextmanager
def serving(server: PageServer, port: int = 0) -> Iterator[str]:
    """Run a server, on a free port unless one is given; yield its address without a key."""
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(server.application(), http=HTTPConnection, log_level="error")
    runner = uvicorn.Server(config)
    thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        runner.should_exit = True
        thread.join(SECONDS)
        listener.close()


@contextmanager
def served(table: Table, port: int = 0) -> Iterator[str]:
    """Serve a table, on a free port unless one is given; yield the owner's link."""
    with serving(TableServer(table), port) as address:
        yield f"{address}?key={table.seats.owner_key}"


def random_moves(browser: Browser, plies: int) -> None:
    """Play random moves with the mouse; chance moves by itself."""
    chooser, table = random.Random(4), browser.table
    while table.position.result is None and table.position.ply < plies:
        if table.position.is_chance or table.position.is_stuck:
            browser.wait(lambda: not (table.position.is_chance or table.position.is_stuck))
            browser.wait_until_shown()
            continue
        browser.play(chooser.choice(table.position.legal_moves))
