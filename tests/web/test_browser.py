"""The page in a real browser: clicks, drags, moves taken back, stores, names with markup.

Games up to their end by clicks and by keys are in test_whole_games.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.game import Click
from forthvm.web.table.table import Table
from tests.kit.games import load_text, script_of
from tests.web.browsing import CSS, Show, random_moves

ESCAPE = "\ue00c"


@pytest.mark.slow
def test_a_game_by_clicks(show: Show) -> None:
    browser = show(Table(forthvm.load("tictactoe")))
    random_moves(browser, 9)
    result = browser.table.position.result
    assert result is not None
    assert browser.find("#status").text == str(result)


@pytest.mark.slow
def test_a_move_by_dragging(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    actions = browser.actions()
    actions.drag_and_drop(browser.cell("a2"), browser.cell("a3")).perform()
    browser.wait_for_ply(1)
    assert browser.table.position.history[0].text == "pawn a2 - a3"


@pytest.mark.slow
def test_take_back_and_again(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    random_moves(browser, 2)
    browser.find("#undo").click()
    browser.wait_for_ply(1)
    browser.find("#redo").click()
    browser.wait_for_ply(2)


@pytest.mark.slow
def test_escape_cancels_clicks(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    browser.click(Click("square", "a2"))
    assert browser.driver.find_elements(CSS, ".clicked")
    browser.find("body").send_keys(ESCAPE)
    assert not browser.driver.find_elements(CSS, ".clicked")


@pytest.mark.slow
def test_stores_are_shown(show: Show, tmp_path: Path) -> None:
    browser = show(
        Table(
            load_text(
                tmp_path,
                """(game (title "Drops") (players Red Blue) (turn-order Red Blue)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
        (board-setup (Red (Stone off 2)) (Blue (Stone off 1)))
        (piece (name Stone) (drops ((verify empty?) add))))""",
                name="drops.zrf",
            )
        )
    )

    def stored() -> str | None:
        return browser.find('[data-player="Red"] .store [aria-label]').get_attribute("aria-label")

    assert stored() == "Stone, 2 in store"
    browser.click(Click("square", "b"))
    browser.wait_for_ply(1)
    browser.wait(lambda: stored() == "Stone, 1 in store")


@pytest.mark.slow
def test_names_are_not_markup(show: Show, tmp_path: Path) -> None:
    evil = "<img/src=x/onerror=document.title='caught'>"
    browser = show(Table(load_text(tmp_path, script_of("tictactoe").replace("mark", evil))))
    random_moves(browser, 3)
    assert "caught" not in browser.driver.title
    assert not browser.driver.find_elements(CSS, "img[src=x]")


@pytest.mark.slow
def test_the_board_stays_while_buttons_disappear(show: Show) -> None:
    """Each piece that can be dropped has a button until a piece on the board was clicked."""
    browser = show(Table(forthvm.load("rithmomachia-2")))
    before = browser.find("#board").rect
    assert browser.button("White R2")
    browser.click(Click("square", "j5"))
    assert not browser.driver.find_elements(CSS, "#choices button")
    assert browser.find("#board").rect == before


@pytest.mark.slow
def test_the_board_stays_while_the_done_button_gets_longer(show: Show) -> None:
    table = Table(forthvm.load("thud-choice"))
    quiet = "dwarf a7 - f2, troll h7 - i6, dwarf o9 - h2, troll i6 - h5, dwarf o10 - g2"
    for text in [*quiet.split(", "), "troll h5 - h4", "dwarf b11 - f11"]:
        table.tree.play(table.position.parse(text))
    browser = show(table)
    before = browser.find("#board").rect
    for square in ["h4", "g3", "h2", "g2"]:
        browser.click(Click("square", square))
        assert browser.find("#board").rect == before
    done = browser.find("#choices .primary")
    assert done.text == done.get_attribute("title") == "Done: troll h4 - g3 x h2 x g2"
    browser.emulate(360)
    # On a narrow page the size of the board does not depend on the buttons: they show all text.
    fits = "return arguments[0].scrollWidth <= arguments[0].clientWidth"
    assert browser.driver.execute_script(fits, done)
