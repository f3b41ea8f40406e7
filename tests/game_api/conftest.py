"""Fixtures of the API tests: the small scripts beside this file, loaded quietly.

Owns loading; every expectation stands in the tests, worked out from the scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Game

HERE = Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden" / "games"

Loader = Callable[..., Game]


@pytest.fixture
def load() -> Loader:
    """Loads a script of this folder, or a golden game, by its name; output is dropped."""

    def load(name: str, **options: object) -> Game:
        path = HERE / f"{name}.4th"
        if not path.exists():
            path = GOLDEN / f"{name}.4th"
        options.setdefault("output", lambda _text: None)
        return forthvm.load(path, **options)  # type: ignore[arg-type]

    return load


@pytest.fixture
def chain(load: Loader) -> Game:
    """Partial moves."""
    return load("chain")


@pytest.fixture
def dice(load: Loader) -> Game:
    """A chance player."""
    return load("dice")


@pytest.fixture
def effects(load: Loader) -> Game:
    """Questions with effects."""
    return load("effects")


@pytest.fixture
def three(load: Loader) -> Game:
    """Three players."""
    return load("three")
