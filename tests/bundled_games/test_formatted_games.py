"""Bundled games without indentation, formatted by `forthvm fmt`: they behave as before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm.catalogue.bundled import BundledGame
from forthvm.cli.app import main
from forthvm.core.loading.library import games_folder
from tests.kit.every_game import BUNDLED

CLOCK = 1_000_000


@pytest.fixture(scope="module")
def formatted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder of bundled games; no line was indented before it was formatted."""
    folder = tmp_path_factory.mktemp("formatted") / "games"
    shutil.copytree(games_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*.4th"):
        lines = path.read_bytes().split(b"\n")
        path.write_bytes(b"\n".join(line.lstrip(b" \t") for line in lines))
    assert main(["fmt", str(folder)]) == 0
    assert b"\n\t" in (folder / "tictactoe" / "tictactoe.4th").read_bytes()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("case", BUNDLED, ids=lambda case: case.name)
def test_formatted_games_have_the_same_moves(case: BundledGame, formatted: Path) -> None:
    copy = formatted / case.path.resolve().relative_to(games_folder().resolve())
    before, after = (forthvm.load(path, clock=CLOCK).start() for path in (case.path, copy))
    for _ in range(20):
        assert after.legal_moves.texts == before.legal_moves.texts
        assert after.result == before.result
        if before.result is not None or not before.legal_moves:
            break
        move = before.legal_moves.texts[len(before.legal_moves) // 2]
        before.push(move)
        after.push(move)
    assert str(after) == str(before)
