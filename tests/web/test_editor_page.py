"""Setting up positions on the page: by mouse, by touch and by the keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

import forthvm
from forthvm.web.table.table import Table
from tests.kit.games import load_text, play
from tests.web.browsing import CSS, Browser, Show, served
from tests.web.test_accessibility import axe, check
from tests.web.test_editable import RULES

if TYPE_CHECKING:
    from selenium import webdriver

__all__ = ["axe"]  # a fixture

ENTER, TAB, ESCAPE, DELETE = "\ue007", "\ue004", "\ue00c", "\ue017"
LEFT, RIGHT, DOWN = "\ue012", "\ue014", "\ue015"

pytestmark = pytest.mark.slow


def edit(browser: Browser) -> Browser:
    """Open the editor."""
    browser.find("#edit").click()
    browser.wait(lambda: browser.driver.find_elements(CSS, ".palette"))
    return browser


@pytest.fixture
def chess(show: Show) -> Browser:
    """The editor after two moves."""
    game = forthvm.load("chess")
    table = Table(game, position=play(game.start(), "e2e4", "e7e5"))
    return edit(show(table))


def offered(browser: Browser, piece: str) -> webdriver.remote.webelement.WebElement:
    """Return the button of a piece in a palette."""
    return browser.find(f'.palette [title="{piece}"]')


def shown(browser: Browser) -> dict[str, str]:
    """Return the pieces on the squares, by what screen readers say."""
    script = """return [...document.querySelectorAll("[role=gridcell]")].map(
        (cell) => cell.getAttribute("aria-label").split(", "))"""
    cells = browser.driver.execute_script(script)
    return {words[0]: words[1] for words in cells if len(words) > 1 and words[1][0].isupper()}


def drop(browser: Browser, *path: webdriver.remote.webelement.WebElement) -> None:
    """Drag with the mouse from the first element to the last one."""
    actions = browser.actions().click_and_hold(path[0])
    for element in path[1:]:
        actions.move_to_element(element)
    actions.release().perform()


def pieces_of(table: Table) -> dict[str, str]:
    board = table.position.board
    return {name: str(piece) for name, piece in board.occupied() if piece.type != "mark"}


def test_a_game_by_mouse(chess: Browser) -> None:
    """Begins with the position shown; pieces are placed, replaced, moved and removed."""
    table, before = chess.table, chess.table.position.copy()
    assert shown(chess) == pieces_of(table)
    drop(chess, chess.cell("e4"), chess.cell("e5"), chess.cell("e6"))
    assert shown(chess)["e6"] == "White pawn"
    assert "e4" not in shown(chess)
    chess.find("#setup-clear").click()
    assert not shown(chess)
    offered(chess, "White king").click()
    chess.cell("e1").click()
    drop(chess, offered(chess, "Black king"), chess.cell("e5"), chess.cell("e8"))
    offered(chess, "White rook").click()
    for square in ("a1", "h1", "h2", "h3", "h4", "d8"):
        chess.cell(square).click()
    chess.cell("h4").click()  # the same piece again removes it
    chess.actions().context_click(chess.cell("h3")).perform()
    offered(chess, "Eraser").click()
    chess.cell("h2").click()
    drop(chess, chess.cell("d8"), chess.cell("d5"), chess.find("#panel-game h2"))
    chess.press(ESCAPE)
    chess.cell("a1").click()  # nothing is chosen: the piece moves
    chess.cell("a7").click()
    expected = {"e1": "White king", "e8": "Black king", "a7": "White rook", "h1": "White rook"}
    assert shown(chess) == expected
    assert table.position == before, "the game is not disturbed"
    fields = chess.driver.find_elements(CSS, "#setup-fields :is(select, input)")
    fields[0].clear()
    fields[0].send_keys("12")
    fields[1].find_element(CSS, "option[value='1']").click()
    chess.find("#setup-turn option[value='1']").click()
    chess.find("#setup-game").click()
    chess.wait(lambda: not chess.driver.find_elements(CSS, ".palette"))
    assert (pieces_of(table), table.position.turn) == (expected, "Black")
    assert table.position.variables["clock"] == 12
    assert str(table.position.board["white-O-O"]) == "White mark"
    chess.play(table.position.legal_moves[0])


def test_a_piece_that_was_chosen_by_key_can_be_dragged(chess: Browser) -> None:
    drop(chess, chess.cell("a2"), chess.cell("a3"))
    chess.cell("g7").click()
    chess.cell("g7").click()  # its square is the one that Tab reaches
    chess.driver.execute_script("arguments[0].focus()", chess.cell("g7"))
    chess.press(RIGHT, ENTER)
    drop(chess, chess.cell("h7"), chess.cell("h5"))
    assert {"a3": "White pawn", "h5": "Black pawn"}.items() <= shown(chess).items()
    assert not {"a2", "h7"} & shown(chess).keys()


def test_by_keyboard(chess: Browser) -> None:
    chess.find("#setup-clear").click()
    chess.driver.execute_script("arguments[0].focus()", offered(chess, "Black pawn"))
    chess.press(RIGHT, RIGHT, ENTER)
    chess.press(TAB)  # the board, on which a8 is reached first
    chess.press(RIGHT, DOWN, ENTER, RIGHT, ENTER, RIGHT, ENTER)
    assert shown(chess) == dict.fromkeys(("b7", "c7", "d7"), "Black bishop")
    chess.press(DELETE)
    chess.press(ESCAPE, LEFT, ENTER, DOWN, ENTER)
    assert shown(chess) == dict.fromkeys(("b7", "c6"), "Black bishop")
    chess.find("body").send_keys(LEFT)  # goes through the moves at other times
    assert chess.driver.find_elements(CSS, ".palette")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_by_touch(chess: Browser, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
    chess.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chess.touch_drag("e4", "d6")
    chess.wait(lambda: shown(chess).get("d6") == "White pawn")
    button = offered(chess, "White queen").rect
    finger = {"x": button["x"] + button["width"] / 2, "y": button["y"] + button["height"] / 2}
    event = {"type": "touchStart", "touchPoints": [finger]}
    chess.driver.execute_cdp_cmd("Input.dispatchTouchEvent", event)
    chess.touch("touchMove", "e2" if height > width else "h3")  # up, or to the left
    chess.touch("touchMove", "e3")
    chess.touch("touchEnd")
    chess.wait(lambda: shown(chess).get("e3") == "White queen")
    chess.touch("touchStart", "h5")
    chess.touch("touchEnd")
    chess.wait(lambda: shown(chess).get("h5") == "White queen")


def test_cancelled(chess: Browser) -> None:
    table, before = chess.table, chess.table.position.copy()
    chess.find("#setup-clear").click()
    chess.find("#setup-cancel").click()
    chess.wait(lambda: not chess.driver.find_elements(CSS, ".palette"))
    assert shown(chess) == pieces_of(table)
    assert table.position == before
    chess.play(table.position.legal_moves[0])


def test_a_refused_position_stays_in_the_editor(chess: Browser) -> None:
    before = chess.table.position.copy()
    chess.find("#setup-clear").click()
    for piece, square in (("White king", "a1"), ("Black king", "c1")):
        drop(chess, offered(chess, piece), chess.cell("d4"), chess.cell(square))
    chess.find("#setup-game").click()
    chess.wait(lambda: "can only be analysed" in chess.find("#message").text)
    assert len(shown(chess)) == 2
    assert chess.table.position == before
    chess.find("#setup-analyse").click()
    chess.wait(lambda: chess.table.ending is not None)


def test_an_analysis(chess: Browser) -> None:
    """Moves at the position are variations, and no game is played."""
    chess.find("#setup-start").click()
    drop(chess, chess.cell("d1"), chess.cell("d3"), chess.cell("d4"))
    chess.find("#setup-analyse").click()
    root = -1

    def is_shown() -> bool:
        nonlocal root
        root = chess.table.tree.root.number
        return chess.shown_node() == root and chess.find("#elsewhere").is_displayed()

    chess.wait(is_shown)
    assert chess.find("#elsewhere-label").text == "Analysis; no game is being played"
    assert chess.find("#tab-analysis").get_attribute("aria-selected") == "true"
    for square in ("d4", "d7"):
        chess.cell(square).click()
    chess.wait(lambda: chess.shown_node() > root)
    assert chess.table.position.ply == 0
    assert chess.table.ending.code == "analysis"


def test_other_windows_see_nothing(chess: Browser) -> None:
    """A move of the other side does not end the editing."""
    chess.find("#setup-clear").click()
    first, address = chess.driver.current_window_handle, chess.driver.current_url
    chess.driver.switch_to.new_window("tab")
    chess.driver.get(address)
    chess.wait(lambda: chess.find("#title").text)
    assert shown(chess) == pieces_of(chess.table)
    chess.play(chess.table.position.legal_moves[0])
    chess.driver.close()
    chess.driver.switch_to.window(first)
    assert not shown(chess)
    assert chess.driver.find_elements(CSS, ".palette")


def test_editing_outlives_a_lost_connection(driver: webdriver.Chrome) -> None:
    table = Table(forthvm.load("chess"))
    with served(table) as address:
        driver.get(address)
        browser = Browser(driver, table)
        browser.wait(lambda: browser.find("#title").text)
        edit(browser).find("#setup-clear").click()
        for piece, square in (("White king", "a1"), ("White pawn", "a2"), ("Black king", "c1")):
            drop(browser, offered(browser, piece), browser.cell("d4"), browser.cell(square))
    offline = browser.find("#offline")
    browser.wait(offline.is_displayed)
    with served(table, urlsplit(address).port or 0):
        browser.wait(lambda: not offline.is_displayed())
        assert shown(browser) == {"a1": "White king", "a2": "White pawn", "c1": "Black king"}
        browser.find("#setup-game").click()
        browser.wait(lambda: pieces_of(table) == shown(browser))


def test_stores_of_a_rule_file(show: Show, tmp_path: Path) -> None:
    table = Table(load_text(tmp_path, RULES))
    browser = edit(show(table))
    field = browser.find("#setup-fields label:first-child input")
    assert field.get_property("value") == "2"
    field.clear()
    field.send_keys("7")
    offered(browser, "Black Stone").click()
    browser.cell("b2").click()
    browser.find("#setup-game").click()
    browser.wait(lambda: table.position.stores["White"] == {"Stone": 7})
    assert str(table.position.board["b2"]) == "Black Stone"


def test_neutral_pieces_and_several_turns(show: Show) -> None:
    table = Table(forthvm.load("splut"))
    browser = edit(show(table))
    turns = [one.text for one in browser.driver.find_elements(CSS, "#setup-turn option")]
    assert turns[0] == "South, turn 1 of 4"
    offered(browser, "Nobody wstone").click()
    browser.cell("e5").click()
    number = next(at for at, turn in enumerate(turns) if turn.startswith("East, turn 2"))
    browser.find(f"#setup-turn option[value='{number}']").click()
    browser.find("#setup-game").click()
    browser.wait(lambda: table.position.turn == "East")
    assert str(table.position.board["e5"]) == "Nobody wstone"


@pytest.mark.parametrize("width", [320, 844, 1280])
@pytest.mark.parametrize("name", ["chess", "splut", "rithmomachia"])
def test_accessibility(show: Show, axe: str, name: str, width: int) -> None:
    browser = show(Table(forthvm.load(name)))
    browser.emulate(width, "dark" if width == 844 else "light")
    edit(browser).find(".palette button").click()
    check(browser, axe)
