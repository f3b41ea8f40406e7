"""Short texts of moves on the page: shown, chosen in the settings, typed, and sent."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.game import Position
from forthvm.web.study.analysis_lines import Line, Lines
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.seats import Viewer
from forthvm.web.table.table import Table
from tests.kit.games import loaded, play
from tests.web.browsing import CSS, Browser, Show

HERE = Viewer(is_owner=True, players=("White", "Black"))


def chess(*moves: str) -> Table:
    """Return a table at which two people have made some moves."""
    return Table(loaded("chess"), position=play(loaded("chess").start(), *moves))


# --- messages -----------------------------------------------------------------------------------


def test_messages_have_short_texts() -> None:
    table = chess("e4", "d5")
    messages = TableMessages(table)
    assert messages.game()["has_short"] is True
    rows = table.tree.whole()["rows"]
    assert [row[3:4] + row[7:] for row in rows] == [  # type: ignore[attr-defined]
        [""],
        ["pawn e2 - e4", "e4"],
        ["pawn d7 - d5", "d5"],
    ]
    state = messages.state(HERE)
    assert '"short": "exd5"' in str(state["gestures"]).replace("'", '"')
    assert '"short": "d5"' in str(state["scene"]).replace("'", '"')


def test_a_restored_tree_has_short_texts() -> None:
    table = chess("e4")
    table.tree.add_texts(0, ["d4", "Nf6"])
    restored = type(table.tree).from_json(table.game, table.tree.as_json())
    assert restored.whole() == table.tree.whole()


def test_lines_of_an_engine_have_short_texts() -> None:
    position = loaded("chess").start()
    lines = Lines(position.game, "White")
    texts = ("pawn e2 - e4", "pawn e7 - e5", "queen d1 - h5", "no move")
    lines._lines[0] = Line(scores={}, moves=texts)
    lines.shorten(position)
    (line,) = lines.as_json()["lines"]  # type: ignore[misc, attr-defined]
    assert line["moves"] == list(texts)
    assert line["short"] == ["e4", "e5", "Qh5"]


def test_hidden_moves_stay_hidden() -> None:
    game = forthvm.load("chess", settings={"OnShow": "~pawn"})
    table = Table(game, position=play(game.start(), "e4"), persons=("White",), guests=("Black",))
    tree = TableMessages(table).whole_tree(Viewer(is_owner=False, players=("Black",)))
    assert "e4" not in str(tree)


# --- the page -----------------------------------------------------------------------------------


@pytest.fixture
def page(show: Show) -> Browser:
    browser = show(chess("e4", "d5"))
    browser.wait_until_shown()
    return browser


def moves(browser: Browser) -> list[str]:
    """Return the moves in the list."""
    script = """return [...document.querySelectorAll("#history .move")]
        .map((one) => one.lastChild.textContent)"""
    found: list[str] = browser.driver.execute_script(script)
    return found


def type_move(browser: Browser, text: str) -> Position:
    """Type a move on the board."""
    browser.driver.execute_script("document.querySelector('[data-square=\"a1\"]').focus()")
    browser.press(*text, "\ue007")
    return browser.table.position


@pytest.mark.slow
def test_short_moves_are_shown_with_their_text(page: Browser) -> None:
    assert moves(page) == ["e4", "d5"]
    assert page.find("#history .move").get_attribute("title") == "pawn e2 - e4"
    assert "Black: d5." in str(page.find("#last").get_property("textContent"))
    page.choose("moves", "full")
    assert moves(page) == ["pawn e2 - e4", "pawn d7 - d5"]
    assert page.find("#history .move").get_attribute("title") == ""
    assert "Black: pawn d7 - d5." in str(page.find("#last").get_property("textContent"))
    page.choose("moves", "short")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("exd5", "pawn e4 x d5"),
        ("ed5", "pawn e4 x d5"),
        ("Nf3", "knight g1 - f3"),
        ("nf3", "knight g1 - f3"),
        ("a3", "pawn a2 - a3"),
        ("Ngf3", "knight g1 - f3"),
        ("d2d4", "pawn d2 - d4"),
    ],
)
def test_short_moves_are_typed(page: Browser, typed: str, text: str) -> None:
    type_move(page, typed)
    page.wait(lambda: page.table.position.ply == 3)
    assert page.table.position.history[-1].text == text


@pytest.mark.slow
def test_a_square_is_no_move_if_moves_are_shown_in_full(page: Browser) -> None:
    page.choose("moves", "full")
    page.find("#tab-game").click()
    type_move(page, "a3")
    assert page.driver.switch_to.active_element.get_attribute("data-square") == "a3"
    assert page.table.position.ply == 2
    page.choose("moves", "short")


@pytest.mark.slow
def test_an_ambiguous_move_is_not_made(show: Show) -> None:
    browser = show(chess("e4", "e5", "d4", "d6", "Nf3", "a6"))
    browser.wait_until_shown()
    type_move(browser, "Nd2")
    browser.wait(lambda: "knight" in browser.find("#message").text)
    assert "knight b1 - d2" in browser.find("#message").text
    assert browser.table.position.ply == 6


@pytest.mark.slow
def test_a_game_without_notation_has_no_choice(show: Show) -> None:
    browser = show(Table(loaded("thud")))
    browser.find("#tab-settings").click()
    assert browser.driver.find_elements(CSS, "#panel-settings [name=moves]")
    assert not browser.find("#panel-settings [name=moves]").is_displayed()
