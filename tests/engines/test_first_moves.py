"""Alpha-beta makes a known best move before it generates the complete list.

Owns the test that the results do not change: the search of a game is compared with the search of
the same game with a hook that forces complete lists.  See native/search/alpha_beta.c.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.game import Game

NO_FEATURES = "tt=0,pvs=off,killers=off,history=off,captures=off,aspiration=off,quiescence=off"
HOOK = "VARIABLE lists\n: OnGenerateMoves ( -- ) lists OFF ;\n"
DEPTH = 4
PLIES = (0, 6, 13, 20, 31)
"""The numbers of random moves before the compared searches."""


def load_with_hook(folder: Path, name: str) -> Game:
    """Load a game with a hook that prevents generating moves one by one."""
    source = forthvm.load(name).path
    shutil.copytree(source.parent, folder / name)
    script = folder / name / "complete-lists.4th"
    script.write_text(f"LOAD {source.name}\n{HOOK}", encoding="utf-8")
    return forthvm.load(script)


@pytest.mark.parametrize("name", ["breakthrough", "tictactoe", "draughts"])
@pytest.mark.parametrize("features", [NO_FEATURES, "", "seed=5"])
def test_values_equal_those_of_complete_lists(tmp_path: Path, name: str, features: str) -> None:
    games = (forthvm.load(name), load_with_hook(tmp_path, name))
    engine = engines.get(f"negamax:depth={DEPTH},{features}")
    for plies in PLIES:
        position, with_hook = (game.start() for game in games)
        rng = random.Random(plies)
        for _ in range(plies):
            if position.result is None and position.legal_moves:
                move = str(rng.choice(position.legal_moves))
                position.push(move)
                with_hook.push(move)
        if position.result is not None:
            continue
        result, expected = engine.play(position), engine.play(with_hook)
        assert result.score == expected.score, (name, plies)
        assert str(result.move) == str(expected.move), (name, plies)
        if features == NO_FEATURES:
            assert result.nodes == expected.nodes


def test_lists_are_generated_only_as_far_as_needed(tmp_path: Path) -> None:
    """The search needs fewer steps than the budget; with complete lists it exceeds the budget."""
    budget = forthvm.Budget(steps=3_200_000)
    engine = engines.get(f"negamax:depth={DEPTH},{NO_FEATURES}")
    engine.play(forthvm.load("breakthrough", budget=budget).start())
    load_with_hook(tmp_path, "breakthrough")
    game = forthvm.load(tmp_path / "breakthrough" / "complete-lists.4th", budget=budget)
    with pytest.raises(forthvm.ForthVMError):
        engine.play(game.start())
