"""Networks in exported games, in node: searches find the moves and values of the native core."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm import engines
from forthvm.core.bindings import Network
from forthvm.game import Position
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import Table
from tests.learn.network.models import random_network
from tests.web.exported import needs_core, needs_node, run_in_node

pytestmark = [needs_core, needs_node]

DRIVER = Path(__file__).with_name("offline_engines.js")
PLIES = 6


def searched(
    game: dict[str, object], indices: Sequence[int], specs: Sequence[str], folder: Path
) -> list[dict[str, Any]]:
    """Play moves in an exported game; return what each engine finds in each position."""
    data, driver = folder / "data.json", folder / "driver.js"
    data.write_text(json.dumps(game), encoding="utf-8")
    driver.write_text(join_modules(DRIVER), encoding="utf-8")
    return run_in_node(driver, data, CORE, json.dumps(indices), json.dumps(specs))


def random_moves(position: Position) -> tuple[list[int], list[Position]]:
    """Make random moves; return their indices, and the positions, none of which is decided."""
    choices, indices, positions = random.Random(3), [], [position.copy()]
    while len(indices) < PLIES:
        index = choices.randrange(len(position.legal_moves))
        position.push(position.legal_moves[index])
        if position.result is not None or not position.legal_moves:
            break
        indices.append(index)
        positions.append(position.copy())
    return indices, positions


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "own", "specs"),
    [
        ("breakthrough", 0, ["negamax:depth=2", "mcts:playouts=60,seed=5"]),
        ("chess", 3, ["negamax:depth=2", "mcts:playouts=60,seed=5"]),
        ("reversi", 0, ["negamax:depth=3", "mcts:seed=9,playouts=100"]),
        ("splut", 0, ["maxn:depth=1"]),
        ("splut", 0, ["brs:depth=1", "mcts:playouts=10"]),
    ],
)
def test_searches_find_the_same(name: str, own: int, specs: list[str], tmp_path: Path) -> None:
    game = forthvm.load(name)
    found = random_network(game, hidden=24)
    inputs, weights = found.network.inputs, found.network.weights
    network = replace(found, network=Network(inputs, replace(weights, own=own)))
    indices, positions = random_moves(game.start())
    data = offline_game(Table(game), network.network)
    given = iter(searched(data, indices, specs, tmp_path))
    without = iter(searched(offline_game(Table(game)), indices, specs, tmp_path))
    native = {spec: engines.get(spec, net=network) for spec in specs}
    differ = False
    for position in positions:
        for spec, engine in native.items():
            result, in_browser = engine.play(position), next(given)
            assert in_browser["move"] == str(result.move), (spec, position.ply)
            if "mcts" not in spec:  # which does not report its score in the browser
                assert in_browser["score"] == result.score, (spec, position.ply)
            differ |= next(without) != in_browser
    assert differ


def test_net_none_does_not_use_the_network(tmp_path: Path) -> None:
    game = forthvm.load("breakthrough")
    network = random_network(game, hidden=8)
    indices, positions = random_moves(game.start())
    data = offline_game(Table(game), network.network)
    specs = ["negamax:depth=2", "negamax:depth=2,net=none"]
    found = iter(searched(data, indices, specs, tmp_path))
    for position in positions:
        for engine in (
            engines.get("negamax", depth=2, net=network),
            engines.get("negamax", depth=2, net="none"),
        ):
            result, in_browser = engine.play(position), next(found)
            assert (in_browser["move"], in_browser["score"]) == (str(result.move), result.score)
