"""Fuzz tests of searches: results do not depend on which parts of lists are generated.

The scripts promise nothing, so random games are searched with complete lists in both modes: moves,
scores, numbers of nodes and counts of perft are equal.  Playouts draw other random numbers,
but make moves with the same frequencies.  tests/fuzz/game_scripts.py makes the games.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import forthvm
from forthvm import ForthVMError, engines
from forthvm.core.records import ListMode
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, perft
from tests.engines.list_modes import list_mode
from tests.fuzz.chi_square import p_value
from tests.fuzz.game_scripts import moves_of_games, script
from tests.fuzz.harness import number_from_environment, seed
from tests.kit.random_games import push_random_moves

GAMES = number_from_environment("FORTHVM_FUZZ_GAMES", 100)
PLAYED_GAMES = max(GAMES // 25, 1)
PLAYOUTS = 2000
PLIES = 8  # of a random game
END = ""  # instead of the moves of a game that has ended
PARTS = 4  # of the games, for parallel tests
MODES = (ListMode.PROMISED,)
SEARCHES = (
    "axiom:depth=%d",
    "negamax:depth=%d",
    "negamax:depth=%d,quiescence=off",
    "negamax:depth=%d,tt=0,pvs=off,killers=off,history=off",
    "maxn:depth=%d",
    "brs:depth=%d",
)
NODES = 2000


def searched(position: Position, spec: str) -> object:
    """Return the result of a search, or the kind of its failure."""
    with position._in_memory() as native:
        native.search_reset()  # the table of the original's search outlives a search
    try:
        found = engines.get(f"{spec},nodes={NODES}").play(position)
    except ForthVMError as error:
        return type(error)
    return str(found.move), found.score, found.nodes


def counted(position: Position, depth: int) -> object:
    """Return the number of move sequences, or the kind of failure."""
    try:
        return perft(position, depth)
    except ForthVMError as error:
        return type(error)


def compare(position: Position, rng: Random) -> int:
    """Compare searches and perft of a position in all modes; return how many had a result."""
    specs = {rng.choice(SEARCHES) % rng.randint(1, 5) for _ in range(2)}
    depth = rng.randint(1, 5)
    found = 0
    with list_mode(position, ListMode.COMPLETE):
        expected = {spec: searched(position, spec) for spec in specs}
        count = counted(position, depth)
    for mode in MODES:
        with list_mode(position, mode):
            for spec, result in expected.items():
                assert searched(position, spec) == result, (position.ply, spec, mode.name)
                found += not isinstance(result, type)
            assert counted(position, depth) == count, (position.ply, depth, mode.name)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_searches_with_all_assumptions(tmp_path: Path, part: int) -> None:
    path = tmp_path / "game.4th"
    found = 0
    for number in range(part, GAMES, PARTS):
        case = 1_000_000 * seed() + number
        path.write_text(script(case), encoding="utf-8")
        rng = Random(case)
        level = 140 if case % 5 == 0 else 150  # at level 140 moves have texts
        try:
            position = forthvm.load(path, axiom=level).start()
            push_random_moves(position, rng.choice((0, 0, 2, 4)), rng)
            playable = position.result is None and len(position.legal_moves) > 0
        except ForthVMError:
            continue
        if playable:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # assumptions that failed
                found += compare(position, rng)
    assert found > GAMES / PARTS


@dataclass
class Playouts:
    """Random games from a position, whose moves are printed."""

    rewards: dict[str, float]
    """Mean rewards by player."""
    moves: list[Counter[tuple[str, ...]]]
    """How often a move and the one after it were made, by the number of the first move."""

    def differs(self, other: Playouts, *, deviations: float, chance: float) -> bool:
        """Return whether samples of this size that differ as much are that unlikely."""
        tolerance = deviations * 0.5 * math.sqrt(2 / self.moves[0].total())
        return any(
            abs(reward - other.rewards[player]) > tolerance
            for player, reward in self.rewards.items()
        ) or any(p_value(*both) < chance for both in zip(self.moves, other.moves, strict=True))


def playouts(
    position: Position, mode: ListMode, count: int, rng: Random, printed: list[str]
) -> Playouts:
    """Play random games; printed: what the script prints."""
    printed.clear()
    with list_mode(position, mode):
        rewards = random_playouts(position, count, seed=rng.getrandbits(32), plies=PLIES)
    games = [(*game, END, END, END) for game in moves_of_games("".join(printed))]
    games += [(END,) * 4] * (count - len(games))  # only passes
    moves = [Counter(game[at : at + 2] for game in games) for at in range(3)]
    return Playouts(rewards, moves)


def compare_playouts(position: Position, rng: Random, printed: list[str]) -> None:
    """Compare samples in all modes, and larger ones where the difference is unlikely."""

    def sample(mode: ListMode, count: int) -> Playouts:
        return playouts(position, mode, count, rng, printed)

    expected = sample(ListMode.COMPLETE, PLAYOUTS)
    for mode in MODES:
        if sample(mode, PLAYOUTS).differs(expected, deviations=4, chance=1e-4):
            more = sample(mode, 10 * PLAYOUTS), sample(ListMode.COMPLETE, 10 * PLAYOUTS)
            assert not more[0].differs(more[1], deviations=6.5, chance=1e-9), mode.name


@pytest.mark.slow
def test_random_games_with_all_assumptions(tmp_path: Path) -> None:
    """Moves are as frequent, and mean rewards equal, as far as samples show.

    A comparison of equal distributions fails with a probability of 1e-9, and only if smaller
    samples have differed before.
    """
    path = tmp_path / "game.4th"
    compared = 0
    for number in range(PLAYED_GAMES):
        case = 1_000_000 * seed() + number
        path.write_text(script(case, reports=True), encoding="utf-8")
        rng = Random(case)
        printed: list[str] = []
        position = forthvm.load(path, output=printed.append).start()
        try:
            push_random_moves(position, rng.choice((0, 0, 1, 3)), rng)
            if position.result is None and not position.is_stuck:
                compare_playouts(position, rng, printed)
                compared += 1
        except ForthVMError:  # perhaps in one of many games only
            continue
        except AssertionError as error:
            raise AssertionError(f"game {number}: {error}") from None
    assert compared > PLAYED_GAMES / 4
