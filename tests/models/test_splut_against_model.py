"""Compare the model of Splut! with the counts of its rules page, and the script with the model.

The random games are in splut_games.py.  test_games_against_models.py also compares the default
rules (`article`) with two and four teams.
"""

from __future__ import annotations

import os
import random

import pytest

import forthvm
from tests.models import splut as model
from tests.models.lockstep import POSITIONS
from tests.models.splut import PRESETS, Options
from tests.models.splut_games import GAMES, Board, RandomGames, random_options

DEEP = bool(int(os.environ.get("FORTHVM_MODEL_DEEP", "0")))  # counts to greater depths

# Numbers of move sequences from section 14 of the rules page.  From ply 5 on, the counts of `duel
# official` follow the page's text; the page's table has 5600, 54177 and 449114.  One of the 691
# sequences of four steps ends the game: e2-e3, f8-f7, f7-f8 with e1-e2, then f2 onto e2 with a
# throw west on South's own wizard.  North has won (section 8), so North's three moves in that
# position do not count.
COUNTS = [
    ("splut", "official", [3, 9, 70, 210, 1653, 12358, 37387]),
    ("splut", "article", [3, 9, 69, 207, 1581, 11610, 34692]),
    ("splut-duel", "official", [3, 9, 79, 691, 5597, 54127, 448272]),
    ("splut-duel", "article", [3, 9, 78, 78, 707, 5917, 57552]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "preset", "counts"), COUNTS)
def test_model_counts(name: str, preset: model.Preset, counts: list[int]) -> None:
    begin = model.start(GAMES[name], preset)
    depth = 7 if DEEP else 5
    assert [model.perft(begin, n) for n in range(1, depth + 1)] == counts[:depth]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "preset", "counts"), COUNTS)
def test_script_counts(name: str, preset: model.Preset, counts: list[int]) -> None:
    position = forthvm.load(name, settings={"preset": preset}).start()
    depth = 7 if DEEP else 6
    assert [forthvm.perft(position, n) for n in range(1, depth + 1)] == counts[:depth]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lock", ["previous-turn", "round", "each-opponent"])
@pytest.mark.parametrize("home_locks", [False, True])
def test_counts_of_locks(name: str, lock: str, home_locks: bool) -> None:
    options = Options(lock=lock, home_locks=home_locks)  # type: ignore[arg-type]
    position = Board(name, options).game.start()
    for depth in range(1, 6):
        expected = model.perft(model.start(GAMES[name], options), depth)
        assert forthvm.perft(position, depth) == expected, depth


CASES = [
    ("splut", "official", POSITIONS),
    ("splut-duel", "official", POSITIONS),
    ("splut-three", "official", POSITIONS // 2),
    ("splut-three", "article", POSITIONS // 2),
    ("splut", "article", POSITIONS // 4),
    ("splut-duel", "article", POSITIONS // 4),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "preset", "positions"), CASES)
def test_random_games(name: str, preset: model.Preset, positions: int) -> None:
    """Compare games from the start and from random positions, many of them to the end."""
    options = PRESETS[preset]
    games = RandomGames(Board(name, options), random.Random(f"{name} {preset}"))
    games.from_start(options, positions // 2)
    games.from_random_positions(options, positions)
    events = games.events
    expected = ("won", "splut", "own wizard") if positions >= 500 else ("out",)
    assert events["levitated"]
    assert all(events[event] for event in expected), events


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_random_combinations(number: int) -> None:
    """Compare games under random options with all numbers of teams, from random positions."""
    chooser = random.Random(number)
    options = random_options(chooser)
    games = RandomGames(Board(list(GAMES)[number % 3], options), chooser)
    games.from_random_positions(options, POSITIONS // 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_throw_in_two_moves_is_the_same_game(name: str) -> None:
    options = PRESETS["article" if name == "splut" else "official"]
    games = RandomGames(Board(name, options, "partial"), random.Random(name))
    games.from_random_positions(options, POSITIONS // 10)
    assert games.events["splut"] + games.events["out"] > 0
