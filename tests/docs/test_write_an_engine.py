"""Runs docs/tutorials/write-an-engine.md step by step, and engine-template.4th in several games."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

import forthvm
from tests.docs.pages import DOCS, check_console, follow
from tests.kit.games import load_text, loaded
from tests.kit.random_games import push_random_moves

PAGE = DOCS / "tutorials" / "write-an-engine.md"
TEMPLATE = DOCS / "tutorials" / "engine-template.4th"
STEP = re.compile(r"^## (\d)\.", re.MULTILINE)
RESULT = re.compile(r"^\| (\d)\. [^|]+ \| ([\d,]+) \|$", re.MULTILINE)
STEPS = 6


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Follow the page and run its commands; in the folder, step-N.4th is the engine of step N."""
    folder = tmp_path_factory.mktemp("engine")
    text = PAGE.read_text(encoding="utf-8")
    commands = step = 0
    for block in follow(PAGE, folder):
        step = int(STEP.findall(text[: block.at])[-1])
        if block.kind == "console":
            commands += check_console(block.text, folder)
        if step:
            shutil.copy(folder / "engine.4th", folder / f"step-{step}.4th")
    shutil.copy(folder / "before.4th", folder / "step-0.4th")
    assert step == STEPS
    assert commands >= STEPS
    return folder


def scores(reader: Path, step: int, depth: int) -> tuple[list[int], int]:
    """Returns the scores of a step's engine for depths 1 to `depth`.

    The second result is the number of positions searched at the greatest depth.
    """
    shutil.copy(reader / f"step-{step}.4th", reader / "engine.4th")
    game = forthvm.load(reader / "middle.4th")
    found = []
    for limit in range(1, depth + 1):
        position = game.start()
        position.seed(0)  # as in the page's commands: equal moves are chosen at random
        found.append(forthvm.engines.get("script").play(position, forthvm.Limits(depth=limit)))
    assert [result.depth for result in found] == list(range(1, depth + 1))
    return [result.score or 0 for result in found], found[-1].nodes


@pytest.mark.slow
def test_pruning_changes_no_score(reader: Path) -> None:
    """Steps 2 to 4 have the score of the native search; step 6 has that of step 5."""
    position = forthvm.load(reader / "middle.4th").start()
    native = [
        forthvm.engines.get("negamax:quiescence=no,repetition=no,net=none")
        .play(position, forthvm.Limits(depth=depth))
        .score
        for depth in (1, 2, 3, 4)
    ]
    plain, nodes = scores(reader, 2, 2)
    assert plain == native[:2]
    # The plain search visits all positions: at depth 1 the moves, at depth 2 also the replies.
    first, second = (forthvm.perft(position, depth) for depth in (1, 2))
    assert nodes == first + (first + second)
    pruned, pruned_nodes = scores(reader, 3, 4)
    ordered, ordered_nodes = scores(reader, 4, 4)
    assert pruned == ordered == native
    assert ordered_nodes < pruned_nodes
    quiescent, quiescent_nodes = scores(reader, 5, 4)
    with_table, table_nodes = scores(reader, 6, 4)
    assert quiescent == with_table
    assert table_nodes < quiescent_nodes


@pytest.mark.slow
def test_move_types_do_not_change_the_moves_of_breakthrough(reader: Path) -> None:
    """The game of the page has the same legal moves as the bundled game."""
    mine = forthvm.load(reader / "mine.4th").start()
    theirs = loaded("breakthrough").start()
    choose = random.Random(1)
    while theirs.result is None:
        names = sorted(map(str, theirs.legal_moves))
        assert sorted(map(str, mine.legal_moves)) == names
        text = choose.choice(names)
        mine.push(text)
        theirs.push(text)
    assert mine.result == theirs.result


def nodes_in_the_table() -> dict[int, str]:
    """Returns the number of positions of each step in the table of section 7."""
    rows = RESULT.findall(PAGE.read_text(encoding="utf-8"))
    assert len(rows) == STEPS - 2
    return {int(step): nodes for step, nodes in rows}


@pytest.mark.slow
def test_table_has_the_numbers_of_searched_positions(reader: Path) -> None:
    for step, nodes in nodes_in_the_table().items():
        assert scores(reader, step, 4)[1] == int(nodes.replace(",", ""))


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 2])
def test_match_program_plays_a_game_repeatably(
    reader: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game number has the same winner when it is played a second time."""
    engines = [f"step-{number}.4th" for number in range(STEPS + 1)]
    shutil.copy(reader / engines[step - 1], reader / "before.4th")
    shutil.copy(reader / engines[step], reader / "engine.4th")
    monkeypatch.chdir(reader)
    namespace: dict[str, object] = {"__name__": "match"}
    exec((reader / "match.py").read_text(encoding="utf-8"), namespace)
    play = namespace["play"]
    assert callable(play)
    first = play(0, 500)
    assert first in (True, False)
    assert play(0, 500) == first


# --- the template -----------------------------------------------------------------------


# The players of each game, and the depth at which searches are compared.
GAMES = {
    "tictactoe": (("X", "O"), 4),
    "breakthrough": (("White", "Black"), 2),
    "draughts": (("Black", "White"), 4),
    "reversi": (("Black", "White"), 3),
}


def game_with_template(folder: Path, name: str, options: str = "") -> forthvm.Game:
    """Loads a game whose players use the template's engine; `options` is code that sets them."""
    players = GAMES[name][0]
    for script in forthvm.load(name).path.parent.glob("*.4th"):
        shutil.copy(script, folder)
    shutil.copy(TEMPLATE, folder)
    declarations = " ".join(
        f"{{player}} {player} {{search-engine}} Template-Engine" for player in players
    )
    turns = " ".join(f"{{turn}} {player}" for player in players)
    return load_text(
        folder,
        f"LOAD {name}.4th\nLOAD engine-template.4th\n{options}\n"
        f"{{players {declarations} players}}\n{{turn-order {turns} turn-order}}\n",
        name=f"my-{name}.4th",
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
def test_template_score_equals_native_search(name: str, tmp_path: Path) -> None:
    """Compares random positions, also within chains of jumps and before passes."""
    game, plain = game_with_template(tmp_path, name), forthvm.load(name)
    depth = GAMES[name][1]
    script = forthvm.engines.get("script")
    native = forthvm.engines.get("negamax:quiescence=no,repetition=no,net=none")
    limits = forthvm.Limits(depth=depth)
    compared = 0
    for seed in range(10):
        position, other = game.start(), plain.start()
        plies = random.Random(seed).randrange(5 if name == "tictactoe" else 55)
        push_random_moves(position, plies, random.Random(seed))
        push_random_moves(other, plies, random.Random(seed))
        if position.result is not None or position.is_stuck:
            continue
        before = position.copy()
        mine, theirs = script.play(position, limits), native.play(other, limits)
        assert position.board == before.board
        assert position.is_partial == before.is_partial
        assert mine.score is not None
        assert theirs.score is not None
        # Wins score at least 10**8 in the template, and more than 10**9 in the native search.
        if abs(theirs.score) < 10**9:
            assert (mine.score, mine.depth) == (theirs.score, depth)
        else:
            assert abs(mine.score) >= 10**8
            assert (mine.score > 0) == (theirs.score > 0)
        compared += 1
    assert compared >= 6


def test_template_beats_random(tmp_path: Path) -> None:
    """In draughts the engine searches two moves deep, then jumps only, with 300 positions."""
    game = game_with_template(tmp_path, "draughts", "jumping loud-type ! 300 nodes=")
    script, chance = forthvm.engines.get("script:depth=2"), forthvm.engines.get("random:seed=3")
    for us in ("Black", "White"):
        position = game.start()
        while position.result is None:
            engine = script if position.turn == us else chance
            position.push(engine.play(position).move)
        assert position.result.winners == (us,)


def test_template_stops_at_limits(tmp_path: Path) -> None:
    """At a limit of positions or time the engine returns a legal move and restores the position."""
    position = game_with_template(tmp_path, "reversi", "50 nodes=").start()
    push_random_moves(position, 6, random.Random(2))
    before = position.copy()
    for limits in (forthvm.Limits(depth=50), forthvm.Limits(time=0.01)):
        found = forthvm.engines.get("script").play(position, limits)
        assert found.nodes <= 50
        assert found.move in list(position.legal_moves)
        assert position.board == before.board
