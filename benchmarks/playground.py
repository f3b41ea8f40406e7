"""Measures the playground in chromium: its size, loading, from an edit to the new board, memory.

    python -m benchmarks.playground [--repeats N] [--reloads N]

It prints medians and the worst values beside their bounds, as board_page.py does; the time of an
edit includes the pause after which the page loads the text, and that of the first rule file the
loading of Python.  Then it prints the memory of the
browser's renderers during many edits, after each quarter of them.  The machine should be idle; it
needs Linux, chromium, chromedriver and `pip install -e .[test]`.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver

from benchmarks.board_page import Figure, Page, chromium
from benchmarks.static_site import static_site
from forthvm.web.playground.static_page import write_playground

RULE_FILE = Path(__file__).resolve().parent.parent / "tests/zrf/games/chess.zrf"
GAMES = ("tictactoe", "chess", "draughts", "thud", "yonin-shogi", "rithmomachia", "rithmomachia-2")
EDITED_GAME = "chess"
LOADED = 'return document.querySelector("#stack")?.textContent'
SQUARES = """
return document.querySelector("#frame").contentDocument?.querySelectorAll("[data-square]").length
"""

TIME_BOARD = """
const done = arguments[arguments.length - 1] ?? ((time) => { window.boardTime = time; });
window.boardTime = null;
addEventListener("message", function told({ data }) {
  if (data?.is !== "moved") return;
  removeEventListener("message", told);
  document.querySelector("#frame").contentWindow.requestAnimationFrame(
    () => painted((now) => done(now - begin)),
  );
});
const begin = performance.now();
"""
"""Takes the time until the board has been painted again."""
EDIT = f"""
const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
content.focus();
{TIME_BOARD}
document.execCommand("insertText", false, " ");
"""
"""Types a blank; the result is the time until the board has been painted again."""


def opened(driver: webdriver.Chrome, address: str) -> Page:
    """Open the page and wait until its first game is on the board."""
    driver.get("about:blank")
    driver.get(address)
    page = Page(driver)
    page.wait(LOADED)
    page.wait(SQUARES)
    return page


def sizes(folder: Path) -> list[Figure]:
    """Return the compressed size of what the page loads at first."""
    later = {"export.html", "games", "pyodide", "python.zip"}
    paths = [path for path in folder.rglob("*") if path.is_file()]
    at_once = [path for path in paths if path.relative_to(folder).parts[0] not in later]
    size = sum(len(gzip.compress(path.read_bytes())) for path in at_once)
    return [Figure("compressed size without Python", [size / 1e6], "MB", "< 1.5")]


def loading(driver: webdriver.Chrome, address: str, repeats: int) -> list[Figure]:
    """Measure how fast the page appears."""
    texts, boards = [], []
    for _ in range(repeats):
        driver.get("about:blank")
        driver.get(address)
        page = Page(driver)
        page.wait(LOADED)
        texts.append(page.run("return performance.now()"))
        page.wait(SQUARES)
        boards.append(page.run("return performance.now()"))
    return [
        Figure("editor and console can be used", texts, "ms", "< 1000"),
        Figure("board can be used", boards, "ms", "< 1000"),
    ]


def choose(page: Page, game: str) -> None:
    """Choose an example, and wait for its board."""
    before = page.run("return document.querySelector('#names').textContent")
    page.run(
        "const list = document.querySelector('#examples'); list.value = arguments[0];"
        "list.dispatchEvent(new Event('change'));",
        game,
    )
    page.wait(
        "document.querySelector('#ask[open] #ask-yes')?.click();"
        f"return document.querySelector('#names').textContent !== {before!r} || "
        f"document.querySelector('#names').textContent.includes({game!r})"
    )
    time.sleep(1)


def edits(driver: webdriver.Chrome, page: Page, repeats: int) -> list[Figure]:
    """Measure the time from a key to the new board."""
    figures = []
    for game in GAMES:
        choose(page, game)
        samples = [driver.execute_async_script(EDIT) for _ in range(repeats + 1)][1:]
        figures.append(Figure(f"edit to new board, {game}", samples, "ms", "< 300"))
    return figures


def rule_file(driver: webdriver.Chrome, address: str, repeats: int) -> list[Figure]:
    """Measure the time from opening a rule file, and then from a key in it, to the new board."""
    first, later = [], []
    for _ in range(repeats):
        page = opened(driver, address)
        time.sleep(1)
        page.run(TIME_BOARD)
        driver.find_element("css selector", "#open-files").send_keys(str(RULE_FILE))
        first.append(page.wait("return boardTime"))
        time.sleep(1)
        later.append(driver.execute_async_script(EDIT))
        page.run("localStorage.clear()")
    return [
        Figure("first rule file to its board", first, "ms", "< 6000"),
        Figure("edit of a rule file to new board", later, "ms", "< 1000"),
    ]


def renderer_memory(driver: webdriver.Chrome) -> float:
    """Return the memory of the browser's renderers in MB."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines())
        except OSError:
            continue  # the process has ended
        children.setdefault(int(fields["PPid"]), []).append(int(status.parent.name))
    waiting, total = [driver.service.process.pid], 0
    while waiting:
        process = waiting.pop()
        waiting += children.get(process, [])
        try:
            command = Path(f"/proc/{process}/cmdline").read_text()
            if "--type=renderer" in command:
                lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
                total += int(next(line for line in lines if "Pss:" in line).split()[1])
        except OSError:
            continue
    return total / 1024


def memory(driver: webdriver.Chrome, page: Page, reloads: int) -> None:
    """Print the memory after each quarter of many edits."""
    choose(page, EDITED_GAME)
    for done in range(reloads + 1):
        if done % max(1, reloads // 4) == 0:
            driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
            time.sleep(2)
            print(f"memory after {done} edits: {renderer_memory(driver):.0f} MB", flush=True)
        driver.execute_async_script(EDIT)


def main() -> int:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--reloads", type=int, default=800)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, chromium() as driver:
        driver.set_script_timeout(60)
        folder = Path(name)
        write_playground(folder)
        with static_site(folder) as address:
            figures = [*sizes(folder), *loading(driver, address, arguments.repeats)]
            figures += rule_file(driver, address, arguments.repeats)
            page = opened(driver, address)
            figures += edits(driver, page, arguments.repeats)
            print(*(figure.row() for figure in figures), sep="\n", flush=True)
            if arguments.reloads:
                memory(driver, page, arguments.reloads)
    return 0


if __name__ == "__main__":
    sys.exit(main())
