"""Fuzz tests of searches: results do not depend on which parts of lists are generated.

Random games are searched with complete lists and with all assumptions about what scripts observe:
moves, scores, numbers of nodes and counts of perft are equal, and so are the chances of random
games.  tests/fuzz/game_scripts.py makes the games.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from random import Random

import pytest

import forthvm
from forthvm import ForthVMError, engines
from forthvm.core.records import ListMode
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, perft
from tests.engines.list_modes import list_mode
from tests.fuzz.game_scripts import script
from tests.fuzz.harness import number_from_environment, seed
from tests.random_games import push_random_moves

GAMES = number_from_environment("FORTHVM_FUZZ_GAMES", 100)
PLAYED_GAMES = max(GAMES // 25, 1)
PLAYOUTS = 4000
PARTS = 4  # of the games, for parallel tests
MODES = (ListMode.USUAL, ListMode.GUARDED, ListMode.PROVEN)
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
    with position.enter() as native:
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


@pytest.mark.parametrize("part", range(PARTS))
def test_searches_with_all_assumptions(tmp_path: Path, part: int) -> None:
    path = tmp_path / "game.4th"
    found = 0
    for number in range(part, GAMES, PARTS):
        case = 1_000_000 * seed() + number
        path.write_text(script(case), encoding="utf-8")
        rng = Random(case)
        position = forthvm.load(path).start()
        try:
            push_random_moves(position, rng.choice((0, 0, 2, 4)), rng)
            playable = position.result is None and len(position.legal_moves) > 0
        except ForthVMError:
            continue
        if playable:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # assumptions that failed
                found += compare(position, rng)
    assert found > GAMES / PARTS


def test_random_games_with_all_assumptions(tmp_path: Path) -> None:
    """The mean rewards differ by at most five standard deviations of independent samples."""
    path = tmp_path / "game.4th"
    tolerance = 5 * 0.5 * math.sqrt(2 / PLAYOUTS)  # that of a reward is at most 0.5
    compared = 0
    for number in range(PLAYED_GAMES):
        path.write_text(script(1_000_000 * seed() + number), encoding="utf-8")
        rewards: dict[ListMode, dict[str, float]] = {}
        position = forthvm.load(path).start()
        for mode in (ListMode.COMPLETE, ListMode.USUAL, ListMode.GUARDED):
            try:
                with list_mode(position, mode):
                    rewards[mode] = random_playouts(position, PLAYOUTS, seed=mode, plies=12)
            except ForthVMError:  # perhaps in one of many games only
                break
        else:
            for player, expected in rewards[ListMode.COMPLETE].items():
                for mode in (ListMode.USUAL, ListMode.GUARDED):
                    assert rewards[mode][player] == pytest.approx(expected, abs=tolerance), number
            compared += 1
    assert compared > PLAYED_GAMES / 4
