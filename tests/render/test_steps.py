"""A game as steps: their changes, applied in order, give the scenes."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm import render
from forthvm.render.steps import EMPTY, SceneSteps, Step
from tests.kit.boards import HEAPS
from tests.kit.games import load_text, loaded
from tests.kit.random_games import random_game

GAMES = ("tictactoe", "splut", "thud", "ur", "yonin-shogi", "rithmomachia", "chess", "reversi")


class Player:
    """Applies steps, as the page does."""

    def __init__(self) -> None:
        self.lists: dict[str, list[Any]] = {"squares": [], "kinds": [], "values": []}
        self.scene: dict[str, Any] = {}
        self.pieces: dict[str, Any] = {}

    def show(self, new_entries: dict[str, list[object]], step: Step) -> dict[str, Any]:
        """Return the scene after a step, its pieces in the order of their squares' names."""
        for name, entries in json.loads(json.dumps(new_entries)).items():
            self.lists[name] += entries
        changes, values = step
        for square, kind in zip(changes[::2], changes[1::2], strict=True):
            name = self.lists["squares"][square]
            self.pieces.pop(name, None)
            if kind != EMPTY:
                self.pieces[name] = {"square": name, **self.lists["kinds"][kind]}
        for at in values:
            name, value = self.lists["values"][at]
            self.scene[name] = value
        return {**self.scene, "pieces": sorted(self.pieces.values(), key=square_of)}


def square_of(piece: dict[str, Any]) -> str:
    return str(piece["square"])


def expected(position: forthvm.Position) -> dict[str, Any]:
    scene: dict[str, Any] = json.loads(json.dumps(render.scene(position).as_json()))
    return {**scene, "pieces": sorted(scene["pieces"], key=square_of)}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_steps_reproduce_each_scene(name: str) -> None:
    chooser, game, steps = random.Random(3), forthvm.load(name), SceneSteps()
    player = Player()
    for _ in range(2):  # the second round begins a new game
        steps.rewind()
        player.pieces, player.scene = {}, {}
        for position in random_game(game.start(), 30, chooser):
            step = steps.step(render.scene(position))
            assert player.show(steps.new_entries(), step) == expected(position)


def test_a_step_has_only_changes() -> None:
    """A move of a pawn changes two squares, and does not repeat the board."""
    position, steps = loaded("breakthrough").start(), SceneSteps()
    first, _ = steps.step(render.scene(position))
    assert len(first) == 2 * 32
    steps.new_entries()
    position.push("pawn a2 - a3")
    changes, _ = steps.step(render.scene(position))
    assert len(changes) == 2 * 2
    assert changes[1::2].count(EMPTY) == 1
    new = steps.new_entries()
    assert new["kinds"] == []
    assert "board" not in [name for name, _ in new["values"]]  # type: ignore[misc]
    assert steps.step(render.scene(position)) == ([], [])


def test_pieces_beside_a_board_are_listed(tmp_path: Path) -> None:
    position, steps = load_text(tmp_path, HEAPS, name="heaps.4th").start(), SceneSteps()
    changes, _ = steps.step(render.scene(position))
    assert changes == [0, 0, 1, 1]
    owners = [player["name"] for player in expected(position)["players"]]
    kinds = steps.new_entries()["kinds"]
    assert [(owners[kind["player"]], kind["type"]) for kind in kinds] == [  # type: ignore[index,call-overload]
        ("First", "heap"),
        ("Second", "heap"),
    ]
    position.push(position.legal_moves[0])
    assert steps.step(render.scene(position))[0] == [0, EMPTY]
