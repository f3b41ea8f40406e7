"""The boards of games: squares, labels, and places beside the board."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import forthvm
from forthvm import render
from forthvm.game import load
from forthvm.render.scene_types import SceneBoard
from tests.kit.every_game import every_game
from tests.kit.games import load_text, loaded

GAME = """(game (title "T") (players White Black) (turn-order White Black) (board {board})
  (board-setup (White (Man {start})))
  (piece (name Man) (moves (n (verify empty?) add))))"""


def board_of(folder: Path, board: str, start: str = "a1") -> SceneBoard:
    return render.scene(
        load_text(folder, GAME.format(board=board, start=start), name="t.zrf").start()
    ).board


def test_a_board_has_the_places_of_its_rectangles(tmp_path: Path) -> None:
    grid = '(grid (start-rectangle 5 7 24 26) (dimensions ("a/b" (20 0)) ("2/1" (0 20)))'
    board = board_of(tmp_path, grid + "(directions (n 0 -1) (e 1 0)))")
    centres = {square.name: square.centre for square in board.squares}
    width = 20 / 19  # the distance of squares, in widths of a square
    left, top = centres["a2"]
    assert centres["b1"] == pytest.approx((left + width, top + width), abs=0.002)
    assert board.pixel == pytest.approx(1 / 19)
    assert [label.text for label in board.labels] == ["2", "1", "a", "b"]
    assert all(0 <= x <= board.width and 0 <= y <= board.height for x, y in centres.values())


def test_labels_that_would_cover_a_square_are_elsewhere(tmp_path: Path) -> None:
    """A hand touches the left side of the board, so the labels of rows are on the right."""
    grid = '(grid (start-rectangle 20 0 39 19) (dimensions ("a/b" (20 0)) ("2/1" (0 20)))'
    hand = "(positions (hand 0 0 19 19) (other 0 20 19 39))"
    board = board_of(tmp_path, grid + "(directions (n 0 -1) (e 1 0)))" + hand)
    right = max(square.centre[0] for square in board.squares)
    assert {label.text for label in board.labels if label.at[0] > right} == {"1", "2"}


def test_positions_of_one_player_form_a_group_beside_the_board() -> None:
    board = render.scene(load("yonin-shogi").start()).board
    beside = [square for square in board.squares if square.beside]
    assert {square.group for square in beside} == {"South", "West", "North", "East"}
    assert [square.label for square in beside if square.group == "West"] == [
        "pawn", "silver", "gold", "rook", "king",
    ]  # fmt: skip
    assert {"South", "West", "North", "East"} <= {label.text for label in board.labels}
    assert not any(square.beside for square in board.squares if square.cell)


def test_squares_of_the_other_colour_are_drawn() -> None:
    board = render.scene(load("draughts").start()).board
    assert len(board.squares) == len(board.blanks) == 32


def test_a_script_with_six_directions_has_hexagons(tmp_path: Path) -> None:
    board = render.scene(
        load_text(
            tmp_path,
            """{board 4 5 {grid} board}
        {directions -1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
        -1 1 {direction} ne 1 -1 {direction} sw directions}
        {players {player} Red {player} Blue players}
        {turn-order {turn} Red {turn} Blue turn-order}
        : put empty? verify drop add-move ;
        {moves puts {move} put moves}
        {pieces {piece} stone {drops} puts pieces}
        """,
            name="hex.4th",
        ).start()
    ).board
    assert {len(square.corners) for square in board.squares} == {6}


STAR_POINTS = {
    9: ["c7", "g7", "e5", "c3", "g3"],
    13: ["d10", "k10", "g7", "d4", "k4"],
    19: ["d16", "k16", "q16", "d10", "k10", "q10", "d4", "k4", "q4"],
}
"""By the size of the board of Go."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("size", "name"), [(9, "go-9x9"), (13, "go-13x13"), (19, "go")])
def test_boards_of_go_have_their_star_points(size: int, name: str) -> None:
    squares = render.scene(loaded(name).start()).board.squares
    assert [square.name for square in squares if square.dot] == STAR_POINTS[size]


@pytest.mark.parametrize(("name", "points"), [("points", True), ("-points", False)])
def test_a_script_says_that_pieces_stand_on_points(tmp_path: Path, name: str, points: bool) -> None:
    board = render.scene(
        load_text(
            tmp_path,
            f"""{{board 9 9 {{grid}} board}}
        {{directions -1 0 {{direction}} n 0 1 {{direction}} e directions}}
        {{players {{player}} Black {{player}} White players}}
        {{turn-order {{turn}} Black {{turn}} White turn-order}}
        : put empty? verify drop add-move ;
        {{moves puts {{move}} put moves}}
        {{pieces {{piece}} stone {{drops}} puts pieces}}
        : OnShow ." {name}" ;
        """,
            name="go.4th",
        ).start()
    ).board
    assert all(square.round is points for square in board.squares)
    assert [square.name for square in board.squares if square.dot] == STAR_POINTS[9] * points
    assert len(board.lines) == (2 * 9 * 8 if points else 0)


@every_game()
def test_the_board_of_a_game_is_computed_once(name: str) -> None:
    position = load(name, seed=1).start()
    board = render.scene(position).board
    for _ in range(3):
        if position.is_stuck:
            position.push_pass()
        else:
            position.push(position.legal_moves[0])
    assert render.scene(position).board is board


POINTS = {"go", "go-13x13", "go-9x9", "gomoku", "gomoku-standard", "xiangqi"}
HEXAGONS = {"hex"}


@pytest.mark.sampled(2)
@every_game()
def test_the_pieces_of_bundled_games_stand_on_areas_or_points(name: str) -> None:
    board = render.scene(forthvm.load(name).start()).board
    assert bool(board.lines) == (name in POINTS)
    assert {len(square.corners) for square in board.squares} == {6 if name in HEXAGONS else 4}


HEX_ROWS, HEX_COLUMNS = 4, 5


def hex_rules() -> str:
    """A rule file for Hex: each row is shifted to the right by half a place of 40 pixels."""
    places = {
        (row, column): f"{'abcde'[column]}{HEX_ROWS - row}"
        for row in range(HEX_ROWS)
        for column in range(HEX_COLUMNS)
    }
    corners = {name: (40 * column + 20 * row, 34 * row) for (row, column), name in places.items()}
    rectangles = [f"({name} {x} {y} {x + 40} {y + 44})" for name, (x, y) in corners.items()]
    pairs = [f"({name} {places[row, column + 1]})" for (row, column), name in places.items()
             if (row, column + 1) in places]  # fmt: skip
    return f"""(game (title "Hex") (players Red Blue) (turn-order Red Blue)
    (board (positions {" ".join(rectangles)}) (links e {" ".join(pairs)}))
    (board-setup (Red (Stone off 9)) (Blue (Stone off 9)))
    (piece (name Stone) (drops ((verify empty?) add))))"""


def test_hexagons_have_labels_at_the_ends_of_their_lines(tmp_path: Path) -> None:
    position = load_text(tmp_path, hex_rules(), name="hex.zrf").start()
    board = render.scene(position).board
    assert {len(square.corners) for square in board.squares} == {6}
    labels = {label.text: label.at for label in board.labels}
    assert set(labels) == set("1234abcde")
    centres = {square.name: square.centre for square in board.squares}
    assert labels["4"][0] < centres["a4"][0] < labels["1"][0] < centres["a1"][0]
    assert labels["4"][1] == pytest.approx(centres["a4"][1])
    # The label of a column continues it: a4, a3, a2 and a1 go down to the right.
    assert labels["a"][0] > centres["a1"][0]
    assert labels["a"][1] > centres["a1"][1]


def test_rows_of_hexagons_are_shifted_in_text(tmp_path: Path) -> None:
    lines = str(load_text(tmp_path, hex_rules(), name="hex.zrf").start()).splitlines()[:HEX_ROWS]
    starts = [line.index(name) for line, name in zip(lines, ("a4", "a3", "a2", "a1"), strict=True)]
    assert starts == sorted(set(starts))
    steps = {after - before for before, after in pairwise(starts)}
    assert len(steps) == 1
    assert lines[0].index("b4") - lines[0].index("a4") == 2 * steps.pop()
