"""The page of a library in a browser: cards, search, keyboard, opening a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forthvm.core.failure import ForthVMError
from forthvm.library.cache import Cache
from forthvm.library.dropped import DroppedFiles
from forthvm.library.entry import Entry
from forthvm.library.folders import LibraryFolders
from forthvm.library.scan import Scan
from forthvm.library.user_library import UserLibrary
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
    folders, dropped = LibraryFolders(tmp_path / "folders.json"), DroppedFiles(tmp_path / "dropped")
    server = LibraryServer(UserLibrary(cache, folders, dropped, (games,)), open_entry=_opened)
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


def test_texts_are_shown_in_a_dialog(library: Page) -> None:
    library.find("[name=text]").send_keys("drops.zrf")
    library.wait(lambda: titles(library) == ["Drops"])
    library.find('[aria-label="About Drops"]').click()
    library.wait(lambda: library.find("#about").get_property("open"))
    assert "Put a man on each square." in library.find("#about-text").text
    assert "drops.zrf" in library.find("#about-text .note").text
    library.find("#about button").click()
    library.wait(lambda: not library.find("#about").get_property("open"))


def test_boards_are_filtered(library: Page) -> None:
    Select(library.find("[name=board]")).select_by_value("oblong")
    library.wait(lambda: titles(library) == ["Drops"])


def test_play_opens_the_address_of_the_table(library: Page) -> None:
    library.find("[name=text]").send_keys("two heaps")
    library.wait(lambda: "Drops" not in titles(library))
    count = library.find("#count").text
    library.find('[aria-label="Play heaps-01"]').click()
    library.wait(lambda: "no table is free" in library.find("#message").text)
    library.wait(lambda: library.find("#count").text == count)
    library.find('[aria-label="Play heaps-00"]').click()
    library.wait(lambda: library.driver.current_url == "about:blank#heaps-00")


def test_dropped_folder_is_opened(library: Page, tmp_path: Path) -> None:
    folder = tmp_path / "my \U0001f3b2 'games'"
    (folder / "Rules").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "other.zrf").write_text(RULES)
    (folder / "Rules" / "new.zrf").write_text(RULES.replace('"Drops"', '"Dropped"'))
    for at in range(150):  # the browser lists 100 files at a time
        (folder / f"{at}.txt").touch()
    library.drop(folder)
    library.wait(lambda: library.driver.current_url == "about:blank#Dropped")
    (stored,) = (tmp_path / "dropped").iterdir()
    assert len(list((stored / folder.name).rglob("*.*"))) == 151


def test_dropped_files_are_listed_first(library: Page, tmp_path: Path) -> None:
    (tmp_path / "b.zrf").write_text(RULES.replace('"Drops"', '"Zebras"'))
    (tmp_path / "a.zrf").write_text(RULES[:120].replace('"Drops"', '"Yaks"'))
    library.find("[name=text]").send_keys("drops")
    library.wait(lambda: titles(library) == ["Drops", "Drops"])
    library.find("#file").send_keys(f"{tmp_path / 'a.zrf'}\n{tmp_path / 'b.zrf'}")
    library.wait(lambda: library.driver.current_url == "about:blank#Zebras")


def test_dropped_files_that_cannot_be_opened(library: Page, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    (tmp_path / "bad.zrf").write_text(RULES[:120].replace('"Drops"', '"Yaks"'))
    library.drop(tmp_path / "letter.txt")
    library.wait(lambda: "nothing in it" in library.find("#message").text)
    library.drop(tmp_path / "bad.zrf")
    library.wait(lambda: "line " in library.find("#message").text)
    library.wait(lambda: titles(library)[0] == "Yaks")
    assert "line " in library.find(".card .reason").text


def test_folders_are_added_and_forgotten(library: Page, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "new.zrf").write_text(RULES.replace('"Drops"', '"Added"'))
    library.find("#folders summary").click()
    library.find("#add-folder input").send_keys(f"{tmp_path / 'gone'}\n")
    library.wait(lambda: "cannot be read" in library.find("#message").text)
    library.find("#add-folder input").clear()
    library.find("#add-folder input").send_keys(f"{folder}\n")
    library.wait(lambda: "Added" in titles(library))
    assert not library.find("#message").text
    library.find(f'[aria-label="Forget {folder}"]').click()
    library.wait(lambda: "Added" not in titles(library))
    assert not library.driver.find_elements(CSS, "#folder-list li")


@pytest.mark.parametrize("width", [390, 1200])
def test_page_is_as_wide_as_its_window(library: Page, width: int) -> None:
    library.emulate(width)
    assert library.driver.execute_script("return document.documentElement.scrollWidth") <= width
