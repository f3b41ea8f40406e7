"""Drawn boards: what forthvm prints can be read back."""

from __future__ import annotations

import random

import pytest

import forthvm
from forthvm.testing.drawing import DrawingError, read_drawing
from tests.kit.every_game import every_game
from tests.kit.games import loaded
from tests.kit.messages import raises
from tests.kit.random_games import random_game


@every_game()
def test_a_printed_board_is_read_back(name: str) -> None:
    for position in random_game(forthvm.load(name).start(), 12, random.Random(5)):
        drawn = read_drawing(position, str(position).splitlines())
        assert len(drawn) > len(position.board) // 3
        for square, piece in drawn.items():
            found = position.board[square]
            assert piece == (found and (found.player, found.type)), square


def test_labels_can_be_written_by_hand() -> None:
    chess = loaded("chess").start()
    rows = [f"{row} . . . . . . . ." for row in range(8, 0, -1)]
    rows[0] = "8 king . . . . . . R"
    drawn = read_drawing(chess, [*rows, "  a b c d e f g h"])
    pieces = {square: piece for square, piece in drawn.items() if piece}
    assert pieces == {"a8": ("Black", "king"), "h8": ("White", "rook")}


def test_the_legend_explains_labels() -> None:
    splut = loaded("splut").start()
    text = str(splut).replace("*", "+").replace("wizar=", "mage=").replace("wizar ", "mage ")
    with raises(DrawingError, "drawing.is-no-piece"):
        read_drawing(splut, text.replace("mage=wizard", "").replace("+=Nobody", "").splitlines())
    drawn = read_drawing(splut, text.splitlines())
    assert drawn["e1"] == ("Nobody", "sstone")
    assert "wizard" in {piece[1] for piece in drawn.values() if piece}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["3 . . .", "2 . . ."], "row 1 is missing: the rows are 3, 2 and 1"),
        (
            ["3 . . .", "2 . .", "1 . . ."],
            "row 2 has 3 positions, but 2 are drawn; its positions are a2 b2 c2, others",
        ),
        (["3 . . .", "2 . Q .", "1 . . ."], "`Q` on b2 is no piece; the labels are O, X"),
    ],
)
def test_wrong_drawings_are_refused(lines: list[str], message: str) -> None:
    position = loaded("tictactoe").start()
    with pytest.raises(DrawingError) as caught:
        read_drawing(position, lines)
    assert str(caught.value).startswith(message)
