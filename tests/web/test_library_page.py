"""The page of a library in a browser: cards, search, keyboard, opening a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forthvm.core.failure import ForthVMError
from forthvm.library.cache import Cache
from forthvm.library.entry import Entry
from forthvm.library.scan import Scan
from forthvm.web.library.server import LibraryServer
from tests.library.games import HEAPS, RULES
from tests.web.browsing import CSS, Page, serving

pytest.importorskip("selenium")
from selenium.webdriver.support.select import Select

if TYPE_CHECKING:
    from selenium import webdriver

pytestmark = pytest.mark.slow


@pytest.fixture
def library(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Page]:
    games = tmp_path / "games"
    games.mkdir()
    (games / "drops.zrf").write_text(RULES)
    (games / "cut.zrf").write_text(RULES[:120])
    for at in range(70):
        (games / f"heaps-{at:02}.4th").write_text(HEAPS)
    cache = Cache(tmp_path / "cache")
    list(Scan(cache, processes=1).entries([games]))
    scan = Scan(cache)
    server = LibraryServer(scan, scan.entries([games]), cache, open_entry=_opened)
    with serving(server, 0) as address:
        driver.get(f"{address}?key={server.key}")
        page = Page(driver)
        page.wait(lambda: titles(page))
        yield page
    errors = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert not [error for error in errors if "WebSocket" not in error["message"]]


def _opened(entry: Entry, again: bool) -> str:
    if entry.title == "heaps-01":
        raise ForthVMError("no table is free")
    return f"about:blank#{entry.title}"


def titles(page: Page) -> list[str]:
    script = "return [...document.querySelectorAll('.card h2')].map((one) => one.textContent)"
    found: list[str] = page.driver.execute_script(script)
    return found


def test_cards_search_and_more(library: Page) -> None:
    library.wait(lambda: library.find("#count").text == "72 of 72 files")
    assert len(titles(library)) == 60
    library.find("#more").click()
    library.wait(lambda: len(titles(library)) == 72)
    assert not library.find("#more").is_displayed()
    library.find("[name=text]").send_keys("drops")
    library.wait(lambda: titles(library) == ["Drops", "Drops"])
    assert library.find(".card.fails .reason").text.startswith("Cannot be loaded: line ")
    Select(library.find("[name=loads]")).select_by_value("true")
    library.wait(lambda: titles(library) == ["Drops"])
    library.wait(lambda: library.driver.find_elements(CSS, ".card img[src^='data:image/svg']"))
    assert "Ada Lovelace" in library.find(".card .note").text


def test_play_opens_the_address_of_the_table(library: Page) -> None:
    library.find("[name=text]").send_keys("two heaps")
    library.wait(lambda: "Drops" not in titles(library))
    count = library.find("#count").text
    library.find('[aria-label="Play heaps-01"]').click()
    library.wait(lambda: "no table is free" in library.find("#message").text)
    library.wait(lambda: library.find("#count").text == count)
    library.find('[aria-label="Play heaps-00"]').click()
    library.wait(lambda: library.driver.current_url == "about:blank#heaps-00")


@pytest.mark.parametrize("width", [390, 1200])
def test_page_is_as_wide_as_its_window(library: Page, width: int) -> None:
    library.emulate(width)
    assert library.driver.execute_script("return document.documentElement.scrollWidth") <= width
