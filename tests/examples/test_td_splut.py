"""Tests of examples/td_splut.py: its counts, its learning, and the script that it writes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import forthvm
from forthvm.engines import get
from tests.kit.games import load_text
from tests.kit.random_games import push_random_moves

pytestmark = pytest.mark.usefixtures("examples")


@pytest.mark.slow
def test_script_evaluates_as_numpy(tmp_path: Path) -> None:
    from td_splut import UNITS, Counter, points, script

    weights = np.random.default_rng(1).normal(size=len(UNITS))
    game = load_text(tmp_path, script(weights), name="learned.4th")
    count = Counter(game)
    compared = 0
    for seed in range(40):
        position = push_random_moves(game.start(), 3 * seed, Random(seed))
        if position.is_chance or position.result is not None:
            continue
        counts = count(np.array(position.cells), position.turn)
        with position._in_memory():
            (score,) = game._loaded.vm.call("OnEvaluate")
        wizards = 20000 * (counts_of_wizards(position)[0] - counts_of_wizards(position)[1])
        assert score == counts @ points(weights) + wizards, position
        compared += 1
    assert compared > 20


def counts_of_wizards(position: forthvm.Position) -> tuple[int, int]:
    owners = [p.player == position.turn for _, p in position.board.occupied() if p.type == "wizard"]
    return sum(owners), len(owners) - sum(owners)


def test_learning_predicts_the_result_better() -> None:
    from td_splut import UNITS, PlayedGame, learn

    random = np.random.default_rng(2)
    counts = [random.integers(0, 5, size=len(UNITS)) for _ in range(30)]
    played = PlayedGame(counts, [1, 1, -1] * 10, result=1.0)
    rows = np.array(counts) / UNITS * np.array(played.signs)[:, None]
    weights = np.zeros(len(UNITS))
    for _ in range(50):
        weights = learn(weights, played, trace=0.8, rate=0.01)
    chances = 1 / (1 + np.exp(-rows @ weights))
    assert chances.mean() > 0.52
    assert chances[-1] > 0.6


def test_first_change_is_that_of_td() -> None:
    """With lambda 0 and two positions the change is computed by hand."""
    from td_splut import UNITS, PlayedGame, learn

    counts = [np.arange(len(UNITS)), np.ones(len(UNITS))]
    weights = learn(
        np.zeros(len(UNITS)), PlayedGame(counts, [1, -1], result=1.0), trace=0.0, rate=0.1
    )
    # Both predictions are 1/2, so only the last position is changed, by 1/2, with North to move.
    assert weights == pytest.approx(-0.05 / UNITS)


@pytest.mark.slow
def test_program_writes_a_game_that_engines_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from td_splut import main

    output = tmp_path / "splut-learned.4th"
    arguments = ["--rounds", "2", "--games", "2", "--output", str(output)]
    main(arguments)
    first = output.read_text(encoding="utf-8")
    main(arguments)
    assert output.read_text(encoding="utf-8") == first
    assert "decided games" in capsys.readouterr().out
    for path in (output, tmp_path / "splut-unlearned.4th"):
        game = forthvm.load(path)
        assert game._loaded.evaluates
        assert get("negamax:depth=2").play(game.start()).move in game.start().legal_moves
