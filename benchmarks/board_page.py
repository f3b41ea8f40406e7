"""Measures the page of a board in chromium: loading, moves, drags, and an exported game.

    python -m benchmarks.board_page [--repeats N]

It prints medians and the worst values beside their bounds.  Each sample checks what the page shows
or what the table then holds: the number of squares, the move that was made.  A time ends when the
page has handed the frame to the compositor.  The machine should be idle; it needs chromium,
chromedriver and `pip install -e .[test]`.
"""

from __future__ import annotations

import argparse
import math
import random
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import uvicorn
from selenium import webdriver

from benchmarks.runner import check
from forthvm.game import Game, Move, games, load
from forthvm.web.offline.export import exported_page
from forthvm.web.play.server import TableServer
from forthvm.web.table.table import Table

SIDE = 19
SQUARES = SIDE * SIDE
MOVES = 20
DRAG_SECONDS = 2.0
LEAST_PLACES = 20
"""Different places where a dragged piece must be in a second."""
MOUSE_INTERVAL = 0.008
"""Seconds between two movements of the mouse."""
WAIT_SECONDS = 20.0
CHESS_SQUARES = 64
SEED = 1

STONES = """
$flipGrid ON
{{board {side} {side} {{grid}} board}}
{{directions
  -1 0 {{direction}} n  1 0 {{direction}} s  0 -1 {{direction}} w  0 1 {{direction}} e
directions}}
{{players {{player}} Black {{player}} White players}}
{{turn-order {{turn}} Black {{turn}} White turn-order}}
: put ( -- ) empty? verify drop add-move ;
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: up ( -- ) ['] n step ;   : down ( -- ) ['] s step ;
: left ( -- ) ['] w step ; : right ( -- ) ['] e step ;
{{moves drops {{move}} put moves}}
{{moves steps {{move}} up {{move}} down {{move}} left {{move}} right moves}}
{{pieces {{piece}} stone {{drops}} drops {{moves}} steps pieces}}
{{board-setup
{setup}
board-setup}}
"""
"""A game on a Go board: players put stones, or move them by a step."""

PAINTED = """
window.painted = (run) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => run(performance.now());
  port2.postMessage(null);
};
(function look() {
  if (document.querySelector("[data-square]") && document.querySelector(".piece")) {
    painted((now) => { window.boardDrawn = now; });
  } else requestAnimationFrame(look);
})();
"""
"""Runs in each new page: `painted`, called in an animation frame, runs a function after that frame;
`boardDrawn` is the time when the board and its pieces were painted."""

TIME_MOVE = """
const target = document.querySelector(`[data-square="${arguments[0]}"]`);
window.move = {};
addEventListener("pointerup", (event) => {
  const begin = event.timeStamp;
  requestAnimationFrame(() => painted((now) => {
    move.local = now - begin;
    move.label = target.getAttribute("aria-label");
  }));
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".square.open")) return;  // the next player cannot move yet
    observer.disconnect();
    requestAnimationFrame(() => painted((now) => { move.server = now - begin; }));
  });
  observer.observe(document.querySelector("#board svg"), { subtree: true, attributes: true });
}, { capture: true, once: true });
"""

COUNT_FRAMES = """
window.frameTimes = [];
window.places = new Set();
requestAnimationFrame(function frame(now) {
  const dragged = document.querySelector(".ghost");
  if (!dragged) return;
  frameTimes.push(now);
  places.add(dragged.style.transform);
  requestAnimationFrame(frame);
});
"""

CENTRE = """
const { left, top, width, height } =
  document.querySelector(`[data-square="${arguments[0]}"] polygon`).getBoundingClientRect();
return [left + width / 2, top + height / 2];
"""


@dataclass(frozen=True)
class Figure:
    """The samples of one figure, and the bound of their median."""

    name: str
    samples: list[float]
    unit: str
    bound: str = ""

    def row(self) -> str:
        """Return the row of the table."""
        worst = min(self.samples) if self.unit == "frames/s" else max(self.samples)
        median = statistics.median(self.samples)
        return f"{self.name:50}{median:>9.1f}{worst:>9.1f} {self.unit:<9} {self.bound}".rstrip()


class Page:
    """The page of a table in the browser, moved by the mouse."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        """Take the page that the browser shows."""
        self._driver = driver

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401 - of any type
        """Return the result of a script in the page."""
        return self._driver.execute_script(script, *arguments)

    def wait(self, script: str) -> Any:  # noqa: ANN401
        """Return the first true result of a script that returns at once."""
        end = time.monotonic() + WAIT_SECONDS
        while not (found := self.run(script)):
            if time.monotonic() > end:
                sys.exit(f"the page did not reach: {script}")
            time.sleep(0.005)
        return found

    def centre(self, square: str) -> tuple[float, float]:
        """Return the centre of a square in pixels."""
        x, y = self.run(CENTRE, square)
        return float(x), float(y)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Let the mouse be pressed, moved or released."""
        event: dict[str, object] = {"type": f"mouse{kind}", "x": x, "y": y}
        event |= {"button": "left", "clickCount": 1, "buttons": 0 if kind == "Released" else 1}
        self._driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def click(self, square: str) -> None:
        """Click on a square."""
        for kind in ("Pressed", "Released"):
            self.mouse(kind, *self.centre(square))

    def analyse(self) -> None:
        """Let an engine analyse each position that is shown, and show its lines."""
        self.run('document.getElementById("tab-analysis").click()')
        self.run('document.querySelector("#panel-analysis button").click()')
        self.wait('return document.querySelectorAll("#panel-analysis .lines li").length')


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Start a browser without a window that caches no files."""
    path = shutil.which("chromedriver")
    if path is None:
        sys.exit("chromedriver is not installed")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(path))
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PAINTED})
        yield driver
    finally:
        driver.quit()


@contextmanager
def served(table: Table) -> Iterator[str]:
    """Serve a table in a thread; yield the address of its page."""
    server = TableServer(table)
    listener = socket.create_server(("127.0.0.1", 0))
    runner = uvicorn.Server(uvicorn.Config(server.application(), log_level="error"))
    thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/?key={server.table.seats.owner_key}"
    finally:
        runner.should_exit = True
        thread.join()
        listener.close()


def opened(driver: webdriver.Chrome, address: str, squares: int) -> Page:
    """Open a page and wait for its board."""
    driver.get("about:blank")
    driver.get(address)
    page = Page(driver)
    page.wait("return window.boardDrawn")
    shown = page.run('return document.querySelectorAll("[data-square]").length')
    check("squares on the page", shown, squares)
    return page


@contextmanager
def playing(
    driver: webdriver.Chrome, table: Table, squares: int, *, loaded: bool
) -> Iterator[Page]:
    """Open the page of a table, with an engine at work if it is loaded; yield the page."""
    with served(table) as address:
        page = opened(driver, address, squares)
        if loaded:
            page.analyse()
        yield page


def loading(driver: webdriver.Chrome, game: Game, squares: int, repeats: int) -> list[Figure]:
    """Measure how fast the page of a new table appears."""
    paints, boards = [], []
    for _ in range(repeats):
        with served(Table(game)) as address:
            page = opened(driver, address, squares)
            script = 'return performance.getEntriesByName("first-paint")[0]?.startTime'
            paints.append(page.wait(script))
            boards.append(page.wait("return boardDrawn"))
    name = f"{squares} squares"
    return [
        Figure(f"first paint, {name}", paints, "ms", "< 1000"),
        Figure(f"board drawn, {name}", boards, "ms", "< 1000"),
    ]


def is_simple(move: Move) -> bool:
    """Whether a move is made by clicks on two squares, without a choice."""
    steps = move.gesture()
    return len(steps) == 2 and all(step.kind == "square" for step in steps)


def moves(driver: webdriver.Chrome, game: Game, *, loaded: bool) -> list[Figure]:
    """Measure the time from the last click of a move to the frames that show it."""
    chooser, table = random.Random(SEED), Table(game)
    local, answered = [], []
    with playing(driver, table, CHESS_SQUARES, loaded=loaded) as page:
        for ply in range(1, MOVES + 1):
            move = chooser.choice([one for one in table.position.legal_moves if is_simple(one)])
            from_, to = (step.name for step in move.gesture())
            piece = table.position.board[from_]
            assert piece is not None
            page.click(from_)
            page.run(TIME_MOVE, to)
            page.click(to)
            answered.append(page.wait("return move.server"))
            local.append(page.wait("return move.local"))
            check("number of moves", table.position.ply, ply)
            check("last move", table.position.history[-1].text, move.text)
            shown = page.run("return move.label")
            check(f"{piece} is shown on {to}", str(piece) in shown, True)
            time.sleep(0.3)  # the animation ends
    load = ", engine at work" if loaded else ""
    return [
        Figure(f"click to repaint{load}", local, "ms", "< 50"),
        Figure(f"click to the server's new state{load}", answered, "ms", "< 50"),
    ]


def drag(page: Page, from_: str, to: str) -> list[float]:
    """Drag a piece in circles, then to a square; return the milliseconds between frames."""
    (x, y), end = page.centre(from_), page.centre(to)
    page.mouse("Pressed", x, y)
    page.mouse("Moved", x + 20, y)
    page.wait('return document.querySelector(".ghost")')
    page.run(COUNT_FRAMES)
    begin = time.monotonic()
    while (now := time.monotonic()) < begin + DRAG_SECONDS:
        angle = 4 * (now - begin)
        page.mouse("Moved", x + 150 * math.sin(angle), y + 150 * (1 - math.cos(angle)))
        time.sleep(MOUSE_INTERVAL)
    frames, places = page.run("return [frameTimes, places.size]")
    check("the piece follows the mouse", places > LEAST_PLACES * DRAG_SECONDS, True)
    page.mouse("Moved", *end)
    page.mouse("Released", *end)
    return [after - before for before, after in pairwise(frames)]


def drags(driver: webdriver.Chrome, game: Game, repeats: int, *, loaded: bool) -> list[Figure]:
    """Measure the frames per second while stones are dragged on a large board."""
    table = Table(game)
    rates, gaps = [], []
    with playing(driver, table, SQUARES, loaded=loaded) as page:
        for ply in range(1, repeats + 1):
            steps = [one for one in table.position.legal_moves if is_simple(one)]
            move = next(one for one in steps if one.gesture()[0].name[0] in "ghij")
            from_, to = (step.name for step in move.gesture())
            work = time.process_time()
            between = drag(page, from_, to)
            if loaded:
                work = time.process_time() - work
                check("the engine worked during the drag", work > DRAG_SECONDS / 2, True)
            page.wait(f'return document.querySelectorAll("#history .played").length === {ply}')
            check("last move", table.position.history[-1].text, move.text)
            rates.append(1000 * len(between) / sum(between))
            gaps.append(max(between))
            time.sleep(0.3)
    load = ", engine at work" if loaded else ""
    return [
        Figure(f"dragging, {SQUARES} squares{load}", rates, "frames/s", "60"),
        Figure(f"longest frame of a drag{load}", gaps, "ms"),
    ]


def exports(driver: webdriver.Chrome, folder: Path, repeats: int) -> list[Figure]:
    """Measure the files of all bundled games, and how fast that of chess opens."""
    sizes, times = [], []
    for entry in games():
        text = exported_page(Table(load(entry.name))).encode()
        sizes.append(len(text) / 1e6)
        (folder / f"{entry.name}.html").write_bytes(text)
    for _ in range(repeats):
        page = opened(driver, (folder / "chess.html").as_uri(), CHESS_SQUARES)
        check("pieces", page.run('return document.querySelectorAll("#board .piece").length'), 32)
        times.append(page.wait("return boardDrawn"))
    return [
        Figure("size of an exported game", sizes, "MB", "< 3"),
        Figure("board drawn, exported file", times, "ms", "< 1000"),
    ]


def stones(folder: Path) -> Game:
    """Return a game on a Go board with a stone on every second point."""
    setup = "\n".join(
        f"{{setup}} {('Black', 'White')[row % 2]} stone {chr(ord('a') + column)}{row + 1}"
        for row in range(SIDE)
        for column in range(row % 2, SIDE, 2)
    )
    script = folder / "stones.4th"
    script.write_text(STONES.format(side=SIDE, setup=setup), encoding="utf-8")
    return load(script)


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5, help="samples of pages and drags")
    repeats = parser.parse_args().repeats
    print(f"{'':50}{'median':>9}{'worst':>9} {'unit':<9} bound")
    with tempfile.TemporaryDirectory() as name, chromium() as driver:
        chess, large = load("chess"), stones(Path(name))
        groups: list[Callable[[], list[Figure]]] = [
            lambda: loading(driver, chess, CHESS_SQUARES, repeats),
            lambda: loading(driver, large, SQUARES, repeats),
            lambda: moves(driver, chess, loaded=False),
            lambda: moves(driver, chess, loaded=True),
            lambda: drags(driver, large, repeats, loaded=False),
            lambda: drags(driver, large, repeats, loaded=True),
            lambda: exports(driver, Path(name), repeats),
        ]
        for group in groups:
            for figure in group():
                print(figure.row(), flush=True)


if __name__ == "__main__":
    main()
