"""Scenes and pictures of positions of real games."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from forthvm import render
from forthvm.game import Game, load
from forthvm.render import TextStyle

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "games"


def golden(name: str) -> Game:
    return load(GOLDEN / f"{name}.4th", axiom=140)


def test_board_variables_by_name_and_length() -> None:
    def values() -> dict[str, list[int]]:
        notes = dict(note.split(" = ") for note in render.scene(position, everything=True).notes)
        return {name: [int(value) for value in text.split()] for name, text in notes.items()}

    # Sow's board has 8 squares, a bank, a variable, arrays of 8 and 2 cells, and 4 bytes.
    position = golden("Sow").start()
    assert set(values()) == {"seeds[]"}  # all other variables are 0 at the start
    assert values()["seeds[]"] == list(position.cells[10:18])
    position.push(position.legal_moves[0])
    assert len(values()["mark[]"]) == 4
    assert sum(values()["mark[]"]) == 1


def test_attributes_are_listed() -> None:
    # Sowing that ends on a square with one or two seeds sets attribute bit 0 (bit 16 of its cell).
    squares_with_attributes = set()
    position = golden("Sow").start()
    for _ in range(20):
        names = [
            name
            for name, cell in zip(position.board, position.cells, strict=False)
            if (cell >> 16) & 0xFFFF
        ]
        text = render.text(position, everything=True)
        shown = [line for line in text.splitlines() if "attributes:" in line]
        assert [f"attributes:  {'  '.join(f'{name} 1' for name in names)}"] * bool(names) == shown
        squares_with_attributes.update(names)
        if position.result is not None:
            break
        position.push(position.legal_moves[-1])
    assert squares_with_attributes


def test_positions_outside_the_grid_are_beside_the_board() -> None:
    scene = render.scene(golden("Teams").start())
    assert [square.name for square in scene.board.squares if square.beside] == ["store"]
    (piece,) = [piece for piece in scene.pieces if piece.square == "store"]
    assert scene.players[piece.player].name == "D"
    assert "beside the board:  store D.Unit" in render.text(golden("Teams").start())


def test_the_squares_of_the_last_move_are_marked() -> None:
    position = load("breakthrough").start()
    position.push("a2 - a3")
    assert {mark.square: mark.kind for mark in render.scene(position).marks} == {
        "a2": "from",
        "a3": "to",
    }
    position.pop()
    assert render.scene(position).marks == ()


def test_a_board_that_is_part_of_a_grid_keeps_its_shape() -> None:
    board = render.scene(load("splut").start()).board
    squares = {square.name for square in board.squares if not square.beside}
    assert len(squares) == 41
    assert {"a5", "e1", "e9", "i5", "e5"} <= squares
    assert not {"a1", "a9", "i1", "i9", "a4"} & squares


def test_a_game_of_drops_shows_all_its_squares() -> None:
    assert len(render.scene(load("tictactoe").start()).board.squares) == 9


def test_drawing_does_not_change_the_position() -> None:
    position = golden("Sow").start()
    before = position.copy()
    key = position.key
    render.text(position)
    render.svg(position)
    assert position == before
    assert position.key == key


def test_positions_have_a_picture_for_notebooks() -> None:
    position = load("breakthrough").start()
    picture = position._repr_svg_()
    assert picture is not None
    root = ET.fromstring(picture)
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == 32
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "White to move"


@pytest.mark.slow
def test_every_bundled_game_fits_sixty_columns() -> None:
    for name in ("tictactoe", "breakthrough", "draughts", "splut", "splut-duel"):
        lines = render.text(load(name).start(), TextStyle(width=60)).splitlines()
        assert max(map(len, lines)) <= 60, name
