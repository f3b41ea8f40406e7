"""Yonin Shogi: the model against the numbers of its page, the script against the model.

Owns how much is compared; the walk through random games is in yonin_shogi_games.py.  The
script is known by its names only; it is not looked at.
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
from tests.models.yonin_shogi_games import Walk, random_options, translation
from tests.models.yonin_shogi_positions import OPTION_VALUES

DEEP = bool(int(os.environ.get("FORTHVM_MODEL_DEEP", "0")))  # a minute more of counting

# --- section 9: the model alone ----------------------------------------------------------------

COUNTS = [
    (Options(), [9, 81, 729, 6561, 82134, 1055321]),
    (Options(check_shift=False), [9, 81, 729, 6561, 82134, 1055321]),
    (Options(rules="capture"), [9, 81, 729, 6561, 82134, 1056374]),
]


@pytest.mark.parametrize(("options", "counts"), COUNTS, ids=["mate", "strict order", "capture"])
def test_model_counts(options: Options, counts: list[int]) -> None:
    depth = 6 if DEEP else 5 if options.rules == "capture" else 4
    found = [model.perft(model.start(options), n) for n in range(1, depth + 1)]
    assert found == counts[:depth]


@pytest.mark.parametrize(("options", "counts"), COUNTS, ids=["mate", "strict order", "capture"])
def test_script_counts(options: Options, counts: list[int]) -> None:
    position = translation(options).game.start()
    depth = 6 if DEEP else 5
    assert [forthvm.perft(position, n) for n in range(1, depth + 1)] == counts[:depth]


# --- the script against the model --------------------------------------------------------------


def test_default_rules() -> None:
    """From the start: games that mostly go to their end."""
    walk = Walk(Options(), random.Random(2))
    met = walk.play(POSITIONS)
    assert min(met["won"], met["out"], met["shifted"]) >= max(1, POSITIONS // 400), met


def test_without_greed() -> None:
    """Plain random moves: hands grow large."""
    Walk(Options(), random.Random(1), greed=0).play(POSITIONS // 20)


def test_captured_kings() -> None:
    """The rule set `capture`."""
    walk = Walk(Options(rules="capture"), random.Random(3))
    met = walk.play(POSITIONS // 2)
    assert met["out"] >= max(1, POSITIONS // 250), met


def test_repetition() -> None:
    """Kings and golds that go back and forth until a position is there once more."""
    walk = Walk(Options(), random.Random(5), homesick=True)
    pieces = {"9i": "South king", "9a": "West king", "1a": "North king", "1i": "East king"}
    men = {"7g": "South gold", "6d": "West gold", "4c": "North gold", "3f": "East gold"}
    for _ in range(5):
        walk.game(40, (model.position({**pieces, **men}), {}))
    assert walk.met["drawn"], walk.met


VALUES = [(name, value) for name, values in OPTION_VALUES.items() for value in values[1:]]


@pytest.mark.parametrize(("name", "value"), [("rules", "mate"), *VALUES])
def test_each_option(name: str, value: str) -> None:
    """From random positions with few pieces, until an army has fallen."""
    typed = {"on": True, "off": False}.get(value, value)
    options = replace(Options(), **{name.replace("-", "_"): typed})
    walk = Walk(options, random.Random(f"{name} {value}"), greed=0.8)
    while not walk.met["out"]:
        walk.play(walk.positions + POSITIONS // 40, anywhere=True)


@pytest.mark.parametrize("number", range(20))
def test_random_combinations(number: int) -> None:
    """Games from random positions to their end."""
    chooser = random.Random(number)
    options = random_options(chooser)
    Walk(options, chooser).play(POSITIONS // 20, anywhere=True)
