"""The networks of bundled games, which engines use by default."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.core.loading.library import games_folder
from forthvm.engines.network import GameNetwork, network_file

FILES = sorted(Path(games_folder()).rglob("*.net"))
MAX_BYTES = 10 << 20


def test_networks_are_small() -> None:
    assert FILES
    assert sum(path.stat().st_size for path in FILES) < MAX_BYTES


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engines_use_the_network_of_a_game(path: Path) -> None:
    game = forthvm.load(path.stem)
    found = GameNetwork.read(path)
    found.check_game(game)
    assert network_file(game) == path
    position = game.start()
    by_default = engines.get("negamax", depth=2).play(position)
    named = engines.get("negamax", depth=2, net=path).play(position)
    assert by_default.info["net"] == str(path)
    assert (by_default.move, by_default.score) == (named.move, named.score)
    assert "net" not in engines.get("negamax", depth=2, net="none").play(position).info


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_network_won_its_last_match(path: Path) -> None:
    """Its file has the score of the last match of the training; search.md has better ones."""
    _seconds, score, _low, _high = GameNetwork.read(path).learned["strength"][-1]  # type: ignore[index]
    assert score > 0.5
