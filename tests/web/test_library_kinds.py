"""Every kind of file opens from the page of the library, by the command that users run."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import forthvm
from tests.autoplay.results import write_random_match
from tests.kit.files import write_files
from tests.kit.processes import FORTHVM, start
from tests.library.games import RULES
from tests.systems import ODD_CHARACTERS
from tests.web.browsing import CSS, Page
from tests.web.test_library_page import titles

if TYPE_CHECKING:
    from selenium import webdriver

pytestmark = pytest.mark.slow

ODD = f"na\N{LATIN SMALL LETTER I WITH DIAERESIS}ve 'x' \N{GAME DIE} {'long' * 40}{ODD_CHARACTERS}"


def titled(title: str) -> str:
    return RULES.replace('"Drops"', f'"{title}"')


@contextmanager
def library_of(driver: webdriver.Chrome, user: Path, *folders: Path) -> Iterator[Page]:
    """Run `forthvm board` for a user, and show its page."""
    names = "XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA", "FORTHVM_CACHE"
    environment = dict.fromkeys(names, str(user)) | {"PYTHONUNBUFFERED": "1"}
    options = [word for folder in folders for word in ("--library", folder)]
    with start(*FORTHVM, "board", "--no-browser", *options, **environment) as process:
        try:
            address = re.search(r"http\S+", process.stdout.readline())
            driver.get(address[0])
            page = Page(driver)
            page.wait(lambda: titles(page) and not page.find("#progress").text)
            yield page
        finally:
            process.terminate()
            process.wait(30)


def wait_for_game(page: Page, title: str) -> None:
    """Wait for the page of a game; its element does not exist on other pages."""
    script = "return document.querySelector('#title')?.textContent ?? ''"
    page.wait(lambda: page.driver.execute_script(script))
    assert page.find("#title").text == title


def press(page: Page, button: str) -> None:
    """Press a button of a card when it is there; a search may replace it at any moment."""
    script = "const found = document.querySelector(arguments[0]); found?.click(); return !!found"
    page.wait(lambda: page.driver.execute_script(script, button))


def named(button: str) -> str:
    return f'[aria-label="{button}"]'


def test_every_kind_opens(driver: webdriver.Chrome, tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    write_files(games, {f"{ODD}.zrf": titled("Odd name"), "drops.zrf": RULES})
    position = forthvm.load(games / "drops.zrf").start()
    position.push(position.legal_moves[0])
    (games / "saved").mkdir()
    (games / "saved" / "drops.zsg").write_bytes(position.to_zsg())
    (games / "one.json").write_text(forthvm.load("breakthrough").start().to_json())
    write_random_match(games / "match.db", "tictactoe")
    with zipfile.ZipFile(games / "old.zip", "w") as packed:
        packed.writestr("Rules/zipped.zrf", titled("Zipped"))
    with library_of(driver, tmp_path / "user", games) as page:
        library = driver.current_url
        for button, shown in (
            ("Play Odd name", "Odd name"),
            ("Open Drops", "Drops"),
            ("Open breakthrough", "Breakthrough"),
            ("Play Zipped", "Zipped"),
        ):
            page.find("[name=text]").send_keys(button.split(" ", 1)[1])
            press(page, named(button))
            wait_for_game(page, shown)
            assert driver.find_elements(CSS, "#board svg")
            driver.get(library)
        page.find("[name=text]").send_keys("match.db")
        page.wait(lambda: len(titles(page)) == 1)
        press(page, "[data-open$=open]")
        page.wait(lambda: driver.find_elements(CSS, "body.report h1"))
        driver.get(library)
        press(page, named("Continue Zipped"))
        wait_for_game(page, "Zipped")


def test_files_that_changed_since_the_scan(driver: webdriver.Chrome, tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for name in ("Changed", "Damaged", "Gone"):
        (games / f"{name}.zrf").write_text(titled(name))
    with library_of(driver, tmp_path / "user", games) as page:
        library = driver.current_url
        write_files(games, {"Changed.zrf": titled("New title"), "Damaged.zrf": RULES[:120]})
        (games / "Gone.zrf").unlink()
        press(page, named("Play Damaged"))
        page.wait(lambda: "Damaged.zrf" in page.find("#message").text)
        press(page, named("Play Gone"))
        page.wait(lambda: "Gone.zrf" in page.find("#message").text)
        press(page, named("Play Changed"))
        wait_for_game(page, "New title")
        driver.get(library)
        page.wait(lambda: "Gone" in titles(page))
        page.find("#folders summary").click()
        page.find("#scan").click()
        page.wait(lambda: "Gone" not in titles(page))
        assert "New title" in titles(page)
        (reason,) = driver.find_elements(CSS, ".card .reason")
        assert "line " in reason.text


def test_folders_that_are_empty_or_gone(driver: webdriver.Chrome, tmp_path: Path) -> None:
    for name in ("empty", "gone"):
        (tmp_path / name).mkdir()
    folders = tmp_path / "empty", tmp_path / "gone"
    with library_of(driver, tmp_path / "user", *folders) as page:
        (tmp_path / "gone").rmdir()
        page.find("#folders summary").click()
        page.find("#scan").click()
        page.wait(lambda: driver.find_elements(CSS, ".card .reason"))
        (reason,) = driver.find_elements(CSS, ".card .reason")
        assert "No such file" in reason.text
