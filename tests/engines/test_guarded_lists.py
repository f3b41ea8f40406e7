"""Searches that guard memory find the same moves, scores and nodes as with complete lists.

Owns examples of words that write memory before they read it, which is checked but not proven, and
of words that read what earlier words have left; and random words of both kinds.  See
native/game/guarded_memory.h.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from forthvm import ForthVMError
from forthvm.core.records import ListMode, SearchLimits
from forthvm.game import Position
from tests.engines import array_scripts, growing_scripts
from tests.engines.list_modes import list_mode
from tests.engines.random_lists import WORDS, code
from tests.engines.test_incomplete_lists import position_of

COMPLETE, PROVEN, GUARDED = ListMode.COMPLETE, ListMode.PROVEN, ListMode.GUARDED

EVALUATE = ": OnEvaluate ( -- n ) %s ;"
FIND = "36 BEGIN 1- DUP {test} IF DUP v ! TRUE ELSE DUP 0> NOT ENDIF UNTIL DROP"
FIND_FRIEND = FIND.format(test="friend-at?")
FIND_NOTHING = FIND.format(test="100 >")
ARRAY = "36 [] a[] "

KEPT = {
    "a position found by a loop": {"step": f"{FIND_FRIEND} v @ here <> verify"},
    "a position that a word returns": {
        "words": ": found ( -- pos ) v @ ;",
        "step": f"{FIND_FRIEND} found here <> verify",
    },
    "a position found by a loop of a hook": {
        "step": f"{FIND_FRIEND} v @ here <> verify",
        "hooks": EVALUATE % f"{FIND_FRIEND} v @",
    },
    "a cell of an array": {"words": ARRAY, "step": "7 here a[] ! here a[] @ 7 = verify"},
    "a list that is never empty": {
        "words": ARRAY + ": add ( n -- ) DUP 99 = IF DROP ELSE v @ a[] ! v ++ ENDIF ;",
        "step": "0 v ! here add from add 0 BEGIN DUP a[] @ 36 < verify 1+ DUP v @ >= UNTIL DROP",
    },
    "two variables": {
        "step": "here 99 <> IF here v ! here w ! ENDIF v @ w @ = verify",
        "hooks": EVALUATE % "here 99 <> IF 5 w ! ENDIF w @",
    },
}
RANKED = "{moves others {move} step {move-type} rare {move} step {move-type} staying moves}"
USE = "7 here a[] ! here a[] @ 7 = verify"
KEPT |= {
    "the turn order after an array": {
        "order": "36 [] a[] {turn-order {turn} White {turn} Black turn-order}",
        "step": USE,
    },
    "priorities after an array": {
        "words": "36 [] a[] {move-priorities {move-priority} staying {move-priority} rare"
        " move-priorities}",
        "step": USE,
        "after": RANKED + " {pieces {piece} man {moves} others pieces}",
    },
    "players after a table": {
        "order": "CREATE table 36 CELLS ALLOT : a[] ( i -- addr ) CELLS table + ;"
        " {players {player} White {player} Black players}"
        " {turn-order {turn} White {turn} Black turn-order}",
        "step": USE,
    },
}
KEPT |= array_scripts.WRITTEN | growing_scripts.WRITTEN

BROKEN = {
    "a position that is not found": {"step": f"{FIND_NOTHING} v @ here <> verify"},
    "a variable of the last word": {"step": "v @ here <> verify here v !"},
    "a variable of the last word, in a word": {
        "words": ": last ( -- pos ) v @ ;",
        "step": "last here <> verify here v !",
    },
    "a position that a hook does not find": {
        "step": "here v !",
        "hooks": EVALUATE % f"{FIND_NOTHING} v @ 7 AND",
    },
    "a cell of an array": {"words": ARRAY, "step": "here from a[] ! here a[] @ 7 AND 3 <> verify"},
    "a cell of an array, late": {
        "words": ARRAY,
        "step": "here from a[] ! turn-number 2 > IF here a[] @ 7 AND 3 <> verify ENDIF",
    },
    "a position as an index": {
        "words": ARRAY,
        "step": f"{FIND_NOTHING} v @ 35 AND a[] @ 5 <> verify here here a[] !",
    },
}

ORDERED = {
    "a variable that another word of the list has written": {
        "step": "here 30 < IF 3 v ! ENDIF v @ 3 = verify",
    },
}
"""Scripts whose words read what other words of the same list have written."""

COUNTERS = {
    "a counter": {"step": "v ++ v @ 3 AND verify"},
    "a sum": {"step": "here v +! v @ 3 AND verify"},
    "counting down": {"step": "v -- v @ 3 AND verify"},
    "a counter in an array": {"words": ARRAY, "step": "here a[] ++ here a[] @ 3 AND verify"},
}
"""Scripts whose moves depend on how often lists have been generated."""

BROKEN |= COUNTERS

UNGUARDED = {
    "a variable of the board": {
        "board": "{variable} sum",
        "step": "sum @ 99 <> verify here sum !",
    },
    "a word in the move": {
        "words": ": use ( -- ) v @ w ! ;",
        "step": "here v ! COMPILE use",
        "hooks": EVALUATE % "w @",
    },
    "OnNextTurn": {"step": "here v !", "hooks": ": OnNextTurn ( -- ) v @ w ! ;"},
    "the address of a variable": {"step": "here v ! v 0 + @ DROP"},
}


class Found(NamedTuple):
    """The result of a search: what must not depend on guards, and the steps."""

    move: int
    score: int
    nodes: int
    steps: int


def search(position: Position, lists: ListMode, depth: int = 3) -> Found | str:
    """Search; return the name of the error if the script fails."""
    with list_mode(position.copy(), lists) as native:
        native.search_reset()
        native.budget(steps=20_000_000)
        try:
            result = native.search_axiom(SearchLimits(depth=depth))
        except ForthVMError as error:
            return type(error).__name__
        return Found(result.best, result.score, result.nodes, native.steps())


def compare(folder: Path, parts: dict[str, str], depth: int = 3) -> tuple[int, int]:
    """Compare searches; return the steps without and with guards."""
    position = position_of(folder, **parts)
    complete, proven, guarded = (search(position, n, depth) for n in (COMPLETE, PROVEN, GUARDED))
    assert isinstance(complete, Found)
    assert isinstance(proven, Found)
    assert isinstance(guarded, Found)
    assert guarded[:3] == proven[:3] == complete[:3]
    return proven.steps, guarded.steps


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", KEPT)
def test_memory_that_is_written_first_is_guarded(tmp_path: Path, name: str) -> None:
    proven, guarded = compare(tmp_path, KEPT[name], depth=5)
    assert guarded < 0.9 * proven


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*BROKEN, *ORDERED])
def test_searches_are_repeated_if_memory_is_read_first(tmp_path: Path, name: str) -> None:
    proven, guarded = compare(tmp_path, (BROKEN | ORDERED)[name])
    assert guarded > proven


@pytest.mark.parametrize("name", UNGUARDED)
def test_memory_with_other_uses_is_not_guarded(tmp_path: Path, name: str) -> None:
    proven, guarded = compare(tmp_path, UNGUARDED[name])
    assert guarded == proven


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", growing_scripts.CHECKED)
def test_lists_of_which_other_cells_may_be_read(tmp_path: Path, name: str) -> None:
    compare(tmp_path, growing_scripts.CHECKED[name])


def test_a_guard_that_fails_is_not_tried_again(tmp_path: Path) -> None:
    position = position_of(tmp_path, **BROKEN["a variable of the last word"])
    first, second = (search(position, GUARDED) for _ in range(2))
    assert isinstance(first, Found)
    assert isinstance(second, Found)
    assert first[:3] == second[:3]
    assert second.steps < first.steps


def test_long_searches_guard_memory_by_themselves(tmp_path: Path) -> None:
    slow = "0 BEGIN 1+ DUP 200 = UNTIL DROP"
    position = position_of(tmp_path, step=f"{slow} {FIND_FRIEND} v @ here <> verify")
    proven, found = search(position, PROVEN, depth=7), search(position, ListMode.USUAL, depth=7)
    assert isinstance(proven, Found)
    assert isinstance(found, Found)
    assert found[:3] == proven[:3]
    assert found.steps < proven.steps


# What random words do with the variable `u` and with cells that they may not have written.
RISKS = (
    "here 20 > IF here u ! ENDIF u @ 3 AND w +!",
    "u @ w +! here u !",
    "36 BEGIN 1- DUP friend-at? OVER here > AND IF DUP u ! TRUE ELSE DUP 0> NOT ENDIF UNTIL DROP"
    " u @ w +!",
    "36 BEGIN 1- DUP enemy-at? IF DUP u ! TRUE ELSE DUP 0> NOT ENDIF UNTIL DROP u @ w +!",
    "here 7 AND a[] @ w +!",
    "0 a[] @ w +!",
    "here v @ a[] ! 3 u ! u @ a[] @ w +!",
    "0 BEGIN DUP a[] @ w +! 1+ DUP v @ >= UNTIL DROP",
)
HOOKS = (
    EVALUATE % "0 36 0 DO I friend-at? IF I I * 13 * 101 MOD + ENDIF LOOP",
    EVALUATE % "w @ 15 AND here +",
    EVALUATE % "0 v ! 3 add v @ 1- a[] @ here +",
    EVALUATE % "here 20 > IF here w ! ENDIF w @ 7 AND",
    EVALUATE % "here next-player FALSE 0 $GenerateMoves move-count $DeallocateMoves +",
    ": OnIsGameOver ( -- n ) next-player FALSE 0 $GenerateMoves move-count 0= $DeallocateMoves"
    " IF #WinScore ELSE #UnknownScore ENDIF ;",
)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_random_words_give_the_same_results(tmp_path: Path, part: int) -> None:
    guarded = 0
    for seed in range(100 * part, 100 * part + 100):
        rng = random.Random(seed)
        risk = rng.choice(RISKS) if rng.random() < 0.7 else ""
        words = f"{WORDS} VARIABLE u : work ( -- ) {code(rng, 1)} {risk} ;"
        reset = rng.choice(("0 v !", "0 v ! 2 add", "", "here 9 > IF 0 v ! ENDIF"))
        step = (
            f"{reset} 0 w ! {code(rng, 1)} {rng.choice(RISKS)} work"
            " v @ 0 < v @ 150 > OR IF 0 v ! ENDIF w @ 3 AND verify"
        )
        position = position_of(tmp_path, words=words, step=step, hooks=rng.choice(HOOKS))
        try:
            for _ in range(rng.randint(0, 3)):
                position.push(position.legal_moves[0])
            if len(position.legal_moves) == 0:
                continue
        except (ForthVMError, IndexError):  # the word has overwritten the dictionary; no moves
            continue
        complete, proven, found = (search(position, n) for n in (COMPLETE, PROVEN, GUARDED))
        assert found[:3] == complete[:3], (seed, words, step)
        guarded += isinstance(found, Found) and found.steps != proven[3]
    assert guarded > 10
