"""Compare the model of Yonin Shogi with its rules page, and the script with the model.

The random games are in yonin_shogi_games.py.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest

import forthvm
from tests.models import yonin_shogi as model
from tests.models.lockstep import POSITIONS
from tests.models.yonin_shogi import Options
from tests.models.yonin_shogi_games import RandomGames, random_options, translation
from tests.models.yonin_shogi_positions import OPTION_VALUES

DEEP = bool(int(os.environ.get("FORTHVM_MODEL_DEEP", "0")))  # counts to greater depths

# --- numbers of move sequences in section 9 of the rules page ----------------------------------

COUNTS = [
    (Options(), [9, 81, 729, 6561, 82134, 1055321]),
    (Options(check_shift=False), [9, 81, 729, 6561, 82134, 1055321]),
    (Options(rules="capture"), [9, 81, 729, 6561, 82134, 1056374]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "counts"), COUNTS, ids=["mate", "strict order", "capture"])
def test_model_counts(options: Options, counts: list[int]) -> None:
    depth = 6 if DEEP else 5 if options.rules == "capture" else 4
    found = [model.perft(model.start(options), n) for n in range(1, depth + 1)]
    assert found == counts[:depth]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("options", "counts"), COUNTS, ids=["mate", "strict order", "capture"])
def test_script_counts(options: Options, counts: list[int]) -> None:
    position = translation(options).game.start()
    depth = 6 if DEEP else 5
    assert [forthvm.perft(position, n) for n in range(1, depth + 1)] == counts[:depth]


# --- the script against the model --------------------------------------------------------------


@pytest.mark.slow
def test_random_games_under_the_default_rules() -> None:
    """Compare games from the initial position, most of them to the end."""
    games = RandomGames(Options(), random.Random(2))
    events = games.play(POSITIONS)
    assert min(events["won"], events["out"], events["skipped"]) >= max(1, POSITIONS // 400), events


def test_games_of_purely_random_moves() -> None:
    """Compare games of purely random moves, in which hands grow large."""
    RandomGames(Options(), random.Random(1), greed=0).play(POSITIONS // 20)


@pytest.mark.slow
def test_games_under_the_rule_set_capture() -> None:
    """Compare games under the rule set `capture`."""
    games = RandomGames(Options(rules="capture"), random.Random(3))
    events = games.play(POSITIONS // 2)
    assert events["out"] >= max(1, POSITIONS // 250), events


@pytest.mark.slow
def test_repeated_positions() -> None:
    """Compare games in which kings and golds move back and forth until positions repeat."""
    games = RandomGames(Options(), random.Random(5), repeat_positions=True)
    kings = {"9i": "South king", "9a": "West king", "1a": "North king", "1i": "East king"}
    golds = {"7g": "South gold", "6d": "West gold", "4c": "North gold", "3f": "East gold"}
    for _ in range(5):
        games.play_game(40, (model.position({**kings, **golds}), {}))
    assert games.events["drawn"], games.events


# The first value of each option is its default.
VALUES = [(name, value) for name, values in OPTION_VALUES.items() for value in values[1:]]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("rules", "mate"), *VALUES])
def test_games_under_each_option(name: str, value: str) -> None:
    """Compare games from random positions with few pieces, until a player is eliminated."""
    typed = {"on": True, "off": False}.get(value, value)
    options = replace(Options(), **{name.replace("-", "_"): typed})
    games = RandomGames(options, random.Random(f"{name} {value}"), greed=0.8)
    while not games.events["out"]:
        games.play(games.positions + POSITIONS // 40, random_positions=True)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
def test_random_combinations(number: int) -> None:
    """Compare games from random positions under random combinations of options."""
    chooser = random.Random(number)
    options = random_options(chooser)
    RandomGames(options, chooser).play(POSITIONS // 20, random_positions=True)
