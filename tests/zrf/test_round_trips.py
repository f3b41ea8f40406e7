"""Random games of the rule files, saved and replayed, and played by the converted scripts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.zrf.loading import CompiledRules
from forthvm.zrf.rule_file import read_rule_file
from tests.kit.files import write
from tests.kit.random_games import push_random_moves
from tests.zrf.perft_tables import game_files

PLIES = 60
QUICK = {"box-puzzle", "breakthrough", "english-draughts", "four-player-race", "tictactoe"}


def _variants() -> Iterator[object]:
    for path in game_files():
        for index, title in enumerate(read_rule_file(path).titles):
            marks = [] if path.stem in QUICK and index == 0 else [pytest.mark.slow]
            yield pytest.param(path, title, id=f"{path.stem}: {title}", marks=marks)


variants = pytest.mark.parametrize(("path", "title"), list(_variants()))


def _played(path: Path, title: str) -> forthvm.Position:
    """A random game of at most `PLIES` plies."""
    start = forthvm.load(path, variant=title).start()
    return push_random_moves(start, PLIES, random.Random(title))


@pytest.mark.sampled(3)
@variants
def test_saved_game_is_replayed(path: Path, title: str, tmp_path: Path) -> None:
    position = _played(path, title)
    saved = write(tmp_path / "game.zsg", position.to_zsg())
    again = forthvm.replay_zsg(saved, rules=path)
    assert again.cells == position.cells
    assert [str(move) for move in again.history] == [str(move) for move in position.history]
    assert again.result == position.result
    assert [str(m) for m in again.legal_moves] == [str(m) for m in position.legal_moves]


@pytest.mark.sampled(3)
@variants
def test_converted_script_plays_the_same_game(path: Path, title: str, tmp_path: Path) -> None:
    position = _played(path, title)
    compiled = position.game._loaded.rules
    assert isinstance(compiled, CompiledRules)
    script = write(tmp_path / "converted.4th", compiled.script.text)
    converted = forthvm.load(script).start()
    for played in position.history:
        found = [move for move in converted.legal_moves if str(move) == str(played)]
        assert found, f"{played} is no move of the converted game"
        converted.push(found[0])
    assert converted.cells == position.cells
    assert [str(m) for m in converted.legal_moves] == [str(m) for m in position.legal_moves]
    assert (converted.result is None) == (position.result is None)
