"""Habits of users: keys, typed moves, the right button, touch, languages, dark mode."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import forthvm
from forthvm.game import Click
from forthvm.web.table.table import Table
from tests.kit.games import load_text
from tests.web.browsing import CSS, Browser, Show, random_moves, served

ENTER, ESCAPE, TAB, BACKSPACE, RIGHT = "\ue007", "\ue00c", "\ue004", "\ue003", "\ue014"
COUNT_ANIMATIONS = """
window.count = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { window.count++; return animate.apply(this, how); };
"""
PROMOTION = """(game (title "Promotion") (players White Black) (turn-order White Black)
(board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("3/2/1" (0 9)))
    (directions (n 0 -1))) (zone (name end) (players White) (positions a3 b3)))
(board-setup (White (Pawn a2) (Queen b1)) (Black (Pawn b3)))
(piece (name Pawn) (moves (n (if (in-zone? end) (add Queen Rook) else add))))
(piece (name Queen) (moves (n add))) (piece (name Rook) (moves (n add))))"""

pytestmark = pytest.mark.slow


@pytest.fixture
def chess(show: Show) -> Browser:
    """A game of chess between two people."""
    return show(Table(forthvm.load("chess")))


def is_flipped(browser: Browser) -> bool:
    return browser.cell("a1").location["y"] < browser.cell("a8").location["y"]


def focus_board(browser: Browser) -> None:
    browser.driver.execute_script(
        "document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()"
    )


def focused(browser: Browser) -> str | None:
    return browser.driver.switch_to.active_element.get_attribute("data-square")


def test_f_flips_the_board(chess: Browser) -> None:
    chess.press("f")
    assert is_flipped(chess)
    chess.press("f")
    assert not is_flipped(chess)


def test_the_player_of_the_window_is_below(show: Show) -> None:
    browser = show(Table(forthvm.load("chess"), persons=("Black",), engine="random"))
    assert is_flipped(browser)
    assert "Black" in browser.find("#players-bottom").text


def test_keys_of_one_letter_can_be_turned_off(chess: Browser) -> None:
    """WCAG 2.1.4."""
    chess.choose("letters", "off")
    chess.press("f")
    assert not is_flipped(chess)


def test_question_mark_lists_the_keys(chess: Browser) -> None:
    chess.press("?")
    dialog = chess.find("#help-dialog")
    assert "Esc" in dialog.text
    assert "Turn the board" in dialog.text
    chess.press(ESCAPE)
    assert not dialog.is_displayed()


def test_the_board_is_one_tab_stop(chess: Browser) -> None:
    focus_board(chess)
    chess.press(RIGHT)
    square = focused(chess)
    assert square
    chess.press(TAB)
    assert focused(chess) is None
    assert (
        chess.driver.execute_script(
            "return document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length"
        )
        == 1
    )


def test_letters_on_the_board_go_to_a_square(chess: Browser) -> None:
    focus_board(chess)
    chess.press("e", "2", ENTER)
    assert focused(chess) == "e2"


def test_letters_on_the_board_make_a_move(chess: Browser) -> None:
    focus_board(chess)
    chess.press("e", "2", "e", "4", ENTER)
    chess.wait_for_ply(1)
    assert chess.table.position.history[0].text == "pawn e2 - e4"
    assert focused(chess), "the keyboard is on the board again"


def test_letters_on_the_board_open_the_tab_with_the_field(chess: Browser) -> None:
    chess.find("#tab-rules").click()
    focus_board(chess)
    chess.press("e", "2", "e", "4", ENTER)
    chess.wait_for_ply(1)


def test_typed_texts_that_are_no_move_are_explained(chess: Browser) -> None:
    chess.find("#typed").send_keys("e2e5", ENTER)
    chess.wait(lambda: "e2e5" in chess.find("#message").text)
    assert chess.table.position.ply == 0


def test_printing_prints_the_board_and_the_moves(chess: Browser) -> None:
    for move in ("pawn d2 - d4", "pawn e7 - e5"):
        chess.play(chess.table.position.parse(move))
    chess.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    printed = [one.is_displayed() for one in chess.driver.find_elements(CSS, "#history .move")]
    others = [chess.cell("e5").is_displayed(), chess.find("#undo").is_displayed()]
    chess.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert printed == [True, True]
    assert others == [True, False]


def test_the_focus_stays_when_the_board_changes(chess: Browser) -> None:
    focus_board(chess)
    chess.press("g", "1", ENTER, ENTER)
    chess.press("f", "3", ENTER, ENTER)
    chess.wait_for_ply(1)
    assert focused(chess) == "f3"
    label = chess.cell("f3").get_attribute("aria-label")
    assert label == "f3, White knight, the last move ended here"


def test_screen_readers_hear_the_move_and_the_turn(chess: Browser) -> None:
    move = chess.table.position.legal_moves[chess.table.position.parse("pawn e2 - e4").index]
    chess.play(move)
    said = chess.find("#say")
    chess.wait(lambda: said.get_attribute("textContent"))
    assert said.get_attribute("textContent") == "White: pawn e2 - e4. Black to move"


def test_backspace_takes_back_a_click(chess: Browser) -> None:
    chess.click(Click("square", "e2"))
    assert chess.driver.find_elements(CSS, ".mark.clicked")
    chess.press(BACKSPACE)
    assert not chess.driver.find_elements(CSS, ".mark.clicked")


def test_the_right_button_draws_and_the_left_one_clears(chess: Browser) -> None:
    actions = chess.actions()
    chess.right_drag("a3", "c5")
    chess.right_drag("e4", "e4")
    assert len(chess.driver.find_elements(CSS, ".arrow.own")) == 2
    chess.right_drag("e4", "e4")
    assert len(chess.driver.find_elements(CSS, ".arrow.own")) == 1
    chess.click(Click("square", "h5"))
    assert not chess.driver.find_elements(CSS, ".arrow.own")
    actions.reset_actions()


def test_moves_that_share_all_clicks(show: Show, tmp_path: Path) -> None:
    browser = show(Table(load_text(tmp_path, PROMOTION, name="promotion.zrf")))
    for square in ("a2", "a3"):
        browser.click(Click("square", square))
    dialog = browser.find("#chooser")
    assert [one.accessible_name for one in dialog.find_elements(CSS, "button")] == ["Queen", "Rook"]
    browser.press(ESCAPE)
    assert not dialog.is_displayed()
    assert browser.table.position.ply == 0
    for square in ("a2", "a3"):
        browser.click(Click("square", square))
    browser.button("Rook").click()
    browser.wait_for_ply(1)
    assert str(browser.table.position.board["a3"]) == "White Rook"


def test_choices_show_pieces_that_were_on_the_board(show: Show, tmp_path: Path) -> None:
    """Black captures the only queen; then the pawn becomes a queen or a rook."""
    rules = PROMOTION.replace("turn-order White Black", "turn-order Black White")
    rules = rules.replace("(n 0 -1)", "(n 0 -1) (s 0 1)").replace("Pawn b3", "Guard b2")
    browser = show(
        Table(
            load_text(
                tmp_path,
                f"{rules[:-1]} (piece (name Guard) (moves (s add))))",
                name="promotion.zrf",
            )
        )
    )
    browser.play(browser.table.position.legal_moves[0])
    for square in ("a2", "a3"):
        browser.click(Click("square", square))
    assert browser.button("Queen").find_elements(CSS, ".icon")
    assert not browser.button("Rook").find_elements(CSS, ".icon")


def test_a_finger_drags_a_piece_and_the_page_stays(chess: Browser) -> None:
    chess.emulate(320)
    chess.touch_drag("e2", "e4")
    chess.wait_for_ply(1)
    assert chess.driver.execute_script("return scrollY") == 0


def test_language_and_colours_are_remembered(chess: Browser) -> None:
    chess.choose("language", "ru")
    chess.choose("theme", "dark")
    chess.wait(lambda: chess.find("html").get_attribute("lang") == "ru")
    assert chess.find("#status").text == "Ход: White"
    chess.driver.refresh()
    chess.wait(lambda: chess.find("#status").text)
    assert chess.find("#status").text == "Ход: White"
    assert chess.find("html").value_of_css_property("color-scheme") == "dark"
    chess.driver.execute_script("localStorage.clear()")


def test_without_a_connection_moves_are_refused(show: Show) -> None:
    table = Table(forthvm.load("chess"))
    with served(table) as address:
        browser = show(Table(forthvm.load("tictactoe")))
        browser.driver.get(address)
        browser.wait(lambda: browser.find("#title").text == "Chess")
    browser.wait(lambda: browser.find("#offline").is_displayed())
    for square in ("e2", "e4"):
        browser.click(Click("square", square))
    assert browser.find("#message").text == "Not connected: nothing was sent."
    assert browser.cell("e2").get_attribute("aria-label") == "e2, White pawn, can move"


def test_the_page_connects_again_and_shows_the_newest_position(show: Show) -> None:
    table = Table(forthvm.load("chess"))
    browser = show(Table(forthvm.load("tictactoe")))
    with served(table) as address:
        browser.driver.get(address)
        browser.wait(lambda: browser.find("#status").text == "White to move")
        browser.click(Click("square", "e2"))
    browser.wait(lambda: browser.find("#offline").is_displayed())
    browser.table = table
    table.play_for_engine(table.position.parse("pawn d2 - d4").index)
    with served(table, urlsplit(address).port or 0):
        browser.wait_for_ply(1)
        assert not browser.find("#offline").is_displayed()
        assert browser.find("#status").text == "Black to move"
        assert not browser.driver.find_elements(CSS, ".mark.clicked")
        browser.play(table.position.legal_moves[0])


def test_moves_are_animated(chess: Browser) -> None:
    chess.driver.execute_script(COUNT_ANIMATIONS)
    chess.play(chess.table.position.legal_moves[0])
    assert chess.driver.execute_script("return window.count") == 1


def test_moves_are_not_animated_if_the_system_asks_for_reduced_motion(chess: Browser) -> None:
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    chess.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    chess.driver.execute_script(COUNT_ANIMATIONS)
    chess.play(chess.table.position.legal_moves[0])
    assert chess.driver.execute_script("return window.count") == 0


def test_the_moves_of_each_player_have_a_column(chess: Browser) -> None:
    for _ in range(3):
        chess.play(chess.table.position.legal_moves[0])
    first, second, third = (one.rect for one in chess.driver.find_elements(CSS, "#history .played"))
    assert first["y"] == second["y"] < third["y"]
    assert first["x"] == third["x"] < second["x"]
    assert chess.find("#history-heads").text.split() == ["White", "Black"]


def numbers(browser: Browser) -> list[str]:
    """Return the numbers that are shown before the moves."""
    script = """return [...document.querySelectorAll("#history li[value]")].map((item) => {
        const { display, content } = getComputedStyle(item, "::before");
        if (display === "none") return "";
        return content.replaceAll('"', "").replace("attr(value)", item.value);
    });"""
    shown = browser.driver.execute_script(script)
    return [number.replace(" ", "") for number in shown]


@pytest.mark.parametrize("width", [390, 240])
def test_numbers_of_moves_count_turns(chess: Browser, width: int) -> None:
    chess.emulate(width)
    for _ in range(3):
        chess.play(chess.table.position.legal_moves[0])
    assert numbers(chess) == ["1.", "", "2."]
    chess.driver.refresh()
    chess.wait_for_ply(3)
    assert numbers(chess) == ["1.", "", "2."]


def test_the_first_player_has_the_first_column(show: Show) -> None:
    browser = show(Table(forthvm.load("draughts")))
    assert browser.find("#history-heads").text.split() == ["Black", "White"]


def test_a_variation_of_the_second_player_has_a_number(chess: Browser) -> None:
    for _ in range(2):
        chess.play(chess.table.position.legal_moves[0])
    chess.find("#history .move").click()
    chess.wait(lambda: chess.find("#elsewhere").is_displayed())
    for square in ("c7", "c5"):
        chess.click(Click("square", square))
    chess.wait(lambda: len(numbers(chess)) == 3)
    assert numbers(chess) == ["1.", "", "1…"]


def test_moves_of_chance_belong_to_a_turn(show: Show) -> None:
    browser = show(Table(forthvm.load("ur")))
    random_moves(browser, 12)
    turns = [entry.player for entry in browser.table.position.history]
    turns = [player for player in turns if player in ("White", "Black")]
    begun = turns[:1] + [two for one, two in pairwise(turns) if one != two]
    shown = [number for number in numbers(browser) if number]
    assert shown == [f"{number + 1}." for number in range(begun.count("White"))]
