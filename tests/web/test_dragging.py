"""Dragging pieces: where they may be dropped is marked."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.web.table.table import Table
from tests.web.browsing import CSS, Browser, Show

ESCAPE = "\ue00c"

pytestmark = pytest.mark.slow


@pytest.fixture
def chess(show: Show) -> Browser:
    return show(Table(forthvm.load("chess")))


def is_marked(browser: Browser, square: str) -> bool:
    """Return whether a square, and no other one, is marked for a dragged piece."""
    centres = """return [...document.querySelectorAll(".mark.drop, " + arguments[0])].map((one) => {
        const box = one.getBoundingClientRect();
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    });"""
    found = browser.driver.execute_script(centres, f'[data-square="{square}"] .square')
    assert len(found) <= 2, found
    assert len(found) != 2 or found[0] == found[1], found
    return len(found) == 2


def test_a_square_is_marked_while_a_piece_is_above_it(chess: Browser) -> None:
    actions = chess.actions()
    actions.click_and_hold(chess.cell("e2")).move_to_element(chess.cell("e4")).perform()
    assert is_marked(chess, "e4")
    actions.move_to_element(chess.cell("e5")).perform()
    assert not chess.driver.find_elements(CSS, ".mark.drop"), "the pawn cannot go there"
    actions.move_to_element(chess.cell("e3")).perform()
    assert is_marked(chess, "e3")
    actions.release().perform()
    chess.wait_for_ply(1)
    assert not chess.driver.find_elements(CSS, ".mark.drop")


def test_a_cancelled_drag_leaves_no_mark(chess: Browser) -> None:
    chess.actions().click_and_hold(chess.cell("e2")).move_to_element(chess.cell("e4")).perform()
    chess.press(ESCAPE)
    assert not chess.driver.find_elements(CSS, ".mark.drop")
    chess.actions().release().perform()
    assert chess.table.position.ply == 0


def test_a_square_under_a_finger_is_marked(chess: Browser) -> None:
    chess.emulate(390, "dark")
    chess.touch("touchStart", "g8")
    chess.touch("touchMove", "f6")
    assert not chess.driver.find_elements(CSS, ".mark.drop"), "it is the other's turn"
    chess.touch("touchEnd")
    chess.touch("touchStart", "g1")
    chess.touch("touchMove", "f3")
    chess.wait(lambda: is_marked(chess, "f3"))  # the browser passes touches on with the next frame
    chess.touch("touchEnd")
    chess.wait_for_ply(1)
