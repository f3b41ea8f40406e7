"""Alpha-beta and random games that guard memory give the results of complete lists.

Owns the comparisons for the examples of test_guarded_lists.py, and for random words.  See
native/game/guarded_memory.h.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from forthvm import ForthVMError, engines
from forthvm.core.bindings.searches import Cache
from forthvm.core.records import DeepeningOptions, ListMode, TreeOptions
from forthvm.game import Position
from tests.engines.list_modes import list_mode
from tests.engines.random_lists import WORDS, code
from tests.engines.test_guarded_lists import (
    ARRAY,
    BROKEN,
    COMPLETE,
    COUNTERS,
    GUARDED,
    HOOKS,
    KEPT,
    ORDERED,
    PROVEN,
    RISKS,
    UNGUARDED,
)
from tests.engines.test_incomplete_lists import position_of

CHECKED = ListMode.CHECKED
TABLE, OTHER_FEATURES = 1, 16 + 64  # principal variation search, repetition
PLAYOUTS = 40
RANKED = "priorities after an array"
FILLED_BY_HOOK = "filled by a hook before each list"


class Found(NamedTuple):
    """The result of a search, and the steps that it used."""

    result: tuple[object, ...]
    steps: int


def alpha_beta(position: Position, lists: ListMode, features: int = 0) -> Found:
    options = DeepeningOptions(features=features, depth=4)
    with list_mode(position.copy(), lists) as native:
        native.budget()
        cache = Cache(1 << 20) if features & TABLE else None
        found = native.deepening_search(options, cache)
        return Found((found.lines[0].moves[0], found.lines[0].score), native.steps())


def random_games(position: Position, lists: ListMode) -> Found | str:
    """Play random games; return their rewards, or the name of the error if the script fails."""
    with list_mode(position.copy(), lists) as native:
        native.budget(steps=20_000_000)
        try:
            sums, report = native.playouts(TreeOptions(PLAYOUTS, seed=3, playout_plies=20))
        except ForthVMError as error:
            return type(error).__name__
        assert report.playouts == PLAYOUTS
        return Found(sums, native.steps())


@pytest.mark.sampled(13)
@pytest.mark.parametrize("features", [0, OTHER_FEATURES, TABLE + OTHER_FEATURES])
@pytest.mark.parametrize("name", [name for name in KEPT if name != RANKED])
def test_alpha_beta_guards_memory(tmp_path: Path, name: str, features: int) -> None:
    position = position_of(tmp_path, **KEPT[name])
    complete, proven, guarded = (
        alpha_beta(position, n, features) for n in (COMPLETE, PROVEN, GUARDED)
    )
    assert guarded.result == proven.result == complete.result
    assert guarded.steps < proven.steps


@pytest.mark.sampled(5)
@pytest.mark.parametrize("features", [0, OTHER_FEATURES, TABLE + OTHER_FEATURES])
@pytest.mark.parametrize("name", BROKEN)
def test_alpha_beta_is_repeated_if_memory_is_read_first(
    tmp_path: Path, name: str, features: int
) -> None:
    position = position_of(tmp_path, **BROKEN[name])
    complete, proven, guarded = (
        alpha_beta(position, n, features) for n in (COMPLETE, PROVEN, GUARDED)
    )
    assert guarded.result == proven.result == complete.result
    assert guarded.steps > proven.steps


MADE = {
    "a variable that partial moves set": {
        "words": ": set ( n -- ) v ! ;",
        "step": "from 99 = IF v @ w ! 0 v ! ENDIF here 7 AND COMPILE-LITERAL COMPILE set partial",
    },
    "a variable that OnNextTurn sets in some turns": {
        "step": "here v !",
        "hooks": ": OnNextTurn ( -- ) turn-number 1 AND IF 0 v ! ENDIF OnNextTurn ;",
    },
    "an array that OnNextTurn changes in some turns": {
        "words": ARRAY,
        "step": "here 1 a[] !",
        "hooks": ": OnNextTurn ( -- ) turn-number 1 AND IF 0 1 a[] ! ENDIF OnNextTurn ;",
    },
    "scratch memory, which is no part of a position": {
        "words": "{scratch VARIABLE kept scratch}",
        "step": "here kept !",
        "hooks": ": OnNextTurn ( -- ) turn-number 1 AND IF 0 kept ! ENDIF OnNextTurn ;",
    },
    "a variable of lists that OnNextTurn generates in some turns": {
        "step": "here v !",
        "hooks": ": OnNextTurn ( -- ) turn-number 1 AND"
        " IF next-player FALSE 0 $GenerateMoves $DeallocateMoves ENDIF OnNextTurn ;",
    },
}


@pytest.mark.parametrize("name", MADE)
def test_positions_differ_by_what_lists_leave_where_moves_store(tmp_path: Path, name: str) -> None:
    """The table and the rule of repetition compare positions by the memory that moves change."""
    position = position_of(tmp_path, **MADE[name])
    nodes = set()
    for lists in (COMPLETE, PROVEN, GUARDED):
        with list_mode(position.copy(), lists) as native:
            options = DeepeningOptions(features=TABLE + OTHER_FEATURES, depth=4)
            nodes.add(native.deepening_search(options, Cache(1 << 20)).nodes)
    assert len(nodes) == 1


@pytest.mark.parametrize("name", ["a cell of an array, late", "a position that is not found"])
def test_a_repeated_search_keeps_what_it_has_found(tmp_path: Path, name: str) -> None:
    position = position_of(tmp_path, **BROKEN[name])
    depth = 0
    for nodes in range(2, 120):
        with list_mode(position.copy(), GUARDED) as native:
            found = native.deepening_search(DeepeningOptions(depth=6, nodes=nodes), None)
        assert found.depth >= depth, nodes
        assert found.lines[0].depth >= depth
        assert found.nodes <= nodes + 1
        depth = found.depth
    assert depth > 2


@pytest.mark.parametrize("name", UNGUARDED)
def test_memory_with_other_uses_is_not_guarded(tmp_path: Path, name: str) -> None:
    position = position_of(tmp_path, **UNGUARDED[name])
    assert alpha_beta(position, GUARDED) == alpha_beta(position, PROVEN)
    assert random_games(position, GUARDED) == random_games(position, PROVEN)


@pytest.mark.sampled(13)
@pytest.mark.parametrize("name", [name for name in KEPT if name not in [FILLED_BY_HOOK, RANKED]])
def test_random_games_draw_moves_of_guarded_words(tmp_path: Path, name: str) -> None:
    position = position_of(tmp_path, **KEPT[name])
    proven, guarded = (random_games(position, n) for n in (PROVEN, ListMode.USUAL))
    assert isinstance(guarded, Found)
    assert isinstance(proven, Found)
    assert guarded.steps < 0.9 * proven.steps
    assert random_games(position, 0) == guarded
    assert isinstance(random_games(position, CHECKED), Found)


@pytest.mark.parametrize("lists", [GUARDED, ListMode.USUAL, CHECKED])
def test_priorities_after_an_array_are_not_guarded(tmp_path: Path, lists: ListMode) -> None:
    position = position_of(tmp_path, **KEPT[RANKED])
    assert alpha_beta(position, lists).result == alpha_beta(position, COMPLETE).result
    found, complete = (random_games(position, n) for n in (lists, COMPLETE))
    assert isinstance(found, Found)
    assert isinstance(complete, Found)
    assert found.result == complete.result


@pytest.mark.parametrize("name", [*ORDERED, FILLED_BY_HOOK])
def test_random_games_do_not_draw_moves_of_words_that_read_what_others_leave(
    tmp_path: Path, name: str
) -> None:
    position = position_of(tmp_path, **(KEPT | ORDERED)[name])
    proven, guarded = (random_games(position, n) for n in (PROVEN, ListMode.USUAL))
    assert isinstance(guarded, Found)
    assert isinstance(proven, Found)
    assert guarded.steps > proven.steps
    assert isinstance(random_games(position, CHECKED), Found)


@pytest.mark.parametrize("name", [name for name in BROKEN if name not in COUNTERS])
def test_random_games_continue_after_memory_is_read_first(tmp_path: Path, name: str) -> None:
    position = position_of(tmp_path, **BROKEN[name])
    assert isinstance(random_games(position, CHECKED), Found)
    found = engines.get(f"mcts:playouts={PLAYOUTS},seed=3").play(position)
    assert found.info["playouts"] == PLAYOUTS
    assert str(found.move) in position.legal_moves.texts
    again = engines.get(f"mcts:playouts={PLAYOUTS},seed=3").play(position)
    assert (again.move, again.score) == (found.move, found.score)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_moves_that_random_words_draw_are_in_the_complete_list(tmp_path: Path, part: int) -> None:
    drawn = 0
    for seed in range(100 * part, 100 * part + 100):
        rng = random.Random(seed)
        words = f"{WORDS} VARIABLE u : work ( -- ) {code(rng, 1)} {rng.choice(RISKS)} ;"
        reset = rng.choice(("0 v !", "0 v ! 2 add"))
        step = f"{reset} 0 w ! {code(rng, 1)} work v @ 150 > IF 0 v ! ENDIF w @ 3 AND verify"
        position = position_of(tmp_path, words=words, step=step, hooks=rng.choice(HOOKS))
        try:
            if len(position.legal_moves) == 0:
                continue
        except (ForthVMError, IndexError):  # the word has overwritten the dictionary
            continue
        complete, proven, found = (random_games(position, n) for n in (COMPLETE, PROVEN, CHECKED))
        assert isinstance(found, Found) == isinstance(complete, Found), (seed, words, step)
        drawn += found != proven
    assert drawn > 10
