"""Splut!: the model against the counts of its page, the script against the model.

Owns how much is compared; the walk is in splut_games.py.  The default rules (`article`) with
two and four teams are compared in test_games_against_models.py, too.
"""

from __future__ import annotations

import os
import random

import pytest

import forthvm
from tests.models import splut as model
from tests.models.lockstep import POSITIONS
from tests.models.splut import PRESETS, Options
from tests.models.splut_games import GAMES, Board, Walk, random_options

DEEP = bool(int(os.environ.get("FORTHVM_MODEL_DEEP", "0")))  # a minute more of counting

# Section 14; `duel official` from ply 5 on as its text has it.  The page's table says 5600,
# 54177 and 449114.  Of the 691 games of four steps one is decided: e2-e3, f8-f7, f7-f8 with
# e1-e2, f2 onto e2 throwing west on South's own wizard.  North has won (section 8), and the
# three moves that he would have there are not to be counted.
COUNTS = [
    ("splut", "official", [3, 9, 70, 210, 1653, 12358, 37387]),
    ("splut", "article", [3, 9, 69, 207, 1581, 11610, 34692]),
    ("splut-duel", "official", [3, 9, 79, 691, 5597, 54127, 448272]),
    ("splut-duel", "article", [3, 9, 78, 78, 707, 5917, 57552]),
]


@pytest.mark.parametrize(("name", "preset", "counts"), COUNTS)
def test_model_counts(name: str, preset: model.Preset, counts: list[int]) -> None:
    begin = model.start(GAMES[name], preset)
    depth = 7 if DEEP else 5
    assert [model.perft(begin, n) for n in range(1, depth + 1)] == counts[:depth]


@pytest.mark.parametrize(("name", "preset", "counts"), COUNTS)
def test_script_counts(name: str, preset: model.Preset, counts: list[int]) -> None:
    position = forthvm.load(name, settings={"preset": preset}).start()
    depth = 7 if DEEP else 6
    assert [forthvm.perft(position, n) for n in range(1, depth + 1)] == counts[:depth]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lock", ["previous-turn", "round", "each-opponent"])
@pytest.mark.parametrize("home_locks", [False, True])
def test_counts_of_locks(name: str, lock: str, home_locks: bool) -> None:
    options = Options(lock=lock, home_locks=home_locks)  # type: ignore[arg-type]
    position = Board(name, options).game.start()
    for depth in range(1, 6):
        found = model.perft(model.start(GAMES[name], options), depth)
        assert forthvm.perft(position, depth) == found, depth


CASES = [
    ("splut", "official", POSITIONS),
    ("splut-duel", "official", POSITIONS),
    ("splut-three", "official", POSITIONS // 2),
    ("splut-three", "article", POSITIONS // 2),
    ("splut", "article", POSITIONS // 4),
    ("splut-duel", "article", POSITIONS // 4),
]


@pytest.mark.parametrize(("name", "preset", "positions"), CASES)
def test_random_games(name: str, preset: model.Preset, positions: int) -> None:
    """Half from the start, half from random positions, many of them to the end."""
    options = PRESETS[preset]
    walk = Walk(Board(name, options), random.Random(f"{name} {preset}"))
    walk.from_start(options, positions // 2)
    walk.anywhere(options, positions)
    met = walk.met
    wanted = ("won", "splut", "own wizard") if positions >= 500 else ("out",)
    assert met["flown"]
    assert all(met[one] for one in wanted), met


@pytest.mark.parametrize("number", range(30))
def test_random_combinations(number: int) -> None:
    """Any options, any number of teams, from random positions to the end."""
    chooser = random.Random(number)
    options = random_options(chooser)
    walk = Walk(Board(list(GAMES)[number % 3], options), chooser)
    walk.anywhere(options, POSITIONS // 25)


@pytest.mark.parametrize("name", GAMES)
def test_throw_in_two_moves_is_the_same_game(name: str) -> None:
    options = PRESETS["article" if name == "splut" else "official"]
    walk = Walk(Board(name, options, "partial"), random.Random(name))
    walk.anywhere(options, POSITIONS // 10)
    assert walk.met["splut"] + walk.met["out"] > 0
