"""A game as steps: their changes, applied in order, give the positions."""

from __future__ import annotations

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm.render.steps import EMPTY, Animation
from tests.scripts import HEAPS

GAMES = ("tictactoe", "splut", "thud", "ur", "yonin-shogi", "rithmomachia", "chess", "reversi")


@pytest.mark.parametrize("name", GAMES)
def test_changes_reproduce_each_position(name: str) -> None:
    rng = random.Random(3)
    game = forthvm.load(name)
    position = game.start()
    animation = Animation(position)
    for _ in range(2):  # the second round starts a new game
        animation.rewind()
        position = game.start()
        shown: dict[str, str] = {}
        for _ in range(30):
            for at, shape in animation.step(position).changes:
                shown[animation.names[at]] = "" if shape == EMPTY else animation.shapes[shape].title
            expected = {
                square: f"{piece.player} {piece.type}" if piece.player else piece.type
                for square in game.positions
                if square != "??" and (piece := position.board[square])
            }
            assert {square: title for square, title in shown.items() if title} == expected
            if position.result or not position.legal_moves:
                break
            position.push(rng.choice(position.legal_moves))


def test_shapes_are_those_of_the_scene() -> None:
    """Label and colours of each piece of the set-up."""
    position = forthvm.load("yonin-shogi").start()
    animation = Animation(position)
    animation.step(position)
    scene = position.scene()
    players = scene.players
    assert {(shape.label, shape.fill, shape.ink) for shape in animation.shapes} == {
        (piece.label, players[piece.player].fill, players[piece.player].ink)
        for piece in scene.pieces
    }


def test_the_frame_has_every_square() -> None:
    """Tic-tac-toe has nine squares, and their corners are inside the picture."""
    animation = Animation(forthvm.load("tictactoe").start())
    width, height = animation.size
    root = ElementTree.fromstring(f"<svg>{animation.empty_board()}</svg>")
    assert len(root.findall("polygon")) == 9
    corners = animation.corners()
    assert len({corner for corner in corners if corner}) == 9
    assert all(0 < x < width and 0 < y < height for x, y in filter(None, corners))


def test_steps_of_a_game_without_a_board_list_its_pieces(tmp_path: Path) -> None:
    """Positions outside a grid have no corners, but steps list their pieces."""
    script = tmp_path / "heaps.4th"
    script.write_text(HEAPS, encoding="utf-8")
    position = forthvm.load(script).start()
    animation = Animation(position)
    assert animation.size == (0, 0)
    assert set(animation.corners()) == {None}
    assert animation.step(position).changes == ((0, 0), (1, 1))
    assert [shape.title for shape in animation.shapes] == ["First heap", "Second heap"]
    position.push(position.legal_moves[0])
    assert animation.step(position).changes == ((0, EMPTY),)


def test_board_variables_are_notes() -> None:
    """Sow counts seeds in an array on its board; a step's note contains its values."""
    sow = Path(__file__).resolve().parents[1] / "golden" / "games" / "Sow.4th"
    position = forthvm.load(sow, axiom=140).start()
    animation = Animation(position)
    first = animation.step(position).note
    assert first == f"seeds[] = {' '.join(map(str, position.cells[10:18]))}"
    position.push(position.legal_moves[0])
    assert f"seeds[] = {' '.join(map(str, position.cells[10:18]))}" in animation.step(position).note
