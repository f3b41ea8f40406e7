"""Runs docs/tutorials/write-a-game.md step by step and compares the output of its commands."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.docs.pages import DOCS, check_console, follow
from tests.kit.games import play, winner


@pytest.mark.slow
def test_steps_of_the_tutorial_work(tmp_path: Path) -> None:
    page = DOCS / "tutorials" / "write-a-game.md"
    consoles = (block for block in follow(page, tmp_path) if block.kind == "console")
    assert sum(check_console(block.text, tmp_path) for block in consoles) >= 10
    check_results(tmp_path)


def check_results(folder: Path) -> None:
    """Checks when the finished game is won: the fox passes the hounds, or cannot move."""
    game = forthvm.load(folder / "fox.4th")
    stuck_hound = game.start(setup=[("Fox", "fox", "b2"), ("Hounds", "hound", "d2")])
    play(stuck_hound, "b2c3", "d2e1", "c3d4")
    assert stuck_hound.result is not None  # the hound on e1 cannot move
    assert stuck_hound.result.winners == ("Fox",)
    undecided = game.start(setup=[("Fox", "fox", "a1"), ("Hounds", "hound", "c3")])
    undecided.push("a1b2")
    undecided.push("c3d2")
    assert undecided.result is None
    caught = game.start(setup=[("Fox", "fox", "a1"), ("Hounds", "hound", "b2")])
    assert winner(caught) == "Hounds"
