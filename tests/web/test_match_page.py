"""The page of a game between people: clocks, offers, seats, and the dialog for a new game."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.web.table.clocks import Clocks, TimeControl
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from tests.web.browsing import Browser, Show

pytest.importorskip("selenium")
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

pytestmark = pytest.mark.slow


def is_shown(browser: Browser, selector: str) -> bool:
    return browser.find(selector).is_displayed()


def test_clocks_run(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"))
    table.clocks = Clocks(TimeControl(300.0, 3.0), table.seats)
    browser = show(table)
    browser.wait(lambda: browser.driver.find_elements("css selector", ".clock"))
    white = browser.find('[data-player="White"] .clock')
    assert white.text == "5:00"
    browser.play(table.position.legal_moves[0])
    browser.wait(lambda: browser.find('[data-player="Black"] .clock.running').text == "4:59")
    assert browser.find('[data-player="White"] .clock').text == "5:00"


def test_an_offer_is_answered(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"), persons=("White",), guests=("Black",))
    browser = show(table)
    browser.play(table.position.legal_moves[0])
    assert not is_shown(browser, "#offer")
    browser.find("#undo").click()
    browser.wait(lambda: is_shown(browser, "#offer"))
    assert "White would like to take back a turn" in browser.find("#offer").text
    browser.find("#offer button:not([hidden])").click()  # withdraw
    browser.wait(lambda: not is_shown(browser, "#offer"))
    assert table.position.ply == 1


def test_resigning_and_a_rematch(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"))
    browser = show(table)
    assert not is_shown(browser, "#rematch")
    browser.find("#resign").click()
    browser.answer("yes")
    browser.wait(lambda: "White has resigned, Black has won" in browser.find("#status").text)
    browser.find("#rematch").click()
    browser.wait(lambda: not is_shown(browser, "#rematch"))
    assert not table.is_over


def test_levels_have_their_strength(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough"), persons=("White",), engine="level:2"))
    select = Select(browser.find('#seats select[aria-label="Seat of Black"]'))
    assert select.first_selected_option.text.startswith("Level 2 · ")
    assert select.first_selected_option.text.endswith(" Elo")


def test_a_move_leaves_the_choices_of_seats_as_they_are(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    seat = browser.find("#seats select")
    browser.play(browser.table.position.legal_moves[0])
    assert seat.is_displayed(), "the same element, which may have the focus"


def test_another_game_is_chosen(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    browser.find("#new").click()
    Select(browser.find("#new-game")).select_by_value("splut")
    browser.wait(lambda: "Splut" in (browser.find("#new-picture").get_attribute("src") or ""))
    browser.find("#new-settings summary").click()
    assert browser.find('[data-setting="dead-teams"] span').text == "Dead teams"
    Select(browser.find('[data-setting="dead-teams"] select')).select_by_value("skip")
    Select(browser.find("#new-time")).select_by_value("5+3")
    browser.find("#new-start").click()
    browser.wait(lambda: "Splut" in browser.find("#title").text)
    game = browser.table.game
    assert dict(game._loaded.options.settings)["dead-teams"] == "skip"
    assert browser.table.clocks is not None
    move = browser.table.position.legal_moves[0]
    browser.play(move)
    assert browser.table.position.ply == 1


def test_the_page_of_a_guest(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"), persons=("White",), guests=("Black",))
    browser = show(table)
    absent = '[data-player="Black"] .turn-sign'
    browser.wait(lambda: browser.find(absent).text == "not connected")
    address, key = browser.driver.current_url, table.seats["Black"].key
    browser.driver.get(address.partition("?")[0] + f"?key={key}")
    browser.wait(lambda: browser.find("#seats").text)
    assert not browser.driver.find_elements("css selector", "#seats select")
    assert "you" in browser.find("#seats").text
    assert browser.find(absent).text == ""
    assert not is_shown(browser, "#new")
    table.play(Viewer(is_owner=True, players=("White",)), 0, 0)
    browser.driver.refresh()
    browser.wait(lambda: browser.shown_ply() == 1)
    browser.play(table.position.legal_moves[0])
    assert table.position.ply == 2


def test_a_game_is_saved_and_loaded(show: Show, tmp_path: Path) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    folder = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
    browser.play(browser.table.position.legal_moves[0])
    played = browser.table.position.history
    browser.find("#save").click()
    file = tmp_path / "breakthrough.json"
    browser.wait(file.exists)
    browser.find("#undo").click()
    browser.wait(lambda: browser.table.position.ply == 0)
    browser.find("#load-file").send_keys(str(file))
    browser.wait(lambda: browser.table.position.ply == 1)
    assert browser.table.position.history == played


def test_links_for_other_computers(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"), guests=("Black",))
    browser = show(table)
    link = browser.driver.find_element("css selector", "#seats .link input")
    origin = browser.driver.current_url.partition("/?")[0]
    assert link.get_attribute("value") == f"{origin}/?key={table.seats['Black'].key}"


def test_the_page_of_a_replaced_link_says_so(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"), guests=("Black",))
    browser = show(table)
    driver, owner = browser.driver, browser.driver.current_window_handle
    link = driver.find_element("css selector", "#seats .link input").get_attribute("value")
    driver.switch_to.new_window("tab")
    guest = driver.current_window_handle
    driver.get(str(link))
    browser.wait(lambda: "you" in browser.find("#seats").text)
    driver.switch_to.window(owner)
    browser.find("#seats details.link summary").click()
    next(
        button
        for button in driver.find_elements("css selector", "#seats .link button")
        if button.text == "New link"
    ).click()
    driver.switch_to.window(guest)
    browser.wait(lambda: "does not work any more" in browser.find("#message").text)
    driver.close()
    driver.switch_to.window(owner)


def test_a_card_tells_the_end_and_what_can_be_done(show: Show) -> None:
    table = Table(forthvm.load("tictactoe"))
    browser = show(table)
    for square in ("b2", "a1", "a2", "a3"):
        browser.play(table.position.parse(square))
    assert not is_shown(browser, "#ending")
    browser.play(table.position.parse("c2"))
    browser.wait(lambda: is_shown(browser, "#ending"))
    assert browser.find("#ending-title").text == "O has lost, X won"
    browser.press(Keys.ESCAPE)
    browser.wait(lambda: not is_shown(browser, "#ending"))
    browser.find("#undo").click()
    browser.wait(lambda: not table.is_over)
    browser.play(table.position.parse("c2"))
    browser.wait(lambda: is_shown(browser, "#ending"))
    browser.find("#ending .primary").click()
    browser.wait(lambda: not table.is_over and not is_shown(browser, "#ending"))


def test_a_hint_is_an_arrow_and_a_message(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"))
    browser = show(table)
    browser.find("#hint").click()
    browser.wait(lambda: browser.find("#message").text.startswith("Hint: "))
    assert browser.driver.find_elements("css selector", ".arrow.engine")
    assert not is_shown(browser, "#evaluation")
    browser.play(table.position.legal_moves[0])
    assert not browser.driver.find_elements("css selector", ".arrow.engine")


def test_the_evaluation_is_a_bar_while_the_engine_is_on(show: Show) -> None:
    browser = show(Table(forthvm.load("breakthrough")))
    browser.find("#tab-analysis").click()
    browser.find("#engine-switch").click()
    browser.wait(lambda: is_shown(browser, "#evaluation"))
    bar = browser.find("#evaluation")
    browser.wait(lambda: 0 <= int(bar.get_attribute("aria-valuenow") or -1) <= 100)
    browser.find("#engine-switch").click()
    browser.wait(lambda: not is_shown(browser, "#evaluation"))


def test_a_new_game_with_a_side_and_an_opponent(show: Show) -> None:
    table = Table(forthvm.load("breakthrough"))
    browser = show(table)
    browser.find("#new").click()
    assert not browser.find("#new-side").is_enabled()
    Select(browser.find("#new-opponent")).select_by_value("negamax:depth=1")
    Select(browser.find("#new-side")).select_by_value("Black")
    browser.find("#new-start").click()
    browser.wait(lambda: table.seats["White"].by == "negamax:depth=1")
    assert table.seats["Black"].by == "person"
    browser.wait(lambda: table.position.ply == 1)  # the engine begins
