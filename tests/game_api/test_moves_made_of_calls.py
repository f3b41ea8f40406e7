"""Moves whose code calls words have the same effects, steps and errors in all execution tiers.

Owns what such code may do to the stacks, the limits and itself.  Moves made of plain edits have
other tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.bindings.trace import Trace
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from tests.kit.boards import grid
from tests.kit.files import write
from tests.vm.tiers import TIERS, failure_report

# The code of each move calls the words that replace the second %s, with the move's target below
# them.  Definitions of their own replace the first one: loading counts as a run with a step limit.
GAME = grid(4, 4, "e", players="A B")
GAME += """\
VARIABLE sum
10 CONSTANT ten
: set ( n -- ) sum ! ;
: add ( n -- ) sum @ + DUP 7 MOD DROP sum ! ;
: repeat ( n -- ) 0 BEGIN 1+ DUP add 2DUP < UNTIL 2DROP ;
: divide ( n -- ) 5 - 100 SWAP / sum ! ;
: drain ( -- ) DROP DROP DROP sum @ 1+ sum ! ;
: leave ( n -- ) add sum @ 40 < verify 100 sum ! ;
: change ( n -- ) DUP add 5 > IF ['] - ['] add 12 + ! ENDIF ;
: fill ( -- ) BEGIN DEPTH 6200 < WHILE 1 REPEAT ;
: deep ( n -- ) DUP IF 1- RECURSE ELSE DROP ENDIF ;
: rise ( n -- ) add 20 deep ;
: skip ( -- ) R> 8 + >R ;
: lost ( -- ) R> DROP 7 sum ! ;
: away ( -- ) 0 >R ;
: burn ( -- ) 800 0 DO LOOP ;
: nine ( -- ) 9 COMPILE-LITERAL ;
: many ( -- ) nine nine nine nine nine nine nine nine nine nine nine nine ;
%s
: step ( -- ) e verify from here move here COMPILE-LITERAL %s 3 COMPILE-LITERAL COMPILE add
    add-move ;
: OnIsGameOver ( -- result ) sum @ . #UnknownScore ;
{moves words {move} step moves}
{pieces {piece} stone {moves} words pieces}
{board-setup {setup} A stone a1 {setup} A stone a2 {setup} B stone a3 {setup} B stone a4
board-setup}
"""
WORDS = {
    "a definition": "COMPILE add",
    "two definitions": "COMPILE DUP COMPILE add COMPILE add",
    "an inlined definition": "COMPILE set",
    "an inlined definition on an empty stack": "COMPILE DROP COMPILE set COMPILE set",
    "another short definition": "COMPILE put",
    "an edit after a call": "COMPILE add from COMPILE-LITERAL COMPILE (remove-piece)",
    "an edit outside the board": "99 COMPILE-LITERAL COMPILE (remove-piece)",
    "a loop": "COMPILE repeat",
    "an error": "COMPILE divide",
    "items below the base": "COMPILE add COMPILE drain",
    "the end of the run": "COMPILE leave",
    "a changed word": "COMPILE change",
    "a constant": "COMPILE ten COMPILE + COMPILE add",
    "literals on a full stack": "COMPILE fill many many many many many many",
    "deep calls": "COMPILE rise",
    "a return after the next literal": "COMPILE add COMPILE skip many COMPILE DROP",
    "a lost return address": "COMPILE add COMPILE lost",
    "a return to address 0": "COMPILE add COMPILE away",
}
HOOK = ": OnIsGameOver ( -- result ) sum @ . #UnknownScore ;"
TRYING_HOOK = """
: show ( -- ) 16 0 DO I piece-at . LOOP sum @ . ;
: try ( move -- ) $CloneBoard .moveCFA EXECUTE show $DeallocateBoard ;
: OnIsGameOver ( -- result )
    sum @ move-count IF $FirstMove BEGIN DUP try $NextMove DUP 0= UNTIL DROP ENDIF sum !
    #UnknownScore
;"""
"""Executes each move of the list on a copy of the board, as engines in Forth do."""
DEFINITIONS = {"COMPILE put": "sum CONSTANT goal : put ( n -- ) goal ! ;"}
BURNS = "COMPILE burn COMPILE add 2 COMPILE-LITERAL COMPILE burn COMPILE add"
GAMES = 12
TURNS = 6


def play(path: Path, tier: str, *, games: int, budget: Budget, traced: bool = False) -> list[str]:
    """Return the outcome of each move: position, printed numbers and steps; or the error."""
    outcomes: list[str] = []
    printed: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORTHVM_TIER", tier)
        game = forthvm.load(path, output=printed.append, budget=budget, seed=1)
    if traced:
        Trace(game._loaded.vm.native, lambda _: None)
    for _ in range(games):
        printed.clear()
        try:
            position = game.start()
            for turn in range(TURNS):
                moves = position.legal_moves
                if not moves:
                    outcomes.append(f"no moves {''.join(printed)} {game._loaded.vm.native.steps()}")
                    break
                printed.clear()
                position.push(moves[turn % len(moves)])
                steps = game._loaded.vm.native.steps()
                outcomes.append(f"{position} {''.join(printed)} {steps}")
        except ForthVMError as error:
            outcomes.append(f"{failure_report(error)} {game._loaded.vm.native.steps()}")
    return outcomes


def write_game(folder: Path, words: str) -> Path:
    return write(folder / "game.4th", GAME % (DEFINITIONS.get(words, ""), words))


@pytest.mark.sampled(9)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
def test_all_tiers_agree(tmp_path: Path, words: str) -> None:
    path = write_game(tmp_path, words)
    outcomes = [play(path, tier, games=GAMES, budget=Budget()) for tier in TIERS]
    assert len(outcomes[0]) >= GAMES
    assert outcomes[1] == outcomes[0]
    assert outcomes[2] == outcomes[0]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
def test_moves_that_scripts_execute_have_the_same_effects(tmp_path: Path, words: str) -> None:
    """A trace makes the interpreter execute each instruction of the moves."""
    path = write_game(tmp_path, words)
    source = path.read_text(encoding="utf-8")
    assert HOOK in source
    path.write_text(source.replace(HOOK, TRYING_HOOK), encoding="utf-8")
    traced = play(path, "interpreter", games=GAMES, budget=Budget(), traced=True)
    assert len(traced) >= GAMES
    for tier in TIERS:
        assert play(path, tier, games=GAMES, budget=Budget()) == traced, tier


@pytest.mark.sampled(3)
@pytest.mark.parametrize("depth", [16, 18, 20, 21, 22, 24, 30])
def test_all_tiers_agree_on_full_return_stacks(tmp_path: Path, depth: int) -> None:
    path = write_game(tmp_path, WORDS["deep calls"])
    outcomes = [play(path, tier, games=2, budget=Budget(depth=depth)) for tier in TIERS]
    assert outcomes[1] == outcomes[0]
    assert outcomes[2] == outcomes[0]


# The first move of BURNS needs 1,614 steps.  The last ones belong to `add` and to OnNextTurn.
@pytest.mark.slow
@pytest.mark.parametrize("limit", [800, 1590, 1600, *range(1603, 1614), 1614, 1615])
def test_all_tiers_agree_where_steps_end(tmp_path: Path, limit: int) -> None:
    path = write_game(tmp_path, BURNS)
    outcomes = [play(path, tier, games=3, budget=Budget(steps=limit)) for tier in TIERS]
    assert ("StepLimitExceeded" in outcomes[0][0]) == (limit < 1614)
    assert outcomes[1] == outcomes[0]
    assert outcomes[2] == outcomes[0]
