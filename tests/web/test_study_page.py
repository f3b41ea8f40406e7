"""Studying on the page: variations, comments, engine lines, threats, refused moves, code."""

from __future__ import annotations

import pytest

from forthvm.game import Click
from forthvm.web.table.table import Table
from tests.kit.games import loaded, play
from tests.web.browsing import CSS, Browser, Show

pytestmark = pytest.mark.slow

LEFT, RIGHT, HOME, END = "\ue012", "\ue014", "\ue011", "\ue010"
ENTER = "\ue007"


@pytest.fixture
def browser(show: Show) -> Browser:
    """Breakthrough: pawns on c4 and d5 can take each other, White is to move."""
    position = loaded("breakthrough").start()
    play(position, "c2 c3", "d7 d6", "c3 c4", "d6 d5")
    browser = show(Table(position.game, position=position))
    browser.wait_until_shown()
    return browser


def press(browser: Browser, key: str) -> None:
    browser.find("body").send_keys(key)


def squares(browser: Browser, player: str) -> set[str]:
    cells = browser.driver.find_elements(CSS, "[data-square]")
    names = {cell.get_attribute("data-square"): cell.accessible_name for cell in cells}
    return {square or "" for square, name in names.items() if player in name}


def label(browser: Browser) -> str:
    return browser.find("#elsewhere-label").text


def open_analysis(browser: Browser, button: str) -> None:
    browser.find("#tab-analysis").click()
    browser.wait(lambda: browser.find("#panel-analysis section").is_displayed())
    buttons = browser.driver.find_elements(CSS, "#panel-analysis button")
    next(one for one in buttons if one.text == button).click()


def click_squares(browser: Browser, *names: str) -> None:
    for name in names:
        browser.click(Click("square", name))


def test_another_width_keeps_the_marks_of_the_moves(browser: Browser) -> None:
    browser.emulate(240)  # no room for two columns
    browser.wait(lambda: not browser.driver.find_elements(CSS, "#history.turns"))
    assert browser.shown_ply() == 4
    assert browser.find("#history [aria-current]").text == "Black: d6-d5"


def test_arrow_keys_go_through_the_game(browser: Browser) -> None:
    press(browser, LEFT)
    browser.wait(lambda: label(browser) == "After White: c3-c4")
    assert "d5" not in squares(browser, "Black")
    press(browser, HOME)
    browser.wait(lambda: label(browser) == "The start of the game")
    assert "c2" in squares(browser, "White")
    press(browser, END)
    browser.wait(lambda: not browser.find("#elsewhere").is_displayed())
    assert browser.table.position.ply == 4


def test_tab_reaches_one_move_of_the_list_only(browser: Browser) -> None:
    driver = browser.driver

    def focused() -> str:
        return driver.switch_to.active_element.accessible_name

    driver.execute_script("document.querySelector('#history .move').focus()")
    browser.press(HOME)
    browser.wait(lambda: label(browser) == "The start of the game")
    assert focused() == "White: c2-c3"
    browser.press(ENTER)
    browser.wait(lambda: label(browser) == "After White: c2-c3")
    browser.press(RIGHT)
    browser.wait(lambda: label(browser) == "After Black: d7-d6")
    assert focused() == "Black: d7-d6"
    stops = driver.find_elements(CSS, "#history .move:not([tabindex='-1'])")
    assert [stop.accessible_name for stop in stops] == ["Black: d7-d6"]


def test_a_variation_with_a_comment(browser: Browser) -> None:
    press(browser, HOME)
    browser.wait(lambda: label(browser) == "The start of the game")
    click_squares(browser, "a2", "a3")
    browser.wait(lambda: label(browser) == "After White: a2-a3")
    words = browser.find("#tree-tools textarea")
    words.send_keys("slow <b>move</b>")
    browser.driver.execute_script("arguments[0].blur()", words)
    browser.wait(lambda: browser.driver.find_elements(CSS, "#history .variation .remark"))
    assert browser.find("#history .variation .remark").text == "slow <b>move</b>"
    assert browser.table.position.ply == 4
    browser.find("#live").click()
    browser.wait(lambda: not browser.find("#elsewhere").is_displayed())
    assert "a2" in squares(browser, "White")


def test_the_game_continues_from_a_variation(browser: Browser) -> None:
    press(browser, LEFT)
    browser.wait(lambda: label(browser) == "After White: c3-c4")
    click_squares(browser, "a7", "a6")
    browser.wait(lambda: label(browser) == "After Black: a7-a6")
    buttons = browser.driver.find_elements(CSS, "#tree-tools button")
    next(one for one in buttons if one.text == "Play from here").click()
    browser.wait(lambda: browser.table.position.history[-1].text == "pawn a7 - a6")
    browser.wait(lambda: not browser.find("#elsewhere").is_displayed())


def test_lines_of_the_engine_become_variations(browser: Browser) -> None:
    open_analysis(browser, "Start the engine")
    browser.wait(lambda: len(browser.driver.find_elements(CSS, ".lines li")) == 3)
    assert browser.driver.find_elements(CSS, ".arrow.engine")
    read = "return document.querySelector('.lines .scores').textContent"  # the lines change often
    scores = browser.driver.execute_script(read)
    assert "White" in scores
    assert "Black" in scores
    browser.driver.execute_script("document.querySelector('.lines button').click()")
    browser.wait(lambda: label(browser).startswith("After White: "))
    assert browser.table.position.ply == 4


def test_threats_in_sentences_and_marks(browser: Browser) -> None:
    open_analysis(browser, "Threats")
    browser.wait(lambda: browser.driver.find_elements(CSS, ".threats li"))
    sentences = [item.text for item in browser.driver.find_elements(CSS, ".threats li")]
    assert sentences[:2] == [
        "White takes pawn on d5 by pawn c4 x d5",
        "Black takes pawn on c4 by pawn d5 x c4",
    ]
    assert "White takes pawn on d5" in browser.cell("d5").accessible_name
    assert len(browser.driver.find_elements(CSS, ".arrow.threat, .arrow.danger")) == 2


def test_why_a_click_was_refused(browser: Browser) -> None:
    click_squares(browser, "a1", "a2")
    browser.wait(lambda: "a2" in browser.find("#message").text)
    browser.find("#tab-analysis").click()
    details = browser.find(".refusal details")
    browser.driver.execute_script("arguments[0].open = true", details)
    assert "breakthrough.4th:" in details.text
    assert "verify" in details.text


def test_the_code_of_a_square_and_a_move_word_by_word(browser: Browser) -> None:
    click_squares(browser, "b2")
    browser.find("#tab-analysis").click()
    browser.find("#panel-analysis > details > summary").click()
    browser.find("#panel-analysis > details button").click()
    browser.wait(lambda: browser.driver.find_elements(CSS, "#panel-analysis details li"))
    moves = browser.driver.find_elements(CSS, "#panel-analysis details li button")
    next(one for one in moves if one.text == "pawn b2 - b3").click()
    browser.wait(lambda: browser.find(".stages input").is_displayed())
    browser.find(".stages input").send_keys(END)
    browser.wait(lambda: browser.find(".stages mark").text == "add-move")
    assert "b3" in [one.text for one in browser.driver.find_elements(CSS, ".stages dd")]
    show = browser.driver.find_elements(CSS, ".stages button")
    browser.driver.execute_script("arguments[0].click()", show[2])
    browser.wait(lambda: browser.driver.find_elements(CSS, ".source .current"))
    assert "add-move" in browser.find(".source .current").text


def test_the_review_marks_mistakes(show: Show) -> None:
    """After b2, an edge loses: O has no better reply to b2 than a corner."""
    table = Table(loaded("tictactoe"))
    for square in ("b2", "b1", "a1"):
        table.tree.play(table.position.parse(square))
    browser = show(table)
    browser.find("#tab-analysis").click()
    button = browser.driver.find_element("css selector", "[data-send*='review']")
    button.click()
    browser.find("#tab-game").click()

    def signs() -> list[str]:
        moves = browser.driver.find_elements("css selector", "#history .move")
        return [str(move.get_attribute("data-mistake") or "") for move in moves]

    browser.wait(lambda: signs() == ["", "??", ""])
