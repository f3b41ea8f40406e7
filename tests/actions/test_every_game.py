"""Actions of all bundled games, golden games, games of the benchmarks and rule files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.game import ActionError, Game, Position
from tests.every_game import BUNDLED, every_game
from tests.random_games import push_random_move

ROOT = Path(__file__).parent.parent.parent
GOLDEN = sorted((ROOT / "tests" / "golden" / "games").glob("*.4th"))
BENCHMARKS = sorted((ROOT / "benchmarks" / "games").glob("*.4th"))
RULE_FILES = sorted((ROOT / "tests" / "zrf" / "games").glob("*.zrf"))
COMBINATIONS = {"thud-choice", "rithmomachia-2", "yonin-shogi.zrf", "pits-2x6.4th"}
"""Games whose moves have many combinations of effects: only the moves seen are numbered."""

RARE = {"chess": "types", "pits-2x6.4th": "pieces"}
"""Games in which the few games of these tests may lack a position that needs this detail."""


def positions(game: Game, games: int, plies: int, seed: int) -> Iterator[Position]:
    """Yield the positions of random games in which a player has a move."""
    chooser = random.Random(seed)
    for _ in range(games):
        position = game.start()
        position.seed(chooser.randrange(2**31))
        for _ in range(plies):
            if position.result is None and not position.is_stuck:
                yield position
            push_random_move(position, chooser)


def check_game(game: Game, *, games: int, plies: int, name: str) -> None:
    """Check that equal numbers mean equal moves, in positions that were not explored."""
    complete = name not in COMBINATIONS
    game.actions.renumber(detail=RARE.get(name), games=games, plies=plies, complete=complete)
    first = [game.actions.text(number) for number in range(len(game.actions))]
    unknown = 0
    for position in positions(game, games, plies, 99):
        moves = position.legal_moves
        try:
            numbers = position.legal_actions.tolist()
        except ActionError:
            unknown += 1
            assert game.actions.explore(games=1, plies=1, starts=[position], complete=False) > 0
            numbers = position.legal_actions.tolist()
        assert len(numbers) == len(moves)
        by_number = dict(zip(reversed(numbers), reversed(moves), strict=True))
        for number, move in zip(numbers, moves, strict=True):
            other = by_number[number]
            assert other is move or (other.changes, other.type) == (move.changes, move.type)
        assert position.move_of(numbers[-1]).action == numbers[-1] == moves[-1].action
    # Growth has not changed the known numbers.
    assert [game.actions.text(number) for number in range(len(first))] == first
    assert unknown == 0 or not complete or len(first) > 1000 or games < 10


@every_game()
def test_bundled_games(name: str) -> None:
    check_game(forthvm.load(name), games=6, plies=60, name=name)


@pytest.mark.slow
@pytest.mark.parametrize("path", [*GOLDEN, *BENCHMARKS, *RULE_FILES], ids=lambda path: path.name)
def test_other_games(path: Path) -> None:
    check_game(forthvm.load(path), games=5, plies=50, name=path.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [entry.name for entry in BUNDLED if entry.variant_of is None], ids=str
)
def test_default_numbers_contain_all_moves_of_other_random_games(name: str) -> None:
    """With the default budget a random game rarely has a move without a number."""
    game = forthvm.load(name)
    total = unknown = 0
    for position in positions(game, 10, 1000, 7):
        total += 1
        try:
            assert len(position.legal_actions) == len(position.legal_moves)
        except ActionError:
            unknown += 1
    assert unknown <= total / 100
