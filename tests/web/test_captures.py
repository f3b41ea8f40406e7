"""The captured pieces in the bars of the players."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.game import Click
from forthvm.web.table.table import Table
from forthvm.web.table.variations import Variations
from tests.web.browsing import CSS, Browser, Show

MOVES = ("e2e4", "d7d5", "e4d5", "d8d5")

pytestmark = pytest.mark.slow


def captured(browser: Browser, player: str) -> str:
    bar = browser.find(f'[data-player="{player}"] .captured')
    return bar.get_attribute("aria-label") or ""


@pytest.mark.parametrize("width", [390, 1200])
def test_captured_pieces_are_shown_and_bars_keep_their_height(show: Show, width: int) -> None:
    browser = show(Table(forthvm.load("chess")))
    browser.emulate(width)
    board = browser.find("#board").rect
    assert captured(browser, "White") == "Nothing captured"
    for ply, squares in enumerate(MOVES):
        for square in (squares[:2], squares[2:]):
            browser.click(Click("square", square))
        browser.wait_for_ply(ply + 1)
    browser.wait_until_shown()
    assert captured(browser, "White") == "Captured: pawn 1"
    assert captured(browser, "Black") == "Captured: pawn 1"
    assert len(browser.driver.find_elements(CSS, ".captured .icon")) == 2
    assert browser.find("#board").rect == board
    browser.find("#history .move").click()
    browser.wait(lambda: captured(browser, "White") == "Nothing captured")


def test_games_of_drops_count_the_pieces_on_the_board(show: Show) -> None:
    browser = show(Table(forthvm.load("reversi")))
    assert captured(browser, "Black") == "Pieces on the board: 2"
    browser.click(Click("square", "c4"))
    browser.wait_for_ply(1)
    browser.wait(lambda: captured(browser, "Black") == "Pieces on the board: 4")
    assert captured(browser, "White") == "Pieces on the board: 1"


def test_games_with_hidden_pieces_count_nothing(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough", settings={"OnShow": "~pawn"})))
    assert not browser.driver.find_elements(CSS, ".captured")


def test_after_a_set_up_only_pieces_of_its_start_can_be_captured(show: Show) -> None:
    table = Table(forthvm.load("chess"))
    browser = show(table)
    pieces = [("White", "king", "e1"), ("White", "queen", "d1"), ("Black", "king", "e8")]
    position = table.game.start(setup=[*pieces, ("Black", "pawn", "d7")])
    table.set_up(Variations(position), analyse=False)
    browser.driver.refresh()
    browser.wait_until_shown()
    assert captured(browser, "White") == captured(browser, "Black") == "Nothing captured"
    for square in ("d1", "d7"):
        browser.click(Click("square", square))
    browser.wait_for_ply(1)
    browser.wait(lambda: captured(browser, "White") == "Captured: pawn 1")
