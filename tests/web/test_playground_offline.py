"""The playground without a network, after the page was loaded once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.static_site import static_site
from forthvm.web.playground.static_page import EDITOR, PYODIDE, write_playground
from tests.web.browsing import CSS
from tests.web.exported import needs_core
from tests.web.test_playground import GAME, Playground
from tests.web.test_playground_rule_files import wait_longer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium import webdriver

pytestmark = [
    needs_core,
    pytest.mark.slow,
    pytest.mark.skipif(not EDITOR.exists(), reason="no editor.js: editors/playground makes it"),
]

RULE_FILE = Path(__file__).parents[1] / "zrf" / "games" / "breakthrough.zrf"
COPIED = """
const done = arguments[0], { serviceWorker } = navigator;
const timer = setInterval(() => {
  if (serviceWorker.controller?.state !== "activated") return;
  clearInterval(timer);
  done();
}, 50);
"""
"""Waits until the page works without the server."""
COPIES = "caches.keys().then(arguments[0]);"


@pytest.fixture
def page(driver: webdriver.Chrome) -> Iterator[Playground]:
    yield Playground(driver)
    driver.switch_to.default_content()
    driver.execute_script("localStorage.clear()")
    driver.get("about:blank")
    driver.get_log("browser")  # failures of the network


@pytest.fixture
def offline_page(page: Playground, tmp_path: Path) -> Playground:
    """The page after its server has stopped."""
    write_playground(tmp_path)
    with static_site(tmp_path) as address:
        page.driver.get(address)
        page.wait_until_loaded()
        page.driver.execute_async_script(COPIED)
    return page


def test_a_game_is_changed_and_played(offline_page: Playground) -> None:
    page = offline_page
    page.board()
    assert page.squares() == 9
    page.leave_board()
    page.replace(GAME.format(board="4 4", more=""))
    page.board()
    page.wait(lambda: page.squares() == 16)
    page.find("#seats optgroup option[value='level:3']").click()
    page.wait_for_ply(1)


def test_the_page_is_loaded_again(offline_page: Playground) -> None:
    page = offline_page
    page.open()
    page.find("#examples option[value='chess']").click()
    page.board()
    page.wait(lambda: page.squares() == 64)


@pytest.mark.skipif(not PYODIDE.exists(), reason="no Pyodide: editors/playground copies it")
def test_a_rule_file_is_opened(offline_page: Playground) -> None:
    page = offline_page
    page.driver.find_element(CSS, "#open-files").send_keys(str(RULE_FILE))
    wait_longer(page, lambda: page.find("#problem").text == "")
    page.board()
    wait_longer(page, lambda: page.squares() == 64)
    page.cell("a2").find_element(CSS, "polygon").click()
    page.cell("a3").find_element(CSS, "polygon").click()
    page.wait_for_ply(1)


def test_a_new_version_replaces_the_copy(page: Playground, tmp_path: Path) -> None:
    write_playground(tmp_path)
    with static_site(tmp_path) as address:
        page.driver.get(address)
        page.driver.execute_async_script(COPIED)
        before = page.driver.execute_async_script(COPIES)
        script = tmp_path / "service-worker.js"
        text = script.read_text("utf-8")
        script.write_text(text.replace(before[0].split()[1], "another"), encoding="utf-8")
        page.driver.refresh()
        page.wait(lambda: page.driver.execute_async_script(COPIES) == [f"{address} another"])
    assert before != [f"{address} another"]
