"""Scenes show the parts of a position that players see, and hide the script's internal state."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forthvm import render
from forthvm.game import Position, load
from forthvm.game.memory.variables import variables_of
from forthvm.game.shown import squares_of
from forthvm.render.scene_types import Scene
from tests.kit.every_game import every_game
from tests.kit.games import load_text

SCRIPT = """
{board
    2 2 {grid}
    {position} hand
    {dummy-positions}
    {position} memory
    {variable} scratch
    2 {array} score
board}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} man {drops} puts {piece} mark pieces}
{board-setup
    {setup} White man a1 {setup} White man hand {setup} White man memory {setup} Black mark b2
board-setup}
: OnNewGame OnNewGame 7 scratch ! 3 0 score ! 4 1 score ! 65536 b1 board[] +! ;
"""


def start(tmp_path: Path, declared: str = "") -> Position:
    return load_text(tmp_path, f"{SCRIPT}{declared}\n", name="shown.4th").start()


def visible_names(scene: Scene) -> tuple[set[str], set[str]]:
    squares = {piece.square for piece in scene.pieces}
    names = (re.split(": | = ", note)[0] for note in scene.notes)
    return squares, {name.replace(" ", "-") for name in names}


def test_players_see_the_positions_that_generation_visits(tmp_path: Path) -> None:
    position = start(tmp_path)
    assert visible_names(render.scene(position)) == ({"a1", "b1", "b2", "hand"}, set())


def test_everything_shows_internal_state(tmp_path: Path) -> None:
    position = start(tmp_path)
    everything = render.scene(position, everything=True)
    assert visible_names(everything) == ({"a1", "b1", "b2", "hand", "memory"}, {"scratch", "score"})
    assert "scratch = 7" in render.text(position, everything=True)
    assert "scratch" not in render.text(position)
    assert "scratch = 7" in render.svg(position, everything=True)
    assert "scratch" not in render.svg(position)


def test_a_script_declares_what_is_shown_and_hidden(tmp_path: Path) -> None:
    position = start(tmp_path, ': OnShow ." score memory -mark -hand" ;')
    assert visible_names(render.scene(position)) == ({"a1", "b1", "memory"}, {"score"})


def test_attributes_are_shown_if_the_script_requests_it(tmp_path: Path) -> None:
    assert "attributes:" not in render.text(start(tmp_path))
    assert "attributes:  b1 1" in render.text(start(tmp_path, ': OnShow ." attributes" ;'))


def test_drawing_does_not_change_the_position(tmp_path: Path) -> None:
    position = start(tmp_path, ': OnShow 99 scratch ! ." score" ;')
    before = position.copy()
    render.text(position)
    assert position == before
    assert position.variables["scratch"] == 7


# Positions beside the board that players see and do not see, from READMEs and comments of scripts.
VISIBLE = {
    "yonin-shogi": {"South-pawn", "West-rook", "East-king"},
    "yonin-shogi-capture": {"South-pawn", "West-rook", "East-king"},
    "rithmomachia": {"won-by"},
    "thud": {"peace"},
}
INVISIBLE = {
    "chess": {"white-O-O", "passed-a"},
    "splut": {"sstone-by", "spell", "thrown"},
    "thud-koom-valley": {"rim"},
    "yonin-shogi": {"South-out", "mind", "urn"},
}


@every_game()
def test_bundled_games_declare_names_that_exist(name: str) -> None:
    game = load(name)
    shown = game.start()._shown()
    types = {kind.name for kind in game.piece_types}
    known = {*game.positions, *variables_of(game._loaded), *types, "attributes", "points"}
    assert shown.hidden_types | shown.variables <= known
    assert VISIBLE.get(name, set()).isdisjoint(shown.hidden)
    assert INVISIBLE.get(name, set()) <= shown.hidden
    assert squares_of(game._loaded) == game.positions[: game.grid.rows * game.grid.columns]


SHOWN_VARIABLES = {"pieces-taken", "value-taken", "digits-taken", "margin", "banked", "off"}
SHOWN_VARIABLES |= {"round-number", "quiet", "steady", "ending", "limit", "on-road"}
"""Variables of any bundled game that its players see."""


@pytest.mark.sampled(2)
@every_game()
def test_boards_of_bundled_games_show_no_internal_state(name: str) -> None:
    position = load(name, seed=1).start()
    internal_types = {"broom", "lock", "cup", "has-moved", "may-swap"}
    for ply in range(40):
        if position.result is not None:
            break
        scene = render.scene(position)
        assert visible_names(scene)[1] <= SHOWN_VARIABLES
        types = {piece.type for piece in scene.pieces}
        assert types.isdisjoint(internal_types)
        if position.is_stuck:
            position.push_pass()
        else:
            moves = position.legal_moves
            position.push(moves[(7 * ply) % len(moves)])
