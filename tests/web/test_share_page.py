"""Sharing on the page: pictures and replays are downloaded, links and texts copied and opened."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm.web.table.table import Table
from tests.web.browsing import Browser, Show

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


def paste(browser: Browser, text: str, selector: str = "body") -> None:
    """Paste a text, as Ctrl-V does where an element has the focus."""
    browser.driver.execute_script(
        """const data = new DataTransfer();
        data.setData("text/plain", arguments[1]);
        const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
        document.querySelector(arguments[0]).dispatchEvent(event);""",
        selector,
        text,
    )


def test_texts_are_copied_and_opened(show: Show) -> None:
    browser = show(Table(forthvm.load("chess")))
    table = browser.table
    browser.play(table.position.parse("e4"))
    browser.find("#share summary").click()
    field, game = browser.find("#share-field"), browser.find("#share-game")
    assert browser.find("#share-position").text.endswith("(FEN)")
    assert game.text.endswith("(PGN)")
    game.click()
    browser.wait(lambda: "1. e4 *" in str(field.get_property("value")))
    browser.find("#share-position").click()
    browser.wait(lambda: field.get_property("value") == table.position.to_fen())

    field.clear()
    field.send_keys("1. d4 d5 2. c4")
    browser.find("#share-open").click()
    browser.answer("no")
    assert table.position.ply == 1
    browser.find("#share-open").click()
    browser.answer("yes")
    browser.wait_for_ply(3)
    browser.wait_until_shown()

    field.clear()
    field.send_keys("1. d4 d5 2. c5")
    browser.find("#share-open").click()
    browser.wait(lambda: "column 13" in browser.find("#message").text)
    assert table.position.ply == 3


def test_text_is_pasted_on_the_page(show: Show, tmp_path: Path) -> None:
    browser = show(Table(forthvm.load("chess")))
    table = browser.table
    paste(browser, "1. d4 d5 1/2-1/2 1. e4 *", "#board")
    browser.answer("yes")
    browser.wait_for_ply(2)
    browser.wait(lambda: "first" in browser.find("#message").text)
    paste(browser, "1. e4", "#typed")
    paste(browser, "1. e5")
    browser.wait(lambda: "column 4" in browser.find("#message").text)
    assert table.position.ply == 2

    browser.find("#history button").click()  # an earlier position is on the board
    browser.wait(lambda: browser.shown_node() != table.tree.played.number)
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    paste(browser, fen)
    browser.answer("yes")
    browser.wait(lambda: table.position.to_fen() == fen)
    browser.wait_until_shown()

    (tmp_path / "one.pgn").write_text("1. Nf3 Nf6 2. g3")
    browser.drop(tmp_path / "one.pgn")
    browser.answer("yes")
    browser.wait_for_ply(3)


def test_a_guest_copies_and_does_not_open(show: Show) -> None:
    table = Table(forthvm.load("shogi"), persons=("Black",), guests=("White",))
    browser = show(table)
    address = browser.driver.current_url
    browser.driver.get(address.replace(table.seats.owner_key, table.seats["White"].key))
    browser.wait(lambda: browser.find("#title").text)
    browser.find("#share summary").click()
    assert not browser.find("#share-open").is_displayed()
    browser.find("#share-position").click()
    field = browser.find("#share-field")
    browser.wait(lambda: field.get_property("value") == table.position.to_fen())
    paste(browser, "1. Sf4")
    browser.wait(lambda: "owner" in browser.find("#message").text)


def test_games_without_texts_have_no_buttons_for_them(show: Show) -> None:
    browser = show(Table(forthvm.load("yonin-shogi")))
    browser.find("#share summary").click()
    assert browser.find("#share-link").is_displayed()
    for form in ("position", "game"):
        assert not browser.find(f"#share-{form}").is_displayed()
