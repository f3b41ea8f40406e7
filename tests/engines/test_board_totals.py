"""Hash and material of a board equal those computed from all cells, whatever a script stores."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from forthvm.core.bindings.layout import HEADER
from tests.kit.games import load_text

NEUTRAL, OWNER, TYPE = 0x400, 0xFC00, 0x3FF
MASK = 0xFFFFFFFF

SCRIPT = """
{{board {rows} 6 {{grid}} {{variable}} flag board}}
{{directions 0 1 {{direction}} east directions}}
{{players {{player}} A {{player}} B players}}
{{turn-order {{turn}} A {{turn}} B turn-order}}
: go east verify from here move add-move ;
{{moves all {{move}} go moves}}
{{pieces
    {{piece}} man {{moves}} all 3 {{value}}
    {{piece}} lord {{moves}} all -70 {{value}}
    {{piece}} king {{moves}} all 1000 {{value}}
pieces}}
: measure ( player -- n ) material-balance ;
"""


def signed(value: int) -> int:
    """Return a number as a cell contains it."""
    return (value + 0x80000000 & MASK) - 0x80000000


def mixed(value: int) -> int:
    """Return the hash of a 64-bit number (splitmix64)."""
    bits = (1 << 64) - 1
    value = value + 0x9E3779B97F4A7C15 & bits
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & bits
    value = (value ^ value >> 27) * 0x94D049BB133111EB & bits
    return value ^ value >> 31


def material(cells: list[int], values: dict[int, int], player: int) -> int:
    """Return the value of a player's pieces minus that of all others; types need a value."""
    total = 0
    for piece in cells:
        if piece != 0 and piece & NEUTRAL == 0:
            value = values[piece & TYPE]
            total += value if piece & OWNER == player else -value
    return signed(total)


@pytest.mark.parametrize("rows", [5, 100])
def test_totals_after_random_stores(tmp_path: Path, rows: int) -> None:
    position = load_text(tmp_path, SCRIPT.format(rows=rows), name="totals.4th").start()
    choices = random.Random(rows)
    with position._in_memory() as native:
        board = native.read_cell(native.variable_address("$board"))
        table = native.read_cell(native.variable_address("$pieces"))
        count = native.read_cell(native.variable_address("$positions"))
        bytes_used = native.read_cell(native.variable_address("$boardSize"))
        measure = native.find("measure")
        cells = [native.read_cell(board + at) for at in range(0, bytes_used, 4)]

        def hash_of_cells() -> int:
            total = 0
            for index, cell in enumerate(cells):
                if cell != 0:
                    total ^= mixed(4 * index << 32 | cell & MASK)
            return total

        rest = native.position_hash() ^ hash_of_cells()  # of the turn
        values = {type_: native.read_cell(table + 16 * type_ - 4) for type_ in range(1, 4)}
        for _ in range(300):
            if choices.random() < 0.1:
                type_ = choices.randrange(1, 4)
                values[type_] = choices.choice([0, 5, -9, 2**31 - 1])
                native.write_cell(table + 16 * type_ - 4, values[type_])
            for _ in range(choices.randrange(4)):
                at = choices.randrange(bytes_used // 4)
                owner = choices.choice([0, 2048, 4096, NEUTRAL, 2048 | NEUTRAL])
                cell = choices.choice([0, owner | choices.randrange(1, 4), 7 << 16 | owner | 1])
                native.write_cell(board + 4 * at, cell)
                cells[at] = cell
            player = choices.choice([0, 2048, 4096, NEUTRAL, 6144])
            if choices.random() < 0.5:
                assert native.position_hash() == rest ^ hash_of_cells()
            native.push(player)
            native.execute(measure + HEADER)
            assert native.pop() == material(cells[:count], values, player)
