"""A game as steps: their changes, applied in order, give the positions."""

from __future__ import annotations

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm.render.steps import EMPTY, Film
from tests.scripts import HEAPS

GAMES = ("tictactoe", "splut", "thud", "ur", "yonin-shogi", "rithmomachia", "chess", "reversi")


@pytest.mark.parametrize("name", GAMES)
def test_changes_reproduce_each_position(name: str) -> None:
    rng = random.Random(3)
    game = forthvm.load(name)
    position = game.start()
    film = Film(position)
    for _ in range(2):  # the second round starts a new game
        film.rewind()
        position = game.start()
        shown: dict[str, str] = {}
        for _ in range(30):
            for at, shape in film.step(position).changes:
                shown[film.names[at]] = "" if shape == EMPTY else film.shapes[shape].title
            expected = {
                square: f"{piece.player} {piece.type}" if piece.player else piece.type
                for square in game.positions
                if square != "??" and (piece := position.board[square])
            }
            assert {square: title for square, title in shown.items() if title} == expected
            if position.result or not position.legal_moves:
                break
            position.push(rng.choice(position.legal_moves))


def test_shapes_equal_those_of_the_picture() -> None:
    """Label and colour of each piece of the set-up are those of `render.svg`."""
    position = forthvm.load("yonin-shogi").start()
    film = Film(position)
    film.step(position)
    drawn = forthvm.render.svg(position)
    for shape in film.shapes:
        assert f'fill="{shape.fill}" stroke="#2b2b2b"><title>{shape.title}</title>' in drawn
        assert f'font-size="{shape.size}" fill="{shape.ink}"' in drawn
        assert f">{shape.label}</text>" in drawn


def test_the_frame_has_every_square() -> None:
    """Tic-tac-toe has nine squares, and their corners are inside the picture."""
    film = Film(forthvm.load("tictactoe").start())
    width, height = film.size
    root = ElementTree.fromstring(f"<svg>{film.frame()}</svg>")
    assert len(root.findall("rect")) == 9
    corners = film.corners()
    assert len({corner for corner in corners if corner}) == 9
    assert all(0 < x < width and 0 < y < height for x, y in filter(None, corners))


def test_steps_of_a_game_without_a_board_list_its_pieces(tmp_path: Path) -> None:
    """Positions outside a grid have no corners, but steps list their pieces."""
    script = tmp_path / "heaps.4th"
    script.write_text(HEAPS, encoding="utf-8")
    position = forthvm.load(script).start()
    film = Film(position)
    assert film.size == (0, 0)
    assert set(film.corners()) == {None}
    assert film.step(position).changes == ((0, 0), (1, 1))
    assert [shape.title for shape in film.shapes] == ["First heap", "Second heap"]
    position.push(position.legal_moves[0])
    assert film.step(position).changes == ((0, EMPTY),)


def test_board_variables_are_notes() -> None:
    """Sow counts seeds in an array on its board; a step's note contains its values."""
    sow = Path(__file__).resolve().parents[1] / "golden" / "games" / "Sow.4th"
    position = forthvm.load(sow, axiom=140).start()
    film = Film(position)
    first = film.step(position).note
    assert first == f"seeds[] = {' '.join(map(str, position.cells[10:18]))}"
    position.push(position.legal_moves[0])
    assert f"seeds[] = {' '.join(map(str, position.cells[10:18]))}" in film.step(position).note
