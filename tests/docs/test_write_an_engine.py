r"""Runs docs/tutorials/write-an-engine.md step by step, and engine-template.4th in several games.

Owns how the page is read.  A block with a file name is the content of that file.  A `forth` block
without a file name contains parts of engine.4th; each part begins with `\ --- name ---` and
replaces an earlier part of the same name.  In `console` blocks `…` alone on a line matches any
lines; elsewhere it matches one word.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from tests.kit.games import loaded
from tests.kit.random_games import push_random_moves

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "tutorials" / "write-an-engine.md"
TEMPLATE = CHECKOUT / "docs" / "tutorials" / "engine-template.4th"
BLOCK = re.compile(
    r"^(?:## (\d)\.[^\n]*|```(forth|python|console) ?([\w.]+)?\n(.*?)^```)$",
    re.MULTILINE | re.DOTALL,
)
PART = re.compile(r"^\\ --- (.+) ---\n", re.MULTILINE)
ORDER = [
    *("levels", "making moves", "scores", "window", "order", "memory", "trying", "replies"),
    *("search", "considering", "iteration", "engine"),
]
RESULT = re.compile(r"^\| (\d)\. [^|]+ \| ([\d,]+) \|$", re.MULTILINE)
STEPS = 6


class Reader:
    """The folder of a reader who has followed the page up to a step."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: dict[str, str] = {}
        shutil.copy(forthvm.load("breakthrough").path, folder)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def add_parts(self, text: str) -> None:
        """Adds the parts of a block to the engine, or replaces them."""
        before, *names_and_texts = PART.split(text)
        assert not before
        self.parts.update(zip(names_and_texts[::2], names_and_texts[1::2], strict=True))
        assert set(self.parts) <= set(ORDER)
        engine = [f"\\ --- {name} ---\n{self.parts[name]}" for name in ORDER if name in self.parts]
        self.write("engine.4th", "".join(engine))

    def end_step(self, step: int) -> None:
        shutil.copy(self.folder / "engine.4th", self.folder / f"step-{step}.4th")

    def run(self, command: str) -> str:
        words = shlex.split(command)
        if words[0] == "forthvm":
            words = ["-m", *words]
        else:
            assert words.pop(0) == "python"
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        )
        return done.stdout


def blocks() -> Iterator[tuple[int, str, str, str]]:
    """Yields step, kind, file name and text of each block."""
    step = 0
    for number, kind, name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        step = int(number) if number else step
        if kind:
            yield step, kind, name, text


def pattern(expected: str) -> str:
    """Returns a regular expression for the expected output of a command."""
    lines = [
        "(?s:.*)" if line == "…\n" else re.sub(r"(\\ )*…", r" *\\S+", re.escape(line))
        for line in expected.splitlines(keepends=True)
    ]
    return "".join(lines)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Follows the page and runs its commands; afterwards step-N.4th is the engine of step N."""
    folder = Reader(tmp_path_factory.mktemp("engine"))
    commands = last = 0
    for step, kind, name, text in blocks():
        if step != last:
            if last:
                folder.end_step(last)
            last = step
        if name:
            folder.write(name, text)
        elif kind == "forth":
            folder.add_parts(text)
        else:
            for entry in text.split("$ ")[1:]:
                command, _, expected = entry.partition("\n")
                printed = folder.run(command)
                assert re.fullmatch(pattern(expected), printed), f"{command}\n{printed}"
                commands += 1
    folder.end_step(last)
    shutil.copy(folder.folder / "before.4th", folder.folder / "step-0.4th")
    assert (last, set(folder.parts)) == (STEPS, set(ORDER))
    assert commands >= STEPS
    return folder


def scores(reader: Reader, step: int, depth: int) -> tuple[list[int], int]:
    """Returns the scores of a step's engine for depths 1 to `depth`.

    The second result is the number of positions searched at the greatest depth.
    """
    shutil.copy(reader.folder / f"step-{step}.4th", reader.folder / "engine.4th")
    game = forthvm.load(reader.folder / "middle.4th")
    found = []
    for limit in range(1, depth + 1):
        position = game.start()
        position.seed(0)  # as in the page's commands: equal moves are chosen at random
        found.append(forthvm.engines.get("script").play(position, forthvm.Limits(depth=limit)))
    assert [result.depth for result in found] == list(range(1, depth + 1))
    return [result.score or 0 for result in found], found[-1].nodes


@pytest.mark.slow
def test_pruning_changes_no_score(reader: Reader) -> None:
    """Steps 2 to 4 have the score of the native search; step 6 has that of step 5."""
    position = forthvm.load(reader.folder / "middle.4th").start()
    native = [
        forthvm.engines.get("negamax:quiescence=no,repetition=no")
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
def test_move_types_do_not_change_the_moves_of_breakthrough(reader: Reader) -> None:
    """The game of the page has the same legal moves as the bundled game."""
    mine = forthvm.load(reader.folder / "mine.4th").start()
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
def test_table_has_the_numbers_of_searched_positions(reader: Reader) -> None:
    for step, nodes in nodes_in_the_table().items():
        assert scores(reader, step, 4)[1] == int(nodes.replace(",", ""))


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 2])
def test_match_program_plays_a_game_repeatably(
    reader: Reader, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game number has the same winner when it is played a second time."""
    engines = [f"step-{number}.4th" for number in range(STEPS + 1)]
    shutil.copy(reader.folder / engines[step - 1], reader.folder / "before.4th")
    shutil.copy(reader.folder / engines[step], reader.folder / "engine.4th")
    monkeypatch.chdir(reader.folder)
    namespace: dict[str, object] = {"__name__": "match"}
    exec((reader.folder / "match.py").read_text(encoding="utf-8"), namespace)
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
    path = folder / f"my-{name}.4th"
    path.write_text(
        f"LOAD {name}.4th\nLOAD engine-template.4th\n{options}\n"
        f"{{players {declarations} players}}\n{{turn-order {turns} turn-order}}\n",
        encoding="utf-8",
    )
    return forthvm.load(path)


@pytest.mark.parametrize("name", GAMES)
def test_template_score_equals_native_search(name: str, tmp_path: Path) -> None:
    """Compares random positions, also within chains of jumps and before passes."""
    game, plain = game_with_template(tmp_path, name), forthvm.load(name)
    depth = GAMES[name][1]
    script = forthvm.engines.get("script")
    native = forthvm.engines.get("negamax:quiescence=no,repetition=no")
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
