"""Every bundled game is compared with a plain search by a suite for its kind of game."""

from __future__ import annotations

import pytest

from tests.engines import test_best_reply, test_expectimax, test_maxn, test_search_against_minimax
from tests.kit.every_game import BUNDLED
from tests.kit.games import loaded

NAMES = [game.name for game in BUNDLED]


def games_of(suite: list[tuple[str, int, int, int, int]]) -> set[str]:
    return {name for name, *_ in suite}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", NAMES)
def test_bundled_game_is_compared(name: str) -> None:
    game = loaded(name)
    if len(game.contestants) > 2:
        assert name in games_of(test_maxn.GAMES), "missing in test_maxn.py"
        assert name in games_of(test_best_reply.BUNDLED), "missing in test_best_reply.py"
    else:
        compared = games_of(test_search_against_minimax.GAMES) | games_of(test_expectimax.GAMES)
        assert name in compared, "missing in test_search_against_minimax.py or test_expectimax.py"


def test_list_of_bundled_games_is_not_empty() -> None:
    assert len(NAMES) > 20
