"""Every bundled game is played in the browser up to its end with mouse and keyboard.

A game is first played without the page, by an engine; then its last moves are made on the page,
in short games all of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import groupby
from typing import NamedTuple, Protocol

import pytest

import forthvm
from forthvm import engines, render
from forthvm.game import Click
from forthvm.render.scene_types import SceneBoard
from forthvm.web.table.table import Table
from tests.kit.every_game import BUNDLED
from tests.web.browsing import Browser, Show, clicks_of

pytestmark = pytest.mark.slow

ENGINE = "mixed:depth=1,random=0.3"
"""An engine whose games end soon, but differ."""
RANDOM = {
    "rithmomachia-distant-siege-glorious",
    "rithmomachia-glorious",
    "ur",
    "ur-aggressive",
    "ur-finkel",
    "ur-script",
}
"""Games of random moves; the engine ends them after four plies, or after many more."""
SEEDS = {
    "breakthrough": 8,
    "chess": 21,
    "chess-los-alamos": 18,
    "draughts": 51,
    "go": 4,
    "rithmomachia-2": 11,
    "rithmomachia-all-victories": 11,
    "rithmomachia-distant-siege-glorious-pyramid": 1,
    "rithmomachia-glorious-pyramid": 2,
    "shogi": 13,
    "splut": 132,
    "splut-duel-official": 3,
    "splut-official": 8,
    "splut-partial": 102,
    "splut-three": 2,
    "splut-three-official": 2,
    "thud": 21,
    "thud-choice": 6,
    "thud-koom-valley": 6,
    "thud-match": 4,
    "ur": 41,
    "ur-aggressive": 41,
    "ur-finkel": 158,
    "ur-script": 167,
    "xiangqi": 17,
    "yonin-shogi": 8,
    "yonin-shogi-capture": 19,
    "yonin-shogi-last": 5,
    "yonin-shogi-partners": 1,
}
"""Seeds of games of moderate length; other games are never long."""
LIMIT = 1500  # plies of a game
LAST_TURNS, LAST_TURNS_OF_VARIANTS = 16, 10  # made on the page; those before them without it

TAB, ENTER, SHIFT = "\ue004", "\ue007", "\ue008"
ARROWS = {"\ue012": (-1, 0), "\ue013": (0, -1), "\ue014": (1, 0), "\ue015": (0, 1)}
MOST_TABS = 30  # from the board to a button that makes a move, or back
IN_A_ROW = 5  # moves with the mouse, then as many with the keyboard

SHOWN = """
const [node, done] = arguments;
const { dataset } = document.querySelector("#board");
const look = () => dataset.node === String(node) ? done() : setTimeout(look, 2);
look();
"""
"""A script that waits until the board shows a node of the tree of moves."""

PLACES = """
return arguments[0].map((square) => {
  const box = document.querySelector(`[data-square="${square}"] polygon`).getBoundingClientRect();
  return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
});
"""
"""A script that returns where the centres of squares are in the window."""

FOCUSED = """
const { dataset, lastChild } = document.activeElement;
if (dataset.square) return ["square", dataset.square];
return dataset.stored ? ["store", dataset.stored] : ["choice", lastChild?.textContent ?? ""];
"""
"""A script that returns what Enter would click on."""

NEIGHBOURS = """
const [board, arrows, done] = arguments;
import("/page/geometry.js").then(({ Layout, neighbour }) => {
  const layout = new Layout(board, false);
  const from = ({ name }) => Object.entries(arrows).map(
    ([key, direction]) => [key, neighbour(board.squares, layout, name, direction)]);
  done(Object.fromEntries(board.squares.map((square) => [square.name, from(square)])));
});
"""
"""A script that returns where each arrow key leads from each square."""


class Turn(NamedTuple):
    """A move that a person makes: the node of the position before it, and its clicks."""

    node: int
    clicks: list[Click]


def game_of(name: str, *, most: int = LIMIT) -> tuple[list[Turn], Table]:
    """Play a game without the page; return the moves of persons, and the table afterwards.

    It ends after `most` of these moves.
    """
    table = new_table(name)
    engine = engines.get("random" if name in RANDOM else ENGINE, seed=SEEDS.get(name, 0))
    turns: list[Turn] = []
    while (position := table.position).result is None and len(turns) < most:
        assert position.ply < LIMIT, "this game does not end soon: choose another seed"
        if not table.advance():  # chance, or a player without moves
            move = engines.choose_move(engine, position).move
            turns.append(Turn(table.tree.played.number, clicks_of(position, move)))
            table.make(move)
    return turns, table


def new_table(name: str) -> Table:
    """Return a table at the start of a game, always with the same dice."""
    return Table(forthvm.load(name, seed=SEEDS.get(name, 0)))


class Hand(Protocol):
    """What a person makes moves with."""

    def squares(self, names: list[str]) -> None:
        """Click on squares."""

    def button(self, click: Click) -> None:
        """Click on a piece in a store or on a button."""


class Mouse:
    """Clicks by the mouse only."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def squares(self, names: list[str]) -> None:
        actions = self.browser.actions()
        for x, y in self.browser.driver.execute_script(PLACES, names):
            actions.w3c_actions.pointer_action.move_to_location(x, y).click()
        actions.perform()

    def button(self, click: Click) -> None:
        self.browser.click(click)


class Keyboard:
    """Clicks by Tab, the arrow keys and Enter only."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.board: SceneBoard | None = None

    def squares(self, names: list[str]) -> None:
        driver, board = self.browser.driver, render.scene(self.browser.table.position).board
        if board != self.board:  # for example, it has got a place for taken pieces
            self.board = board
            self.neighbours = driver.execute_async_script(NEIGHBOURS, board.as_json(), ARROWS)
        _, here = self.tab_to(lambda kind, _: kind == "square", back=True)
        for name in names:
            self.browser.press(self.way(here, name), ENTER)
            here = name

    def button(self, click: Click) -> None:
        wanted = {(click.kind, click.name), ("choice", str(click))}
        self.tab_to(lambda kind, name: (kind, name) in wanted)
        self.browser.press(ENTER)

    def tab_to(self, found: Callable[[str, str], bool], *, back: bool = False) -> tuple[str, str]:
        """Press Tab, or Shift and Tab, until the keyboard is on an element.

        Returns:
            The kind and the name of the element.
        """
        for _ in range(MOST_TABS):
            kind, name = self.browser.driver.execute_script(FOCUSED)
            if found(kind, name):
                return kind, name
            actions = self.browser.actions()
            if back:
                actions.key_down(SHIFT)
            actions.send_keys(TAB)
            if back:
                actions.key_up(SHIFT)
            actions.perform()
        raise AssertionError("Tab does not lead there")

    def way(self, start: str, end: str) -> str:
        """Return the arrow keys on a shortest way between two squares."""
        ways, waiting = {start: ""}, deque([start])
        while end not in ways:
            here = waiting.popleft()
            for key, square in self.neighbours[here]:
                if square not in ways:
                    ways[square] = ways[here] + key
                    waiting.append(square)
        return ways[end]


@pytest.mark.parametrize("name", [entry.name for entry in BUNDLED])
def test_up_to_the_end(show: Show, name: str) -> None:
    turns, played = game_of(name)
    end = played.position
    assert len(turns) > IN_A_ROW  # both hands are used
    last = LAST_TURNS_OF_VARIANTS if "-" in name else LAST_TURNS
    first = max(len(turns) - last, 0)
    browser = show(game_of(name, most=first)[1])
    hands: list[Hand] = [Mouse(browser), Keyboard(browser)]
    for index, turn in enumerate(turns[first:]):
        browser.driver.execute_async_script(SHOWN, turn.node)
        make_move(hands[index // IN_A_ROW % 2], turn.clicks)
    browser.wait(lambda: browser.find("#status").text == str(end.result))
    assert texts(browser.table.position) == texts(end)


def make_move(hand: Hand, clicks: list[Click]) -> None:
    """Make a move on the page."""
    for kind, group in groupby(clicks, lambda click: click.kind):
        if kind == "square":
            hand.squares([click.name for click in group])
        else:
            for one in group:
                hand.button(one)


def texts(position: forthvm.Position) -> list[str]:
    """Return the moves that led to a position."""
    return [entry.text for entry in position.history]
