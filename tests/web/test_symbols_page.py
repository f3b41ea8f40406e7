"""Symbols, pictures and texts of a rule file on the page, in a real browser."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import forthvm
from forthvm.web.table.table import Table
from tests.kit.games import load_text
from tests.web.browsing import CSS, Show

pytestmark = pytest.mark.slow

RULES = r"""
(game (title "Walk") (players White Black) (turn-order White Black)
  (description "<img src=x onerror=alert(1)>")
  (board (image "board.bmp")
    (grid (start-rectangle 10 10 50 50) (dimensions ("a/b" (40 0)) ("2/1" (0 40)))
      (directions (n 0 -1))))
  (board-setup (White (Man a1)) (Black (Wolf b2)))
  (piece (name Man) (image White "man.bmp") (moves ((n (verify empty?) add))))
  (piece (name Wolf) (moves ((n (verify empty?) add)))))
"""


def bitmap(width: int, height: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height), (0, 0, 255)).save(out, "BMP")
    return out.getvalue()


@pytest.fixture
def game(tmp_path: Path) -> forthvm.Game:
    (tmp_path / "board.bmp").write_bytes(bitmap(100, 100))
    (tmp_path / "man.bmp").write_bytes(bitmap(20, 30))
    return load_text(tmp_path, RULES, name="walk.zrf")


def test_pictures_have_their_own_size_on_the_board(show: Show, game: forthvm.Game) -> None:
    browser = show(Table(game))
    board, man = browser.driver.find_elements(CSS, "#board image")
    square = browser.cell("a1").find_element(CSS, "polygon").rect["width"]
    for picture, pixels in ((board, 100), (man, 20)):
        assert picture.rect["width"] == pytest.approx(square * pixels / 40, rel=0.02)


def test_people_can_choose_symbols_instead_of_pictures(show: Show, game: forthvm.Game) -> None:
    browser = show(Table(game))
    browser.choose("pieces", "drawings")
    browser.wait(lambda: not browser.driver.find_elements(CSS, "#board image"))
    assert len(browser.driver.find_elements(CSS, "#board .piece path")) >= 2
    browser.choose("pieces", "pictures 1")
    browser.wait(lambda: len(browser.driver.find_elements(CSS, "#board image")) == 2)


def test_a_chosen_set_of_pieces_is_remembered(show: Show) -> None:
    browser = show(Table(forthvm.load("yonin-shogi")))
    browser.choose("pieces", "letters")
    browser.wait(lambda: browser.driver.find_elements(CSS, "#board .piece text"))
    browser.driver.refresh()
    browser.wait(lambda: browser.driver.find_elements(CSS, "#board .piece text"))
    assert browser.find("#pieces").get_property("value") == "letters"


def test_the_colours_of_the_board_can_be_chosen(show: Show) -> None:
    browser = show(Table(forthvm.load("chess")))

    def colours() -> list[str]:
        squares = [browser.cell(name).find_element(CSS, "polygon") for name in ("a1", "a2")]
        return [square.value_of_css_property("fill") for square in squares]

    seen = []
    for name in ("wood", "green", "blue", "grey"):
        browser.choose("board", name)
        seen += colours()
    assert len(set(seen)) == 8


def test_texts_of_a_rule_file_are_not_markup(show: Show, game: forthvm.Game) -> None:
    browser = show(Table(game))
    browser.find("#tab-rules").click()
    assert "<img src=x onerror=alert(1)>" in browser.find("#panel-rules").text
    assert not browser.driver.find_elements(CSS, "#panel-rules img")


def test_each_piece_of_chess_is_drawn(show: Show) -> None:
    browser = show(Table(forthvm.load("chess")))
    square = browser.cell("a1").find_element(CSS, "polygon").rect["height"]
    pieces = browser.driver.find_elements(CSS, "#board .piece")
    assert len(pieces) == 32
    assert all(0.4 * square < piece.rect["height"] <= square for piece in pieces)
