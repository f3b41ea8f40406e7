"""Moves that are planned while it is the other's turn."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.game import Click
from forthvm.web.table.table import Table
from tests.web.browsing import CSS, Browser, Show

ESCAPE = "\ue00c"
SLOW = "negamax:time=600"  # thinks until the button "Move now" ends its search

pytestmark = pytest.mark.slow


@pytest.fixture
def chess(show: Show) -> Browser:
    """A game of chess in which an engine thinks about its first move."""
    browser = show(Table(forthvm.load("chess"), persons=("White",), engine=SLOW))
    click_squares(browser, "e2", "e4")
    browser.wait_for_ply(1)
    browser.wait(lambda: browser.find("#move-now").is_displayed())
    return browser


def click_squares(browser: Browser, *names: str) -> None:
    for name in names:
        browser.click(Click("square", name))


def planned(browser: Browser) -> list[str]:
    cells = browser.driver.find_elements(CSS, '[aria-label*="planned move"]')
    assert len(browser.driver.find_elements(CSS, ".mark.planned")) == len(cells)
    return sorted(cell.get_attribute("data-square") or "" for cell in cells)


def test_a_planned_move_is_made_when_the_turn_comes(chess: Browser) -> None:
    click_squares(chess, "d2", "d4")
    assert planned(chess) == ["d2", "d4"]
    chess.find("#move-now").click()
    chess.wait_for_ply(3)
    assert chess.table.position.history[2].text == "pawn d2 - d4"
    assert planned(chess) == []


def test_a_planned_move_that_is_not_legal_is_forgotten(chess: Browser) -> None:
    click_squares(chess, "e4", "e6")
    assert planned(chess) == ["e4", "e6"]
    chess.find("#move-now").click()
    chess.wait_for_ply(2)
    chess.wait(lambda: chess.find("#status").text == "White to move")
    assert planned(chess) == []
    assert not chess.driver.find_elements(CSS, ".mark.clicked")
    assert chess.table.position.ply == 2


def test_the_first_click_of_a_planned_move_counts_in_the_turn(chess: Browser) -> None:
    click_squares(chess, "d2")
    chess.find("#move-now").click()
    chess.wait_for_ply(2)
    chess.wait(lambda: chess.driver.find_elements(CSS, ".mark.clicked"))
    click_squares(chess, "d3")
    chess.wait_for_ply(3)
    assert chess.table.position.history[2].text == "pawn d2 - d3"


def test_a_planned_move_is_removed(chess: Browser) -> None:
    click_squares(chess, "d2", "d4")
    chess.press(ESCAPE)
    assert planned(chess) == []
    click_squares(chess, "d2", "d4")
    chess.right_drag("a6", "a6")
    assert planned(chess) == []
    assert not chess.driver.find_elements(CSS, ".arrow.own")
    click_squares(chess, "d2", "d4", "a6")
    assert planned(chess) == []
    click_squares(chess, "d2", "d2")
    assert planned(chess) == []
    click_squares(chess, "d2", "d4")
    chess.find("#undo").click()
    chess.wait_for_ply(0)  # the list of moves is drawn before the board
    chess.wait(lambda: chess.find("#status").text == "White to move")
    assert planned(chess) == []


def test_a_move_is_planned_by_a_finger(chess: Browser) -> None:
    chess.emulate(390, "dark")
    chess.touch_drag("g1", "f3")
    assert planned(chess) == ["f3", "g1"]
    chess.find("#move-now").click()
    chess.wait_for_ply(3)
    assert chess.table.position.history[2].text == "knight g1 - f3"


def test_pieces_of_others_are_not_moved(chess: Browser) -> None:
    click_squares(chess, "d7", "d5")
    assert planned(chess) == []


def test_no_moves_are_planned_where_pieces_are_hidden(show: Show) -> None:
    game = forthvm.load("breakthrough", settings={"OnShow": "?pawn"})
    table = Table(game, persons=("White",), engine=SLOW)
    browser = show(table)
    browser.play(table.position.legal_moves[0])
    click_squares(browser, "d2", "d3")
    assert planned(browser) == []
