"""The checks of the kit for bundled games, on rule files: undo, notation, copies, random games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

import forthvm
from forthvm.zrf.rule_file import read_rule_file
from tests.bundled_games import kit
from tests.zrf.perft_tables import game_files

HASH_EVERY = 20  # plies; the check is slow: it reads a document and makes every move
QUICK = {"box-puzzle", "breakthrough", "english-draughts", "four-player-race", "tictactoe"}


@dataclass(frozen=True)
class RuleFileCase(kit.Case):
    """A game or variant of a rule file."""

    variant: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.variant}"

    @cache  # noqa: B019 - games stay loaded for the whole session
    def game(self) -> forthvm.Game:
        """The loaded game."""
        return forthvm.load(self.path, variant=self.variant, output=lambda text: None)


def _cases() -> Iterator[object]:
    for path in game_files():
        for index, title in enumerate(read_rule_file(path).titles):
            case = RuleFileCase(path.stem, path, False, 150, title)
            marks = [] if path.stem in QUICK and index == 0 else [pytest.mark.slow]
            yield pytest.param(case, id=str(case), marks=marks)


cases = pytest.mark.parametrize("case", list(_cases()))


@pytest.mark.sampled(2)
@cases
def test_loads_cleanly(case: RuleFileCase) -> None:
    printed: list[str] = []
    game = forthvm.load(case.path, variant=case.variant, output=printed.append)
    assert "".join(printed).strip() == ""
    assert list(map(str, game._loaded.vm.warnings)) == []
    assert game.start() == game.start()


@pytest.mark.slow
@cases
@pytest.mark.parametrize("most", [6, pytest.param(30, marks=pytest.mark.slow)])
def test_moves_of_some_positions(case: RuleFileCase, most: int) -> None:
    kit.check_moves_of_some_positions(case, most)


@pytest.mark.sampled(3)
@cases
def test_copies(case: RuleFileCase) -> None:
    kit.check_copies_in_a_game(case)


@pytest.mark.sampled(2)
@cases
def test_random_games(case: RuleFileCase) -> None:
    """Check undo in every position of two random games, the hash in some."""
    for seed in (100, 101):
        position = case.start()
        for index in kit.steps(position, seed, 150):
            if index >= 0:
                kit.check_undo(position, index)
            if position.ply % HASH_EVERY == 0:
                kit.check_hash(position)


@cases
def test_random_games_repeat(case: RuleFileCase) -> None:
    first, second = case.start(), case.start()
    assert kit.playout(first, seed=42, plies=80) == kit.playout(second, seed=42, plies=80)
    assert first == second
