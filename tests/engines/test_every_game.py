"""No bundled game is left out: each is searched by what fits it and held against a plain search."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.game import Game
from tests.engines import test_best_reply, test_expectimax, test_maxn, test_search_against_minimax
from tests.every_game import BUNDLED

NAMES = [game.name for game in BUNDLED]


def compared(suite: list[tuple[str, int, int, int, int]]) -> set[str]:
    return {name for name, *_ in suite}


def loaded(name: str) -> Game:
    return forthvm.load(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_game_is_compared(name: str) -> None:
    game = loaded(name)
    if len(game.contestants) > 2:
        assert name in compared(test_maxn.GAMES), "with paranoid and max^n"
        assert name in compared(test_best_reply.BUNDLED), "with best-reply search"
    else:
        two = compared(test_search_against_minimax.GAMES)
        assert name in two | compared(test_expectimax.GAMES), "with minimax, or over lots"


def test_there_are_games() -> None:
    assert len(NAMES) > 20
