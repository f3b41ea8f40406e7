"""Every bundled game is played to its end in the browser: by clicks only, and by keys only.

The first moves by clicks are in test_browser.py.  Here the part before the last moves is played
without the page, so that the end is reached in seconds; the last moves lead to the result.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import forthvm
from forthvm import engines
from forthvm.game import Click, Position
from forthvm.web.table.table import Table
from tests.every_game import BUNDLED
from tests.web.browsing import Browser, Show

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

MOVES = 6  # made in the browser
LIMIT = 3000  # plies of a random game
ENDLESS = {"thud-koom-valley"}
"""Random moves do not end these games: the players end them by agreement."""
GAMES = [entry.name for entry in BUNDLED if entry.name not in ENDLESS]

PATH = """
const [from, to, board, flipped, done] = arguments;
import("/page/geometry.js").then(({ Layout, neighbour }) => {
  const layout = new Layout(board, flipped);
  const keys = {Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1]};
  const ways = new Map([[from, []]]);
  for (const [square, way] of ways) {
    for (const [key, direction] of Object.entries(keys)) {
      const next = neighbour(board.squares, layout, square, direction);
      if (!ways.has(next)) ways.set(next, [...way, key]);
    }
  }
  done(ways.get(to) ?? null);
});
"""
"""A script that returns the arrow keys of the shortest path between two squares."""


def random_game(game: forthvm.Game) -> list[Position]:
    """Return the positions of a random game from the start to the end."""
    chooser, position, chance = random.Random(1), game.start(), engines.get("chance")
    positions = [position.copy()]
    while position.result is None:
        assert len(positions) < LIMIT
        if position.is_stuck:
            position.push_pass()
        elif position.is_chance:
            position.push(engines.choose_move(chance, position).move)
        else:
            position.push(chooser.choice(position.legal_moves))
        positions.append(position.copy())
    return positions


def near_the_end(name: str) -> tuple[Table, list[str]]:
    """Return a table shortly before the end of a random game, and all moves of this game."""
    positions = random_game(forthvm.load(name))
    position = positions[max(0, len(positions) - 1 - MOVES)]
    moves = [entry.text for entry in positions[-1].history]
    return Table(position.game, persons=position.players, position=position), moves


def play_to_the_end(browser: Browser, click: Callable[[Click], None], moves: list[str]) -> None:
    """Make the recorded moves; after other chance moves, random ones."""
    table, chooser = browser.table, random.Random(2)
    while table.position.result is None:
        position = table.position
        if position.is_chance or position.is_stuck:
            browser.wait(lambda: not (table.position.is_chance or table.position.is_stuck))
            browser.wait_until_shown()
            continue
        texts = [move.text for move in position.legal_moves]
        recorded = moves[position.ply] if position.ply < len(moves) else ""
        index = texts.index(recorded) if recorded in texts else chooser.randrange(len(texts))
        browser.play(position.legal_moves[index], click)
    assert browser.find("#status").text == str(table.position.result)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_to_the_end_by_clicks(show: Show, name: str) -> None:
    table, moves = near_the_end(name)
    browser = show(table)
    play_to_the_end(browser, browser.click, moves)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_to_the_end_by_keys(show: Show, name: str) -> None:
    table, moves = near_the_end(name)
    from selenium.webdriver.common.keys import Keys

    browser = show(table)
    board = table.position.scene().board.as_json()

    def press(click: Click) -> None:
        if click.kind == "square":
            reach_board(browser)
            here = browser.driver.switch_to.active_element.get_attribute("data-square")
            keys = browser.driver.execute_async_script(PATH, here, click.name, board, False)
            assert keys is not None, f"no arrow keys lead from {here} to {click.name}"
            browser.press(*(getattr(Keys, f"ARROW_{key.upper()}") for key in keys), Keys.ENTER)
        else:
            press_button(browser, click)

    play_to_the_end(browser, press, moves)


def reach_board(browser: Browser) -> None:
    """Press Tab until the keyboard is on the board."""
    tab_until(browser, lambda element: element.get_attribute("data-square") is not None)


def press_button(browser: Browser, click: Click) -> None:
    from selenium.webdriver.common.keys import Keys

    tab_until(
        browser,
        lambda element: (
            element.accessible_name == str(click)
            or element.get_attribute("data-stored") == click.name
        ),
    )
    browser.press(Keys.ENTER)


def tab_until(browser: Browser, found: Callable[[WebElement], bool]) -> None:
    """Press Tab, and then Shift and Tab, until the keyboard is on an element.

    The list of the moves after the board has hundreds of buttons in a long game.
    """
    from selenium.webdriver.common.keys import Keys

    for at in range(140):
        if found(browser.driver.switch_to.active_element):
            return
        if at < 20:
            browser.press(Keys.TAB)
        else:
            browser.actions().key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    raise AssertionError("Tab does not lead there")
