"""The modules of exported games, in node: positions, moves and gestures equal those of forthvm."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm import render
from forthvm.game import Game, Position
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.table import Table
from tests.golden_runner.records import Ply, game_names, recording
from tests.kit.boards import PASSES, STORES
from tests.kit.every_game import BUNDLED
from tests.kit.games import load_text
from tests.web.exported import needs_core, needs_node, run_in_node

pytestmark = [needs_core, needs_node]

DRIVER = Path(__file__).with_name("offline_driver.js")


def described(
    game: Game, indices: Sequence[int | None], folder: Path, *, take_back: bool = False
) -> list[dict[str, Any]]:
    """Play moves in an exported game; return the description of each position."""
    data, driver = folder / "data.json", folder / "driver.js"
    data.write_text(json.dumps(offline_game(Table(game))), encoding="utf-8")
    driver.write_text(join_modules(DRIVER), encoding="utf-8")
    back = ["back"] * take_back
    return run_in_node(driver, data, CORE, json.dumps(indices), *back)


def check_recording(name: str, play: Callable[[list[int]], list[dict[str, Any]]]) -> None:
    """Compare a game with its recording.  play: returns the positions of a game with such moves."""
    plies = [step for step in recording(name).steps if isinstance(step, Ply)]
    for found, ply in zip(play([ply.played for ply in plies[:-1]]), plies, strict=True):
        assert found["moves"] == list(ply.moves)
        assert found["board"] == list(ply.board)
        assert found["player"] == ply.player
        assert found["partial"] == (ply.over is None)
        assert ply.over is None or found["code"] == ply.over


def check(found: dict[str, Any], position: Position) -> None:
    """Compare a description by the exported game with what forthvm says."""
    place = f"{position.game.name} after {[str(entry) for entry in position.history]}"
    outcome = position.result
    assert found["moves"] == list(position.generated_moves.texts), place
    assert found["board"] == list(position.cells), place
    assert found["player"] == position.turn, place
    assert found["ply"] == position.ply, place
    assert found["isChance"] == position.is_chance, place
    assert found["isStuck"] == position.is_stuck, place
    assert found["partial"] == position.is_partial, place
    assert (found["result"] and found["result"]["text"]) == (outcome and outcome.reason), place


def without_short_texts(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a message as an exported file has it."""
    return {name: value for name, value in fields.items() if name != "short"}


def check_state(found: dict[str, Any], position: Position) -> None:
    """Compare scene and gestures with the message that the server sends."""
    table = Table(position.game, position=position)
    viewer = table.seats.viewer_of(table.seats.owner_key)
    assert viewer is not None
    state = json.loads(
        json.dumps(TableMessages(table).state(viewer)), object_hook=without_short_texts
    )
    place = f"{position.game.name} after {[str(entry) for entry in position.history]}"
    if state["gestures"] is not None:
        assert found["gestures"] == state["gestures"], place
    assert found["scene"].keys() == state["scene"].keys()
    # An exported file does not explain what moves do, and leaves out moves of chance.
    chance = [at for at, player in enumerate(state["scene"]["players"]) if player["chance"]]
    events = [event for event in state["scene"]["events"] if event["player"] not in chance]
    state["scene"]["events"] = [{**event, "effects": []} for event in events]
    for key, value in state["scene"].items():
        assert found["scene"][key] == value, f"{key} of {place}"


def random_game(game: Game, plies: int, seed: int) -> tuple[list[int], list[Position]]:
    """Play random moves; return their indices, and the positions."""
    numbers, position = random.Random(seed), game.start()
    indices, positions = [], [position.copy()]
    while position.ply < plies and position.result is None:
        count = len(position.legal_moves)
        indices.append(numbers.randrange(count) if count else -1)
        if count:
            position.push(position.legal_moves[indices[-1]])
        else:
            position.push_pass()
        positions.append(position.copy())
    return indices, positions


RULE_FILES = sorted(Path(forthvm.__file__).parents[1].glob("tests/zrf/[gi]*/*.zrf"))
"""The folders `games` and `idioms`."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [*[game.name for game in BUNDLED], *map(str, RULE_FILES)])
def test_positions_of_random_games(name: str, tmp_path: Path) -> None:
    game = forthvm.load(name)
    indices, positions = random_game(game, 40, seed=1)
    for found, position in zip(described(game, indices, tmp_path), positions, strict=True):
        check(found, position)
        check_state(found, position)


def test_pieces_without_an_owner(tmp_path: Path) -> None:
    script = tmp_path / "game.4th"
    script.write_text(PASSES + ": OnNextTurn ( -- ) 2 7 board[] ! ;", encoding="utf-8")
    indices, positions = random_game(forthvm.load(script), 2, 1)
    assert [player.name for player in render.scene(positions[-1]).players] == [
        "White",
        "Black",
        "(no owner)",
    ]
    for found, position in zip(
        described(forthvm.load(script), indices, tmp_path), positions, strict=True
    ):
        check_state(found, position)


def test_hidden_pieces_in_stores(tmp_path: Path) -> None:
    setup = "(White (Man off 1) (Tent off 2)) (Black (Man off 1) (Tent off 1))"
    game = load_text(tmp_path, STORES % setup, name="stores.zrf", settings={"OnShow": "?Man"})
    (found,) = described(game, (), tmp_path)
    stores = [[one["type"] for one in player["store"]] for player in found["scene"]["players"]]
    assert stores == [["Tent"], ["Tent"]]
    scene = render.scene(game.start())
    assert stores == [[one.type for one in player.store] for player in scene.players]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", game_names())
def test_recorded_games(name: str, tmp_path: Path) -> None:
    game = forthvm.load(recording(name).path, axiom=140)
    check_recording(name, lambda indices: described(game, indices, tmp_path))


@pytest.mark.slow
def test_moves_taken_back(tmp_path: Path) -> None:
    game = forthvm.load("draughts")
    indices, positions = random_game(game, 12, 3)
    found = described(game, indices, tmp_path, take_back=True)
    assert found[len(positions) :] == found[: len(positions) - 1][::-1]
