"""Compiled rule files play as the model does, and give the published numbers of moves."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.zrf.lockstep import play_together

GAMES = Path(__file__).with_name("games")

SLOW = {"chess", "los-alamos-chess", "mini-shogi", "recycle-chess", "thud", "yonin-shogi"}
TOGETHER = [
    "box-puzzle",
    "brazilian-draughts",
    "breakthrough",
    "chess",
    "english-draughts",
    "four-player-race",
    "international-draughts",
    "los-alamos-chess",
    "mini-shogi",
    "recycle-chess",
    "reversi",
    "thud",
    "tictactoe",
    "ur",
    "yonin-shogi",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in TOGETHER],
)
def test_random_games_are_those_of_the_model(name: str) -> None:
    assert play_together(GAMES / f"{name}.zrf", plies=60) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "count"),
    [("Chess", 8902), ("Position 2", 97862), ("Position 4", 9467), ("Position 5", 62379)],
)
def test_published_number_of_moves_of_chess(variant: str, count: int) -> None:
    game = forthvm.load(GAMES / "chess.zrf", variant=variant)
    assert forthvm.perft(game.start(), 3) == count


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("reversi", 6, 8200),  # contract, section 18, row 5
        ("thud", 2, 21736),  # row 6
        ("yonin-shogi", 4, 6561),  # row 7
        ("ur", 4, 1512),  # row 8
        ("mini-shogi", 3, 2512),  # row 10
        ("tictactoe", 5, 15120),  # row 11
    ],
)
def test_published_number_of_moves(name: str, depth: int, count: int) -> None:
    assert forthvm.perft(forthvm.load(GAMES / f"{name}.zrf").start(), depth) == count
