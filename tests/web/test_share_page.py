"""Sharing on the page: pictures and replays are downloaded, links are copied and opened."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm.web.table.table import Table
from tests.web.browsing import Show

pytest.importorskip("selenium")

pytestmark = pytest.mark.slow


def test_files_are_downloaded(show: Show, tmp_path: Path) -> None:
    browser = show(Table(forthvm.load("chess")))
    folder = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
    browser.play(browser.table.position.legal_moves[0])
    browser.find("#share summary").click()
    for form, name in (("svg", ""), ("replay", "-replay")):
        browser.find(f"#share-{form}").click()
        file = tmp_path / f"chess{name}.svg"
        browser.wait(file.exists)
        assert ElementTree.parse(file).getroot().tag.endswith("svg")
    browser.find("#share-png").click()
    png = tmp_path / "chess.png"
    browser.wait(png.exists)
    data = png.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 1200  # the width
    assert len(set(data)) == 256  # compressed pixels, not one colour


def test_a_link_is_copied_and_opened(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    table, driver = browser.table, browser.driver

    browser.play(table.position.legal_moves[0])
    history = table.position.history
    browser.find("#share summary").click()
    browser.find("#share-link").click()
    field = browser.find("#share-field")
    browser.wait(lambda: field.get_property("value"))
    link, address = str(field.get_property("value")), driver.current_url
    origin = address.partition("?")[0]
    assert link.startswith(f"{origin}#position=")
    browser.wait(lambda: browser.find("#message").text)
    browser.find("#undo").click()
    browser.wait(lambda: table.position.ply == 0)
    browser.find("#share-open").click()
    browser.answer("yes")
    browser.wait(lambda: table.position.ply == 1)
    assert table.position.history == history
    browser.find("#share-field").clear()
    driver.execute_script("location.hash = arguments[0]", link.partition("#")[2])
    browser.answer("no")
    assert driver.current_url == address
    driver.get(f"{address}#{link.partition('#')[2]}".replace("?", "?again&"))
    browser.answer("no")
    assert "#" not in driver.current_url
    assert table.position.ply == 1
