"""`forthvm run GAME --auto` plays each bundled game until it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.every_game import BUNDLED

MAIN = [game.name for game in BUNDLED if game.variant_of is None]


@pytest.mark.parametrize("name", MAIN)
def test_engines_finish_every_bundled_game(cli: Callable[..., Any], name: str) -> None:
    """An engine with few positions per move plays weakly but ends games."""
    engine = ("--engine", "negamax:nodes=30", "--set", "draw-after=40")
    done = cli("run", name, "--auto", "--json", *engine[: 4 if name == "rithmomachia" else 2])
    assert done.status == 0, done.err
    played = json.loads(done.out)
    assert played["result"] is not None
    assert not played["limit_reached"]
    assert len(played["moves"]) > 3
