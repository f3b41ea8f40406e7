"""Tests of the drawings that an author puts beside a script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import forthvm
from forthvm.render.symbols import game_symbols, symbol_notes, symbol_of
from tests.kit.boards import drops, grid
from tests.kit.files import write
from tests.kit.games import load_text
from tests.systems import needs_links

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" stroke-width="4">'
DRAWING = f'{HEAD}<circle cx="50" cy="50" r="40"/></svg>'

SCRIPT = grid(2, 1) + drops("Quux", "Pawn")


def load(folder: Path, **drawings: str) -> forthvm.Game:
    for name, text in drawings.items():
        write(folder / "symbols" / f"{name}.svg", text)
    return load_text(folder, SCRIPT)


def test_a_drawing_is_named_after_its_type(tmp_path: Path) -> None:
    game = load(tmp_path, quux=DRAWING)
    key = symbol_of(game, "Quux", "White")
    assert key == symbol_of(game, "Quux", "Black") == "own/quux"
    assert game_symbols(game)[key].svg == '<g stroke-width="4"><circle cx="50" cy="50" r="40"/></g>'
    assert symbol_of(game, "Pawn", "White") == "chess/pawn"
    assert symbol_notes(game) == ()


def test_a_drawing_can_belong_to_one_player(tmp_path: Path) -> None:
    game = load(tmp_path, **{"White-Pawn": DRAWING})
    assert symbol_of(game, "Pawn", "White") == "own/white-pawn"
    assert symbol_of(game, "Pawn", "Black") == "chess/pawn"


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        (f"{HEAD}<script/></svg>", "<script> is not allowed"),
        (f'{HEAD}<g onclick="x"/></svg>', "must not have the attribute `onclick`"),
        (DRAWING.replace("0 0 100 100", "0 0 24 24"), "must have viewBox"),
        ("<svg", "must be <svg|not well-formed"),
        (DRAWING + " " * 70_000, "more than 64 KB"),
    ],
)
def test_a_drawing_that_is_not_allowed_is_replaced(
    tmp_path: Path, drawing: str, reason: str
) -> None:
    game = load(tmp_path, pawn=drawing)
    symbols = game_symbols(game)
    assert symbols[str(symbol_of(game, "Pawn", "White"))] == symbols["chess/pawn"]
    (note,) = symbol_notes(game)
    assert note.startswith("symbols/pawn.svg cannot be shown: ")
    assert re.search(reason, note), note


@needs_links
def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.svg", DRAWING)
    folder = tmp_path / "game"
    (folder / "symbols").mkdir(parents=True)
    (folder / "symbols" / "pawn.svg").symlink_to(secret)
    symbols = game_symbols(game := load(folder))
    assert symbols["own/pawn"] == symbols["chess/pawn"]
    assert "leads out of the folders" in symbol_notes(game)[0]
