"""The programs in docs/examples do what the documents say of them.

Owns their tests; docs/engines-in-python.md itself is run by test_documents.py.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.engines import EngineError, EngineOptionError, Info, Limits, analyse, ask, get
from forthvm.game import Game, Position
from forthvm.game.bundled import find_game

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
DIE = "0 5 $RAND-WITHIN"


@pytest.fixture(autouse=True)
def _examples_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


@pytest.fixture(scope="module")
def duel() -> Game:
    return forthvm.load("splut-duel")


def along(game: Game, seed: int, plies: int, every: int) -> Iterator[Position]:
    """Positions of a random game in which somebody has a choice."""
    chance = random.Random(seed)
    position = game.start()
    for ply in range(plies):
        if position.result is not None:
            return
        if ply % every == 0 and len(position.legal_moves) > 1:
            yield position.copy()
        position.push(chance.choice(list(position.legal_moves)))


# --- splut_engine.py -------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["splut-duel", "splut", "splut-partial"])
def without_die(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game whose engine in Forth draws no lots at the root."""
    name, path = find_game(request.param)
    folder = tmp_path_factory.mktemp(name) / "splut"
    shutil.copytree(path.parent, folder)
    script = folder / "custom-engine.4th"
    text = script.read_text(encoding="utf-8")
    assert text.count(DIE) == 1
    script.write_text(text.replace(DIE, "0"), encoding="utf-8")
    return forthvm.load(folder / path.name)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_port_chooses_as_the_engine_in_forth(without_die: Game, depth: int) -> None:
    """Move, score and the number of positions: so the trees are the same."""
    ours = get(f"splut_engine:ArticleEngine:depth={depth},die=0")
    theirs = get(f"script:depth={depth}")
    compared = 0
    for position in along(without_die, depth, 150 if depth < 3 else 60, 5 if depth < 3 else 9):
        if position.is_chance:
            continue
        expected = theirs.play(position.copy())
        found = ours.play(position)
        assert (found.move.text, found.score, found.nodes) == (
            expected.move.text,
            expected.score,
            expected.nodes,
        ), position.to_json()
        compared += 1
    assert compared >= 4


def test_features_by_hand(duel: Game) -> None:
    """Counted on a drawing of the board; whose line is whose depends on who looks."""
    from splut_engine import FEATURES, features, worth

    position = duel.start(
        setup=[
            ("South", "wizard", "e2"),  # in line with the stones on e5 and c2
            ("South", "troll", "d4"),  # to e5, c2, g5, e8: 2 + 3 + 4 + 5 steps
            ("North", "wizard", "f7"),  # in line with none
            ("North", "dwarf", "c5"),
            ("North", "dwarf", "g4"),
            ("Nobody", "sstone", "e5"),
            ("Nobody", "wstone", "c2"),
            ("Nobody", "nstone", "g5"),
            ("Nobody", "estone", "e8"),
        ]
    )
    south = features(duel, position.cells, "South")
    assert dict(zip(FEATURES, south, strict=True)) == {
        "own wizards": 1,
        "others' wizards": 1,
        "own dwarfs": 0,
        "others' dwarfs": 2,
        "stones in line with own wizards": 3,  # e8 is in its column, too
        "stones in line with others' wizards": 0,
        "steps from own trolls to stones": 14,
        "steps from others' trolls to stones": 0,
    }
    assert worth(south) == 9000 - 3000 - 200 - 1500 - 14 * 30
    north = features(duel, position.cells, "North")
    assert north == [1, 1, 2, 0, 0, 3, 0, 14]


def test_the_die_makes_games_differ_and_a_seed_repeats_them(duel: Game) -> None:
    position = duel.start()

    def scores(spec: str) -> list[int | None]:
        engine = get(f"splut_engine:ArticleEngine:depth=1,{spec}")
        return [engine.play(position).score for _ in range(12)]

    (plain,) = set(scores("die=0"))
    assert plain is not None
    drawn = scores("seed=1")
    assert drawn == scores("seed=1") != scores("seed=2")
    # A lot raises a move by 5 at most; so whichever is chosen, it seems that much better at most.
    assert {score - plain for score in drawn if score is not None} <= {0, 1, 2, 3, 4, 5}


def test_it_throws_at_the_last_wizard(duel: Game) -> None:
    """Test position 1 of the rules page of Splut!, section 14, with two teams."""
    position = duel.start(
        setup=[
            ("South", "troll", "d5"),
            ("South", "wizard", "a5"),
            ("Nobody", "sstone", "e5"),
            ("North", "wizard", "h5"),
        ]
    )
    result = ask(get("splut_engine:ArticleEngine:depth=2"), position)
    assert result.move.text == "troll d5 x e5 Nobody sstone h5"
    assert result.score is not None
    assert 100_000 < result.score <= 100_001 + 5  # won, with one step of two to spare, and the lot


def test_limits_reports_and_stop(duel: Game) -> None:
    engine = get("splut_engine:ArticleEngine:seed=1")
    position = duel.start()
    for _ in range(4):
        position.push(position.legal_moves[0])
    before = position.copy()
    heard: list[Info] = []
    result = ask(engine, position, Limits(nodes=40, time=60.0), report=heard.append)
    assert result.nodes == 40
    assert result.move in position.legal_moves
    assert any(info.best for info in heard)
    assert any(info.current for info in heard)
    assert position == before
    with analyse(engine, position, Limits(time=600.0)) as analysis:
        next(analysis)
        stopped = analysis.stop()
    assert stopped.move in list(position.legal_moves)
    assert ask(engine, position, Limits(time=0.0)).move in position.legal_moves
    assert ask(engine, position, Limits(depth=1)).depth == 1


@pytest.mark.parametrize("options", ["depth=0", "depth=16", "die=x", "depht=2"])
def test_wrong_options(options: str) -> None:
    with pytest.raises(EngineOptionError):
        get(f"splut_engine:ArticleEngine:{options}")


def test_a_decided_game_is_refused(duel: Game) -> None:
    position = duel.start(setup=[("South", "wizard", "a5")])
    assert position.result is not None
    with pytest.raises(EngineError):
        ask(get("splut_engine:ArticleEngine"), position)


def forthvm_at_examples(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "forthvm", *arguments],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return done.stdout


def test_the_command_of_the_document() -> None:
    printed = forthvm_at_examples(
        *("run", "splut-duel", "--auto", "--seed", "1", "--max-plies", "24", "--json"),
        *("--engine", "South=splut_engine:ArticleEngine:depth=2,seed=1"),
        *("--engine", "North=random"),
    )
    assert json.loads(printed)
