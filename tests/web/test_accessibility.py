"""The page is usable with assistive technology: axe-core finds no violation of WCAG 2.2 AA.

axe-core is an npm package; without npm the tests are skipped.
"""

from __future__ import annotations

import random
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

import forthvm
from forthvm.cli import main
from forthvm.web.library.server import LibraryServer
from forthvm.web.table.table import Table
from tests.autoplay.results import write_random_match
from tests.kit.processes import output_of
from tests.kit.random_games import push_random_moves
from tests.library.games import RULES
from tests.web.browsing import Page, Show, serving
from tests.web.test_library_server import library_in

if TYPE_CHECKING:
    from selenium import webdriver

AXE = "axe-core@4.11.1"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
const [tags, done] = arguments;
axe.run(document, {runOnly: {type: "tag", values: tags}}).then((result) => done(
    result.violations.map(({id, help, nodes}) =>
        [id, help, ...nodes.map(({html, failureSummary}) => html + failureSummary)])
));
"""

HEXAGONS = """
(game (title "Hex") (players Red Blue) (turn-order Red Blue)
    (board (positions (a2 0 0 40 44) (b2 40 0 80 44) (a1 20 34 60 78) (b1 60 34 100 78))
        (links e (a2 b2) (a1 b1)))
    (board-setup (Red (Stone off 9)) (Blue (Stone off 9999)))
    (piece (name Stone) (drops ((verify empty?) add))))
"""
PICTURES = r"""
(game (title "Pictured") (players White Black) (turn-order White Black)
    (board (image "board.bmp")
        (grid (start-rectangle 0 0 40 40) (dimensions ("a/b" (40 0)) ("2/1" (0 40)))
            (directions (n 0 -1))))
    (board-setup (White (Man a1 b1)) (Black (Man a2)))
    (piece (name Man) (image White "white.bmp" Black "black.bmp") (moves ((n add)))))
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is absent")
    folder = tmp_path_factory.mktemp("axe")
    output_of(npm, "install", "--silent", "--no-save", "--prefix", folder, AXE, timeout=120)
    return Path(folder, "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def table_after(name: str, plies: int) -> Table:
    """Return a table of a game after some random moves."""
    position = push_random_moves(forthvm.load(name).start(), plies, random.Random(2))
    return Table(position.game, position=position)


def check(browser: Page, axe: str) -> None:
    browser.driver.execute_script(axe)
    violations = browser.driver.execute_async_script(RUN, TAGS)
    assert not violations, "\n\n".join("\n".join(one) for one in violations)


@pytest.mark.parametrize("rules", [HEXAGONS, PICTURES], ids=["hexagons", "pictures"])
def test_rule_files(show: Show, axe: str, tmp_path: Path, rules: str) -> None:
    """Hexagons with stores, one of them unlimited; pictures of the board and of the pieces."""
    for name, colour in (("board", "tan"), ("white", "white"), ("black", "black")):
        Image.new("RGB", (80, 80), colour).save(tmp_path / f"{name}.bmp")
    path = tmp_path / "rules.zrf"
    path.write_text(rules, encoding="utf-8")
    browser = show(table_after(str(path), 1))
    for width, scheme in ((320, "light"), (1280, "dark")):
        browser.emulate(width, scheme)
        check(browser, axe)


@pytest.mark.parametrize("name", ["chess", "yonin-shogi", "ur", "splut", "rithmomachia"])
def test_the_page(show: Show, axe: str, name: str) -> None:
    """Widths change the layout and schemes the colours, so two of four combinations suffice."""
    browser = show(table_after(name, 12))
    for width, scheme in ((320, "dark"), (1280, "light")):
        browser.emulate(width, scheme)
        for panel in ("analysis", "rules", "settings", "game"):
            browser.find(f"#tab-{panel}").click()
            check(browser, axe)


def test_a_move_under_construction(show: Show, axe: str) -> None:
    browser = show(table_after("chess", 4))
    browser.click(next(iter(browser.table.position.gestures().children)))
    check(browser, axe)


@pytest.mark.parametrize("width", [320, 1280])
def test_studying(show: Show, axe: str, width: int) -> None:
    """Lines of the engine, threats, a variation with a comment, and the code of a square."""
    table = table_after("chess", 12)
    tree = table.tree
    tree.comment(tree.add_texts(0, [tree.position_at(tree.root).legal_moves[0].text]).number, "why")
    browser = show(table)
    browser.emulate(width)
    check(browser, axe)
    browser.find("#tab-analysis").click()
    for button, answer in (
        ("#engine-switch", ".lines li"),
        ("#threats-switch", ".threats li"),
        ("#code summary", "#code[open]"),
        ("#code-ask", "#words h2"),
    ):
        browser.find(button).click()
        browser.wait(lambda answer=answer: browser.driver.find_elements("css selector", answer))
    check(browser, axe)


def test_dialogs(show: Show, axe: str) -> None:
    browser = show(table_after("chess", 4))
    for button in ("#help", "#new"):
        browser.find(button).click()
        check(browser, axe)
        browser.press("\ue00c")


@pytest.mark.parametrize("width", [320, 1280])
def test_a_report(show: Show, axe: str, tmp_path: Path, width: int) -> None:
    results, page = tmp_path / "results.db", tmp_path / "report.html"
    write_random_match(results, "tictactoe")
    main(["report", str(results), "--html", str(page)])
    browser = show(table_after("tictactoe", 0))  # a window
    browser.emulate(width)
    browser.driver.get(page.as_uri())
    browser.wait(lambda: browser.driver.find_elements("css selector", "table"))
    check(browser, axe)


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_the_library(
    driver: webdriver.Chrome, axe: str, tmp_path: Path, width: int, scheme: str
) -> None:
    """Cards of files that load and that do not, the folders, and the texts of a game."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "drops.zrf").write_text(RULES)
    (games / "cut.zrf").write_text(RULES[:120])
    with zipfile.ZipFile(games / "old.zip", "w") as packed:
        packed.writestr("two.zrf", RULES)
    server = LibraryServer(library_in(tmp_path, games), open_entry=lambda *_: "")
    with serving(server, 0) as address:
        driver.get(f"{address}?key={server.key}")
        browser = Page(driver)
        browser.emulate(width, scheme)
        browser.wait(lambda: browser.find("#count").text == "3 of 3 files")
        browser.find("#folders summary").click()
        browser.find("#add-folder input").send_keys(f"{games}\n")
        browser.wait(lambda: driver.find_elements("css selector", "#folder-list li"))
        check(browser, axe)
        driver.find_element("css selector", "[aria-label='About Drops']").click()
        browser.wait(lambda: browser.find("#about").get_property("open"))
        check(browser, axe)
