"""Fixtures of the API tests: they load the small scripts in this folder without output.

The expectations in the tests are derived from the scripts by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Game

FOLDER = Path(__file__).resolve().parent
GOLDEN = FOLDER.parent / "golden" / "games"

Loader = Callable[..., Game]


@pytest.fixture
def load() -> Loader:
    """Return a function that loads a script of this folder, or a golden game, by its name."""

    def load(name: str, **options: object) -> Game:
        path = FOLDER / f"{name}.4th"
        if not path.exists():
            path = GOLDEN / f"{name}.4th"
        options.setdefault("output", lambda _text: None)
        return forthvm.load(path, **options)  # type: ignore[arg-type]

    return load


@pytest.fixture
def chain(load: Loader) -> Game:
    """A game with partial moves."""
    return load("chain")


@pytest.fixture
def dice(load: Loader) -> Game:
    """A game with a chance player."""
    return load("dice")


@pytest.fixture
def effects(load: Loader) -> Game:
    """A game whose hooks have side effects."""
    return load("effects")


@pytest.fixture
def three(load: Loader) -> Game:
    """A game of three players."""
    return load("three")
