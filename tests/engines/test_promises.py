"""Searches leave out parts of lists only if the script promises that this makes no difference.

Owns the comparison of searches and counts with those that generate every list completely: scripts
without promises, scripts whose promises are true, and the bundled games that promise.  See
native/game/promises.h and docs/reference/promises.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

import forthvm
from forthvm import engines
from forthvm.core.records import ListMode, Option, SearchLimits
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, perft
from tests.engines.list_modes import list_mode
from tests.kit.games import load_text
from tests.kit.random_games import push_random_moves

INDEPENDENT = "TRUE CONSTANT independent-moves\n"
KEPT = INDEPENDENT + "TRUE CONSTANT hooks-keep-moves\n"
IGNORED = KEPT + "TRUE CONSTANT hooks-ignore-moves\n"
NODES = 2000
SEARCHES = (
    "negamax:depth=3",
    "negamax:depth=3,quiescence=off",
    "negamax:depth=3,tt=0,pvs=off,killers=off,history=off",
    "maxn:depth=2",
    "brs:depth=2",
)

# Men step to the right on six rows; a step to the last column is not possible.
GAME = r"""
{board 6 6 {grid} %(board)s board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
VARIABLE v
%(words)s
: step ( -- ) right verify empty? verify %(check)s from here move %(step)s add-move ;
{moves steps {move} step moves}
{pieces {piece} man {moves} steps pieces}
%(after)s
{board-setup
	{setup} White man a1 {setup} White man a2 {setup} White man a3
	{setup} Black man a4 {setup} Black man a5 {setup} Black man a6
board-setup}
%(hooks)s
"""
EVALUATE = ": OnEvaluate ( -- n ) %s ;"
# The OnIsGameOver of the library asks whether there are moves.
ENDLESS = ": OnIsGameOver ( -- n ) #UnknownScore ; "
TERMINAL = " : OnIsTerminal? ( -- ? ) here from + 35 > turn-number 4 < NOT OR ;"
PRIORITIES = """
{moves others {move} step {move-type} rare {move} step {move-type} going
	{move} step {move-type} staying moves}
{pieces {piece} man {moves} others pieces}
{move-priorities {move-priority} rare {move-priority} staying {move-priority} going move-priorities}
"""

PROMISING: dict[str, dict[str, str]] = {
    "no hooks": {"words": KEPT},
    "hooks that ignore everything": {"words": IGNORED, "hooks": ENDLESS},
    "hooks that read the board": {
        "words": IGNORED,
        "hooks": ENDLESS
        + EVALUATE % "current-player material-balance here 100 * from + + current-piece +",
    },
    "whether there are moves": {
        "words": KEPT,
        "hooks": EVALUATE % "stalemate? IF 5 ELSE here from + ENDIF",
    },
    "the number of moves, tested for 0": {
        "words": KEPT,
        "hooks": EVALUATE % "move-count 0= IF 5 ELSE 6 ENDIF",
    },
    "a forced pass": {
        "words": KEPT,
        "check": "turn-number 3 < verify",
        "hooks": EVALUATE % "$passed @ 5 AND here +" + " $passTurnForced ON",
    },
    "priorities": {"words": KEPT, "after": PRIORITIES, "hooks": EVALUATE % "here from +"},
    "equal moves that count once": {
        "words": KEPT,
        "step": "add-move from here move",
        "after": "$uniqueMoves ON",
        "hooks": EVALUATE % "here from +",
    },
    "a variable of the board that moves change": {
        "board": "{variable} sum",
        "words": IGNORED + ": add ( n -- ) sum +! ;",
        "check": "sum @ 3 AND 3 <> verify",
        "step": "here COMPILE-LITERAL COMPILE add",
        "hooks": ENDLESS + EVALUATE % "sum @",
    },
    "a variable that OnGenerateMoves computes": {
        "words": IGNORED + ": OnGenerateMoves ( -- ) turn-number 1 AND v ! ;",
        "check": "v @ here 8 > OR verify",
        "hooks": ENDLESS,
    },
    "a variable that each word writes first": {
        "words": IGNORED,
        "check": "here v ! v @ 3 > verify",
        "hooks": ENDLESS,
    },
    "positions that are searched on": {
        "words": IGNORED,
        "hooks": ENDLESS + EVALUATE % "here" + TERMINAL,
    },
    "a hook that restores the board": {
        "words": KEPT,
        "hooks": ": OnIsTerminal? ( -- ? ) 5 board[] @ 0 5 board[] ! 5 board[] !"
        " stalemate? turn-number 4 > OR ;",
    },
    "a hook that generates a list": {
        "words": KEPT,
        "hooks": EVALUATE % "next-player FALSE 0 $GenerateMoves move-count $DeallocateMoves",
    },
    "partial moves": {
        "words": KEPT,
        "step": "here 6 MOD 2 < IF partial ENDIF",
        "hooks": EVALUATE % "here from +",
    },
    "drops": {
        "words": KEPT + ": put ( -- ) empty? verify here 7 = verify drop add-move ;",
        "after": "{moves puts {move} put moves} {pieces {piece} man {moves} steps {drops} puts"
        " {piece} ghost pieces}",
        "hooks": EVALUATE % "here from +",
    },
}
"""Parts of scripts whose promises are true."""

HIDDEN: dict[str, dict[str, str]] = {
    "a counter of moves": {"step": "v ++", "hooks": EVALUATE % "v @"},
    "an item of the return stack": {
        "words": ": keep ( n -- ) R> SWAP >R >R ; : kept ( -- n ) R> R> SWAP >R ;",
        "check": "here keep kept v +!",
        "hooks": EVALUATE % "v @",
    },
    "a computed token": {
        "words": ": count ( -- ) v ++ ; ' count 1- CONSTANT before",
        "check": "before 1+ EXECUTE",
        "hooks": EVALUATE % "v @",
    },
    "the number of moves": {"hooks": EVALUATE % "move-count"},
    "the first move": {"hooks": EVALUATE % "$FirstMove"},
    "an address beside a variable": {"step": "here v 0 + !", "hooks": EVALUATE % "v @"},
}
"""Parts of scripts that observe more of lists than a search may leave out; they promise nothing."""


def position_of(folder: Path, axiom: int = 150, **parts: str) -> Position:
    texts = dict.fromkeys(("board", "words", "check", "step", "after", "hooks"), "") | parts
    return load_text(folder, GAME % texts, axiom=axiom).start()


def axiom_search(position: Position, depth: int, mode: ListMode) -> tuple[object, int]:
    """Return what the original's search finds, and its number of steps."""
    texts = position.generated_moves.texts
    with list_mode(position, mode) as native:
        native.search_reset()
        native.budget()
        found = native.search_axiom(SearchLimits(depth=depth, nodes=NODES))
        move = texts[native.move_list().index(found.best)]
        return (move, found.score, found.nodes), native.steps()


def searched(position: Position, spec: str) -> tuple[str, int | None, int | None]:
    found = engines.get(f"{spec},nodes={NODES},net=none").play(position)
    return str(found.move), found.score, found.nodes


def random_positions(start: Position, seed: int) -> Iterator[Position]:
    """Yield positions of a random game that is not over."""
    rng = Random(seed)
    for plies in (0, 1, 2, 5):
        push_random_moves(start, plies, rng)
        if start.result is not None or not start.legal_moves:
            return
        yield start


def compare(position: Position, depths: tuple[int, ...] = (1, 2, 3)) -> int:
    """Compare searches and counts with and without complete lists; return the steps saved."""
    saved = 0
    for depth in depths:
        expected, steps = axiom_search(position, depth, ListMode.COMPLETE)
        found, fewer = axiom_search(position, depth, ListMode.PROMISED)
        assert found == expected, (position.ply, depth)
        saved += steps - fewer
    with list_mode(position, ListMode.COMPLETE):
        expectations = [searched(position, spec) for spec in SEARCHES]
    assert [searched(position, spec) for spec in SEARCHES] == expectations, position.ply
    return saved


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PROMISING)
def test_true_promises_change_no_result_and_save_steps(tmp_path: Path, name: str) -> None:
    start = position_of(tmp_path, **PROMISING[name])
    saved = [compare(position) for position in random_positions(start, seed=4)]
    assert min(saved) >= 0
    assert max(saved) > 0, "the promise saves nothing"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROMISING)
def test_counts_are_those_of_a_host(tmp_path: Path, name: str) -> None:
    start = position_of(tmp_path, **PROMISING[name])
    for position in random_positions(start, seed=5):
        before = position.copy()
        with list_mode(position, ListMode.COMPLETE):
            expected = [perft(position, depth) for depth in (3, 4)]
        assert [perft(position, depth) for depth in (3, 4)] == expected
        assert position == before


def test_promises_also_hold_at_level_140(tmp_path: Path) -> None:
    """There searches make no texts if the script promises that no word reads the records."""
    start = position_of(tmp_path, axiom=140, **PROMISING["hooks that read the board"])
    assert sum(compare(position) for position in random_positions(start, seed=6)) > 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HIDDEN)
def test_without_a_promise_every_list_is_complete(tmp_path: Path, name: str) -> None:
    """The steps are equal, too."""
    start = position_of(tmp_path, **HIDDEN[name])
    assert {compare(position) for position in random_positions(start, seed=7)} == {0}


@contextmanager
def promised_by_the_host(position: Position, promises: int) -> Iterator[None]:
    with position._in_memory() as native:
        native.set_option(Option.PROMISES, promises)
        yield
        native.set_option(Option.PROMISES, 0)


def test_the_host_can_promise_in_place_of_the_script(tmp_path: Path) -> None:
    position = position_of(tmp_path)
    with promised_by_the_host(position, 3):
        assert compare(position) > 0
    assert compare(position) == 0


@pytest.mark.parametrize(
    "definition", ["FALSE CONSTANT independent-moves", ": independent-moves TRUE ;"]
)
def test_only_a_constant_that_is_not_0_promises(tmp_path: Path, definition: str) -> None:
    assert compare(position_of(tmp_path, words=KEPT + definition)) == 0


def test_a_filter_of_lists_ends_all_promises(tmp_path: Path) -> None:
    """OnMovesGenerated sees complete lists."""
    hooks = ": OnMovesGenerated ( -- ) $FirstMove $RemoveMove ;"
    assert compare(position_of(tmp_path, words=KEPT, hooks=hooks)) == 0


# --- bundled games ------------------------------------------------------------------------


PROMISING_GAMES = (
    "amazons",
    "brandubh",
    "breakthrough",
    "connect-four",
    "go-9x9",
    "gomoku",
    "hex",
    "oware",
    "rithmomachia",
    "rithmomachia-2",
    "splut",
    "splut-duel-official",
    "tablut",
    "tictactoe",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROMISING_GAMES)
def test_promises_of_bundled_games(name: str) -> None:
    assert forthvm.load(name)._loaded.vm.find("hooks-keep-moves") is not None
    for seed in range(3):
        start = forthvm.load(name, seed=3).start()
        push_random_moves(start, 6 * seed, Random(seed))
        if start.result is None and start.legal_moves:
            compare(start, depths=(2,))
            with list_mode(start, ListMode.COMPARED):
                random_playouts(start, 6, seed=seed, plies=40)


# --- hidden dependencies that others found ------------------------------------------------

CASES = Path(os.environ.get("FORTHVM_SHARED", "")) / "cases" / "lists"


@pytest.mark.skipif(
    not os.environ.get("FORTHVM_SHARED") or not CASES.is_dir(),
    reason="the folder of cases is absent (FORTHVM_SHARED)",
)
def test_cases_find_what_complete_lists_give() -> None:
    for name, expected in json.loads((CASES / "complete.json").read_text("utf-8")).items():
        for spec, right in expected.items():
            position = forthvm.load(CASES / name).start()
            with list_mode(position, ListMode.PROMISED) as native:
                native.search_reset()
            try:
                result = engines.get(spec).play(position)
                found = [str(result.move), result.score, result.nodes]
            except forthvm.ForthVMError as error:
                found = [type(error).__name__]
            assert found == right, (name, spec)
