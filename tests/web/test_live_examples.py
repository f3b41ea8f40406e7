"""The links *Try it* of the documentation, in a browser: they open the games that forthvm plays.

test_site.py checks that the pages of the site have these links.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from docs.page_examples import Example, examples
from forthvm.game import Position
from forthvm.web.playground.link import fragment_of
from forthvm.web.playground.static_page import EDITOR, PYODIDE
from tests.docs.pages import DOCS
from tests.web.exported import needs_core
from tests.web.test_playground import Playground, address, page

__all__ = ["address", "page"]

pytestmark = [
    needs_core,
    pytest.mark.slow,
    pytest.mark.skipif(not EDITOR.exists(), reason="no editor.js: editors/playground makes it"),
]

PAGES = sorted(path for path in DOCS.rglob("*.md") if list(examples(path.read_text("utf-8"))))
PLIES = 1
"""The moves of a random game, in which all positions are compared."""
SECONDS = 60
"""The time that Python may take to load on a busy machine."""


def shown(game_page: Playground) -> list[str]:
    """Return what the last command of the console has printed."""
    return game_page.find("#output p.printed:last-child").text.splitlines()


def compare(game_page: Playground, position: Position) -> None:
    """Compare the legal moves, and the result if there are none."""
    game_page.line("%moves")
    if not position.legal_moves:
        game_page.wait_for_output("There are no such moves")
        return
    expected = [f"{at}  {move.text}" for at, move in enumerate(position.legal_moves, 1)]
    game_page.wait(lambda: shown(game_page) == expected)


def open_example(game_page: Playground, address: str, example: Example) -> None:
    """Open the link to an example."""
    game_page.driver.execute_script("localStorage.clear()")
    game_page.driver.get("about:blank")
    game_page.driver.get(address + fragment_of(example.files, example.main))
    game_page.wait_until_loaded()


def play(game_page: Playground, position: Position, choices: random.Random) -> None:
    """Compare the positions of a random game."""
    compare(game_page, position)
    for ply in range(1, PLIES + 1):
        if position.result is not None or not position.legal_moves:
            return
        at = choices.randrange(len(position.legal_moves))
        position.push(position.legal_moves[at])
        game_page.line(f"%play {at + 1}")
        game_page.wait(lambda ply=ply: str(ply) in game_page.find("#place").text)
        compare(game_page, position)


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.stem)
def test_examples_play_as_forthvm(
    page: Playground, address: str, document: Path, tmp_path: Path
) -> None:
    for number, example in enumerate(examples(document.read_text(encoding="utf-8"))):
        if example.main.endswith(".zrf") and not PYODIDE.exists():
            continue
        for name, text in example.files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        position = forthvm.load(tmp_path / example.main).start()
        open_example(page, address, example)
        play(page, position, random.Random(number))
        assert page.find("#problem").text == ""
