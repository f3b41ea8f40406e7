"""The debugger's board scene of pieces that differ from those of the set-up."""

from __future__ import annotations

import struct

import pytest

from forthvm.debug.session.board_scene import BoardScene
from forthvm.game import Game
from forthvm.render.draw_svg import board_svg
from forthvm.render.draw_text import board_text
from tests.kit.boards import grid
from tests.kit.games import load_text

SCRIPT = grid(1, 5, players="Left Right")
SCRIPT += """\
: walk FALSE IF add-move ENDIF ;
{moves walks {move} walk moves}
{pieces {piece} x {moves} walks {piece} X {moves} walks {piece} bo\u009bx {moves} walks pieces}
{board-setup {setup} Left x a1 board-setup}
"""
LEFT, RIGHT = 2048, 4096  # the owner in the cell of a piece: 2048 times the player's number


class BoardMemory:
    """The part of a VM's interface that the scene reads: a board with these cells."""

    def __init__(self, cells: list[int]) -> None:
        self.board = struct.pack(f"<{len(cells)}i", *cells)

    def read_cell(self, _address: int) -> int:
        return 0

    def read(self, address: int, size: int) -> bytes:
        return self.board[address : address + size]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return load_text(tmp_path_factory.mktemp("picture"), SCRIPT)


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        ([LEFT | 1, LEFT | 2, RIGHT | 1, RIGHT | 2, 0], ["L.x", "L.X", "R.x", "R.X"]),
        ([LEFT | 7, 0, 0, 0, 0], ["#7"]),  # a number without a type
        ([LEFT, 0, 0, 0, 0], ["#0"]),  # a change of owner on an empty square
        ([1, 0, 0, 0, 0], ["(no owner)"]),
        ([9 * 2048 | 1, 0, 0, 0, 0], ["#9"]),  # a player that does not exist
        ([LEFT | 3, 0, 0, 0, 0], ["bo\\x9bx"]),
    ],
)
def test_every_piece_on_the_board_is_drawn(game: Game, cells: list[int], names: list[str]) -> None:
    scene = BoardScene(game.start()).current(BoardMemory(cells), ())  # type: ignore[arg-type]
    text = board_text(scene)
    for name in names:
        assert name in text
        assert name.rpartition(".")[2] in board_svg(scene)
