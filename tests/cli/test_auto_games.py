"""`forthvm run GAME --auto` plays each bundled game until it ends."""

from __future__ import annotations

import json

import pytest

from tests.kit.commands import Cli
from tests.kit.every_game import BUNDLED

MAIN_GAMES = [game.name for game in BUNDLED if game.variant_of is None]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", MAIN_GAMES)
def test_engines_finish_every_bundled_game(cli: Cli, name: str) -> None:
    """An engine with few positions per move plays weakly but ends games."""
    options = ["--engine", "negamax:nodes=30"]
    if name == "rithmomachia":  # its rules do not limit the length of a game by default
        options += ["--set", "draw-after=40"]
    document = json.loads(cli.out("run", name, "--auto", "--json", *options))
    assert document["result"] is not None
    assert not document["limit_reached"]
    assert len(document["moves"]) > 3
