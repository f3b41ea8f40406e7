r"""Tests of in-a-row.4th, groups.4th and columns-without-i.4th, parts of the library for boards.

The games that use them are compared with models in tests/models.  Here the tables that these parts
make while loading are compared with known numbers, also with a user's own library.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Game
from tests.kit.games import load_text

OWN_LIBRARY = str(Path(__file__).parent / "v151")
SCRIPT = r"""
{board ROWS COLUMNS {grid} board}
{directions
    -1 -1 {direction} nw  -1 0 {direction} n  -1 1 {direction} ne  0 1 {direction} e
    1 1 {direction} se  1 0 {direction} s  1 -1 {direction} sw  0 -1 {direction} w
directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
LOAD in-a-row.4th
LOAD groups.4th
CREATE lines LENGTH lines,
HERE lines - CELLSIZE / LENGTH / CONSTANT #lines
: line-cell ( i -- pos ) CELLS lines + @ ;
: count-neighbours ( pos -- n )
    0 SWAP neighbours BEGIN DUP @ -1 <> WHILE SWAP 1+ SWAP CELLSIZE + REPEAT DROP
;
: put ( -- ) empty? verify create add-move ;
{moves drops {move} put moves}
{pieces {piece} stone {drops} drops pieces}
"""


def board(folder: Path, rows: int, columns: int, length: int = 1, library: str = "axiom") -> Game:
    numbers = {"ROWS": rows, "COLUMNS": columns, "LENGTH": length}
    text = SCRIPT
    for name, number in numbers.items():
        text = text.replace(name, str(number))
    return load_text(folder, text, library=library)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("library", ["axiom", OWN_LIBRARY], ids=["bundled", "own"])
@pytest.mark.parametrize(
    ("size", "length", "count"),
    [((3, 3), 3, 8), ((6, 7), 4, 69), ((15, 15), 5, 572), ((4, 4), 4, 10), ((2, 9), 3, 14)],
)
def test_numbers_of_lines(
    tmp_path: Path, size: tuple[int, int], length: int, count: int, library: str
) -> None:
    vm = board(tmp_path, *size, length=length, library=library)._loaded.vm
    assert vm.call("#lines") == (count,)
    lines = [
        [divmod(vm.call("line-cell", line * length + i)[0], size[1]) for i in range(length)]
        for line in range(count)
    ]
    assert len({tuple(line) for line in lines}) == count
    for line in lines:
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)}
        assert len(steps) == 1
        assert steps <= {(-1, 0), (-1, 1), (0, 1), (1, 1)}


@pytest.mark.parametrize("library", ["axiom", OWN_LIBRARY], ids=["bundled", "own"])
def test_numbers_of_neighbours(tmp_path: Path, library: str | None) -> None:
    vm = board(tmp_path, 3, 4, library=library)._loaded.vm
    numbers = [vm.call("count-neighbours", pos)[0] for pos in range(12)]
    assert numbers == [3, 5, 5, 3, 5, 8, 8, 5, 3, 5, 5, 3]


def test_groups_of_a_small_board(tmp_path: Path) -> None:
    game = board(tmp_path, 3, 4)
    setup = [("White", "stone", name) for name in ("a3", "b2", "d1")]
    position = game.start(setup=[*setup, ("Black", "stone", "b3")])
    vm = game._loaded.vm
    with position._in_memory():
        vm.call("note-groups")
        # All positions are linked by steps in eight directions: one group of White at a3 and b2.
        assert vm.call("groups") != (0,)
        group = {name: vm.call("group-at", number)[0] for number, name in enumerate(position.board)}
        assert group["a3"] == group["b2"] != group["d1"]
        assert vm.call("size", group["a3"]) == (2,)
        assert vm.call("liberties", group["a3"]) == (6,)
        assert vm.call("liberties", group["d1"]) == (3,)
        assert vm.call("liberties", group["b3"]) == (3,)
        assert vm.call("size", group["c3"]) == (8,)
        assert vm.call("border", group["c3"]) == (-1,)
        assert vm.call("border", group["b3"]) == vm.call("White")


@pytest.mark.parametrize("library", ["axiom", OWN_LIBRARY], ids=["bundled", "own"])
def test_columns_without_i(tmp_path: Path, library: str | None) -> None:
    path = tmp_path / "board.4th"
    script = SCRIPT.replace("ROWS COLUMNS", "2 10").replace("LENGTH", "2")
    path.write_text(
        script.replace("board}", "board}\nLOAD columns-without-i.4th\n", 1), encoding="utf-8"
    )
    game = forthvm.load(path, library=library) if library else forthvm.load(path)
    columns = "abcdefghjk"
    assert list(game.start().board) == [f"{column}{row}" for row in (2, 1) for column in columns]
    assert [game._loaded.vm.call(f"{column}2") for column in columns] == [(at,) for at in range(10)]
