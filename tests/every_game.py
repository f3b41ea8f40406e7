"""The bundled games as parameters of a test: variants are slow tests, their main games are not.

Owns that choice.  The kit in tests/bundled_games takes every game and variant by default.
"""

from __future__ import annotations

import pytest

from forthvm.game.catalogue.bundled import list_games

__all__ = ["every_game"]


def every_game(argument: str = "name") -> pytest.MarkDecorator:
    """Parametrizes a test over the names of all bundled games."""
    names = [
        entry.name if entry.variant_of is None else pytest.param(entry.name, marks=pytest.mark.slow)
        for entry in list_games()
    ]
    return pytest.mark.parametrize(argument, names)
