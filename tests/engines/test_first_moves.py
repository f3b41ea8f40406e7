"""Alpha-beta makes a known best move before it generates the complete list.

Owns the test that this changes no result: the searches are compared with those of the same game
with a hook that forces complete lists.  See native/search/alpha_beta.c.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.game import Game

PLAIN = "tt=0,pvs=off,killers=off,history=off,captures=off,aspiration=off,quiescence=off"
SURVEY = "VARIABLE surveys\n: OnGenerateMoves ( -- ) surveys OFF ;\n"
DEPTH, PLIES = 4, (0, 6, 13, 20, 31)


def with_dependent_move_words(folder: Path, name: str) -> Game:
    """Load the game with a move word that prevents generating moves one by one."""
    source = forthvm.load(name).path
    shutil.copytree(source.parent, folder / name)
    script = folder / name / "surveyed.4th"
    script.write_text(f"LOAD {source.name}\n{SURVEY}", encoding="utf-8")
    return forthvm.load(script)


@pytest.mark.parametrize("name", ["breakthrough", "tictactoe", "draughts"])
@pytest.mark.parametrize("features", [PLAIN, "", "seed=5"])
def test_values_equal_those_of_complete_lists(tmp_path: Path, name: str, features: str) -> None:
    games = (forthvm.load(name), with_dependent_move_words(tmp_path, name))
    engine = engines.get(f"negamax:depth={DEPTH},{features}")
    for plies in PLIES:
        one, other = (game.start() for game in games)
        chooser = random.Random(plies)
        for _ in range(plies):
            if one.result is None and one.legal_moves:
                move = str(chooser.choice(one.legal_moves))
                one.push(move)
                other.push(move)
        if one.result is not None:
            continue
        found, expected = engine.play(one), engine.play(other)
        assert (found.score, str(found.move)) == (expected.score, str(expected.move)), (name, plies)
        if features == PLAIN:
            assert found.nodes == expected.nodes


def test_lists_are_generated_only_as_far_as_needed(tmp_path: Path) -> None:
    """The search ends within steps that complete lists exceed."""
    budget = forthvm.Budget(steps=3_200_000)
    engine = engines.get(f"negamax:depth={DEPTH},{PLAIN}")
    engine.play(forthvm.load("breakthrough", budget=budget).start())
    with_dependent_move_words(tmp_path, "breakthrough")
    whole = forthvm.load(tmp_path / "breakthrough" / "surveyed.4th", budget=budget)
    with pytest.raises(forthvm.ForthVMError):
        engine.play(whole.start())
