"""The original's search omits lists, or parts of lists, that the script cannot observe.

Owns the comparison with the search that generates every list completely (FVM_LISTS_COMPLETE):
moves, scores, nodes and memory afterwards; and examples of what a script may observe.  See
native/analysis/list_analysis.c and native/search/original_nodes.c.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

import forthvm
from benchmarks.games import GAMES
from benchmarks.games.runs import first_choice, start
from forthvm.core.errors import NestingTooDeep
from forthvm.core.records import ListMode, SearchLimits
from forthvm.game import Position
from tests.bundled_games.kit import CASES, Case
from tests.engines import array_scripts
from tests.engines.list_modes import list_mode
from tests.kit.games import load_text
from tests.kit.random_games import push_random_moves

PLIES = (0, 3, 8, 15)
"""The numbers of random moves between the compared searches."""

NODES = 3000  # of a search

# Cells of the kernel that generations write before they read them, and those for texts of lists.
KERNEL = {0x60, 0x64, 0x68, 0x70, 0x74, 0x7C, 0x98}
TEXT = range(0x3A000, 0x3B000)
PAGE = 1024  # bytes that are compared at once


class Search(NamedTuple):
    """The result of a search, the steps that it used, and memory afterwards."""

    move: str
    score: int
    nodes: int
    steps: int
    memory: bytes


def search(
    position: Position, depth: int, *, complete: bool, mode: ListMode = ListMode.PROVEN
) -> Search:
    """Search with complete lists, or with lists as incomplete as the mode allows."""
    texts = position.generated_moves.texts
    with list_mode(position, ListMode.COMPLETE if complete else mode) as native:
        native.search_reset()
        native.budget()
        result = native.search_axiom(SearchLimits(depth=depth, nodes=NODES))
        steps = native.steps()
        move = texts[native.move_list().index(result.best)]
        return Search(
            move, result.score, result.nodes, steps, native.snapshot_take().read(0, native.here())
        )


def changed_cells(position: Position, a: bytes, b: bytes) -> set[int]:
    """Return the addresses of cells that differ, except the script's memory and texts."""
    arrays: set[int] = set()
    with position._in_memory() as native:
        variable = native.read_cell(native.variable_address("$pos") - 4).to_bytes(4, "little")
        for name, cells in array_scripts.ARRAYS.items():
            word = native.find(name)
            arrays |= {word + 4 * i for i in range(cells + 5) if word}
    return {
        at
        for page in range(0, len(a), PAGE)
        if a[page : page + PAGE] != b[page : page + PAGE]
        for at in range(page, page + PAGE, 4)
        if a[at : at + 4] != b[at : at + 4]
        and at not in KERNEL
        and at not in TEXT
        and at not in arrays
        and a[at - 4 : at] != variable
    }


def compare(position: Position, depth: int, seed: int, mode: ListMode = ListMode.PROVEN) -> bool:
    """Compare searches along a random game; return whether lists were incomplete."""
    rng = random.Random(seed)
    fewer = False
    for plies in PLIES:
        push_random_moves(position, plies, rng)
        if position.result is not None or not position.legal_moves:
            break
        try:
            expected = search(position, depth, complete=True)
        except NestingTooDeep:  # the script demands to search on without end
            with pytest.raises(NestingTooDeep):
                search(position, depth, complete=False, mode=mode)
            continue
        found = search(position, depth, complete=False, mode=mode)
        assert found[:3] == expected[:3], position.ply
        assert len(found.memory) == len(expected.memory)
        assert changed_cells(position, found.memory, expected.memory) == set()
        fewer = fewer or found.steps < expected.steps
    return fewer


COMPLETE = {"warden-9x9"}
"""The games whose lists are complete: hooks read them."""


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", GAMES)
def test_benchmark_games(name: str) -> None:
    position = first_choice(start(name, "native"))
    depth = 2 if GAMES[name].axiom > 1 else 1
    mode = ListMode.GUARDED  # positions are computed: whether they are on the board is checked
    assert compare(position, depth, seed=5, mode=mode) is (name not in COMPLETE)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_bundled_and_recorded_games(case: Case) -> None:
    compare(forthvm.load(case.path, axiom=case.axiom, seed=3).start(), 2, seed=6)


# Men step to the right on six rows; a step to the last column is not possible.
GAME = r"""
{board 6 6 {grid} %(board)s board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
VARIABLE v
VARIABLE w
%(order)s
DEFER later
%(words)s
: step ( -- ) right verify empty? verify from here move %(step)s add-move ;
{moves steps {move} step moves}
{pieces {piece} man {moves} steps pieces}
%(after)s
{board-setup
	{setup} White man a1 {setup} White man a2 {setup} White man a3
	{setup} Black man a4 {setup} Black man a5 {setup} Black man a6
board-setup}
%(hooks)s
"""


def position_of(folder: Path, level: int = 150, **parts: str) -> Position:
    texts = dict.fromkeys(("board", "words", "step", "after", "hooks"), "")
    texts |= {"order": "{turn-order {turn} White {turn} Black turn-order}"} | parts
    return load_text(folder, GAME % texts, axiom=level).start()


EVALUATE = ": OnEvaluate ( -- n ) %s ;"

# Men who step have two moves each, of which the better one comes second; other moves are `words`.
PRIORITIES = """
{moves others %s {move} step {move-type} going {move} step {move-type} staying moves}
{pieces {piece} man {moves} others pieces}
{move-priorities {move-priority} rare {move-priority} staying {move-priority} going move-priorities}
"""

UNOBSERVED = {
    "a forced pass": {
        "step": "",
        "after": ": none ( -- ) Pass ; ",
        "hooks": EVALUATE % "$passed @" + " $passTurnForced ON",
    },
    "a forced pass instead of a move": {
        "step": "turn-number 3 < verify",
        "hooks": EVALUATE % "$passed @ 5 AND here +" + " $passTurnForced ON",
    },
    "priorities": {"after": PRIORITIES % "{move} step {move-type} rare"},
    "priorities, and the number of moves is tested for 0": {
        "after": PRIORITIES % "{move} step {move-type} rare",
        "hooks": EVALUATE % "move-count 0= IF 5 ELSE 6 ENDIF",
    },
    "no hooks": {},
    "written, never read": {"step": "1 v !"},
    "written before it is read": {"step": "here v ! v @ 3 > verify"},
    "counted from 0": {"step": "0 v ! v ++ v @ verify"},
    "written in both branches": {"step": "here 3 > IF v ON ELSE v OFF ENDIF v @ DROP"},
    "read only where it was written": {"step": "here 3 > IF v ON v @ verify ENDIF"},
    "written by a word that is called": {"words": ": set ( n -- ) v ! ;", "step": "7 set v @ DROP"},
    "read by a word that is executed later": {
        "words": ": get ( -- ) v @ DROP ;",
        "step": "7 v ! ['] get EXECUTE",
    },
    "a random number of a hook, which has a variable of a word that runs EXECUTE": {
        "words": ": get ( -- ) v OFF ;",
        "step": "['] get EXECUTE",
        "hooks": ": OnNewGame ( -- ) v OFF 0 5 $RAND-WITHIN DROP ;",
    },
    "hooks write before they read": {"step": "1 v !", "hooks": EVALUATE % "5 v ! v @"},
    "hooks read another variable": {"step": "1 v !", "hooks": EVALUATE % "w @"},
    "in a loop, written first": {"step": "0 BEGIN DUP v ! 1+ DUP v @ > v @ 3 > AND UNTIL DROP"},
    "stalemate?": {"hooks": EVALUATE % "stalemate? IF 5 ELSE 6 ENDIF"},
    "move-count tested for 0": {"hooks": EVALUATE % "move-count 0= IF 5 ELSE 6 ENDIF"},
    "move-count compared with 0": {"hooks": EVALUATE % "move-count 0 > IF 5 ELSE 6 ENDIF"},
    "directions": {"hooks": EVALUATE % "0 to right here"},
    "directions that depend on the player": {
        "words": "{symmetries White {symmetry} right right symmetries}",
        "hooks": EVALUATE % "0 to right here",
    },
    "here and from": {"hooks": EVALUATE % "here 100 * from + current-piece +"},
    "a deferred word": {
        "words": ": get ( -- ) v OFF ; ' get IS later",
        "step": "later",
    },
    "level 140": {"level": 140, "step": "1 v !"},
    "a word in the move that changes the board": {
        "board": "{variable} sum",
        "words": ": add ( n -- ) sum +! ;",
        "step": "here COMPILE-LITERAL COMPILE add",
        "hooks": EVALUATE % "sum @",
    },
    "a terminal position is searched on": {
        "hooks": ": OnIsTerminal? ( -- ? ) here from + 35 > turn-number 4 < NOT OR ;"
    },
    "reset by a hook before each list": {
        "step": "v @ NOT verify here 3 > IF v ON ENDIF",
        "hooks": ": OnGenerateMoves ( -- ) v OFF ;",
    },
    "a pass in many words": {"step": "here 3 > IF Pass ENDIF"},
    "a pass that only move words see": {"step": "$passed @ NOT verify Pass"},
    "a word of a defining word of the script": {
        "words": ": table ( n -- ) <BUILDS , DOES> @ + ; 3 table add-3",
        "step": "here add-3 v ! v @ verify",
    },
    "HERE in a word that only loading runs": {
        "words": ": count, ( -- ) HERE DROP 5 , ; : get ( -- n ) 5 ;",
        "hooks": EVALUATE % "get",
    },
    "the number of moves, tested for 0 after DOES>": {
        "words": ": plus ( n -- ) <BUILDS , DOES> @ move-count 0= + ; 3 plus plus-3",
        "hooks": EVALUATE % "plus-3",
    },
    "an empty list of drops": {
        "words": "VARIABLE none 1024 ALLOT",
        "after": "{pieces {piece} man {moves} steps {piece} ghost {drops} none pieces}",
        "hooks": EVALUATE % "current-piece",
    },
    "drops of a type that is not the last one": {
        "words": ": put ( -- ) empty? verify here 7 = verify drop add-move ;",
        "after": "{moves puts {move} put moves} {pieces {piece} man {moves} steps {drops} puts"
        " {piece} ghost pieces}",
        "hooks": EVALUATE % "current-piece",
    },
    "a hook before each list, with a variable": {
        "hooks": ": OnGenerateMoves ( -- ) w ++ ; " + EVALUATE % "w @"
    },
    "a hook before each list that changes only scratch memory": {
        "words": "{scratch VARIABLE s scratch}",
        "step": "s @ 0= verify",
        "hooks": ": OnGenerateMoves ( -- ) 0 s ! ; : OnIsTerminal? ( -- ? ) turn-number 4 > ;",
    },
    "a test that restores the board, with a promise": {
        "words": "{scratch VARIABLE s scratch} TRUE CONSTANT hooks-keep-moves",
        "hooks": ": OnIsTerminal? ( -- ? ) 5 board[] @ 0 5 board[] ! 5 board[] ! turn-number 4 > ;",
    },
} | array_scripts.UNOBSERVED


def mode_for(name: str) -> ListMode:
    """Return the mode for a script of UNOBSERVED: indexes of arrays are checked by guards."""
    return ListMode.GUARDED if name in array_scripts.UNOBSERVED else ListMode.PROVEN


OBSERVED_AT_LEAVES = {
    "the number of moves": {"hooks": EVALUATE % "move-count"},
    "whether there is one move": {"hooks": EVALUATE % "move-count 1 = IF 5 ELSE 6 ENDIF"},
    "the number of moves, after DOES>": {
        "words": ": plus ( n -- ) <BUILDS , DOES> @ move-count + ; 3 plus plus-3",
        "hooks": EVALUATE % "plus-3",
    },
    "the number of moves that priorities leave": {
        "after": PRIORITIES % "{move} step {move-type} rare",
        "hooks": EVALUATE % "move-count",
    },
}

OBSERVED = {
    "the type of the first move": {"hooks": EVALUATE % "$FirstMove .moveType @"},
    "a constant table": {
        "words": "CREATE table 3 , 5 , table CONSTANT values",
        "hooks": EVALUATE % "values CELLSIZE + @",
    },
    "data after a definition": {
        "words": ": lay ( -- addr ) HERE 7 , ; lay CONSTANT table",
        "hooks": EVALUATE % "table @",
    },
    "the body of a direction": {
        "words": "CREATE ways ' left , ' right ,",
        "hooks": EVALUATE % "ways CELLSIZE + @ CFA>PFA here CELLS + @",
    },
    "the number of moves, by OnIsGameOver": {
        "hooks": ": OnIsGameOver ( -- n ) move-count 1 = IF #DrawScore ELSE #UnknownScore ENDIF ;"
    },
    "the first move": {"hooks": EVALUATE % "$FirstMove"},
    "the first move, by its token": {"hooks": EVALUATE % "['] $FirstMove EXECUTE @"},
    "the number of moves, by another name": {
        "words": "DEFER moves ' move-count IS moves",
        "hooks": EVALUATE % "moves",
    },
    "PAD": {"step": "here PAD !", "hooks": EVALUATE % "PAD @"},
    "a ring buffer": {
        "step": "ringbuffer-reset here ringbuffer-add-item",
        "hooks": EVALUATE % "ringbuffer-empty? IF 0 ELSE ringbuffer-remove-item ENDIF",
    },
    "HERE": {"hooks": EVALUATE % "HERE"},
    "a counter that lasts": {"step": "v ++"},
    "a counter that move words read": {"step": "v ++ v @ 3 AND verify"},
    "copied by a word in the move": {
        "words": ": copy ( -- ) v @ w ! ;",
        "step": "here v ! COMPILE copy",
        "hooks": EVALUATE % "w @",
    },
    "read before it is written": {"step": "v @ DROP here v !"},
    "written in one branch": {"step": "here 3 > IF v ON ENDIF v @ DROP"},
    "read by evaluation": {"step": "here v !", "hooks": EVALUATE % "v @"},
    "read by a word of the evaluation": {
        "words": ": get ( -- n ) v @ ;",
        "step": "here v !",
        "hooks": EVALUATE % "get",
    },
    "read through its address": {"step": "here v !", "hooks": EVALUATE % "v 0 + @"},
    "written through its address": {"step": "here v 0 + !", "hooks": EVALUATE % "v @"},
    "read by a word in the move": {
        "words": ": get ( -- ) v @ here (remove-piece) DROP ;",
        "step": "here v ! COMPILE get",
    },
    "read by a token in the move": {
        "words": ": get ( -- ) v @ DROP ;",
        "step": "here v ! ['] get ,",
    },
    "read by the next turn": {
        "step": "here v !",
        "hooks": ": OnNextTurn ( -- ) v @ DROP OnNextTurn ;",
    },
    "read when a move is retracted": {
        "step": "here v !",
        "hooks": ": OnRetractMove ( -- ) v @ DROP OnRetractMove ;",
    },
    "a variable of the board": {"board": "{variable} sum", "step": "sum ++"},
    "an array": {"words": "9 [] kept[]", "step": "1 kept[] ++"},
    "random numbers": {"step": "0 9 RAND-WITHIN DROP"},
    "printing": {"step": "65 EMIT"},
    "home": {"step": "0 home"},
    "a deferred word that counts": {
        "words": ": get ( -- ) v ++ ; ' get IS later",
        "step": "later",
    },
    "a token in a variable": {
        "words": ": get ( -- ) v ++ ;",
        "step": "w @ DUP IF DUP EXECUTE ENDIF DROP",
        "hooks": ": OnNewGame ( -- ) ; : OnIsGameOver ( -- n ) ['] get w ! #UnknownScore ;",
    },
    "a deferred word that is replaced": {
        "words": ": get ( -- ) v ++ ; : none ( -- ) ; ' none IS later",
        "step": "later",
        "hooks": ": OnIsGameOver ( -- n ) ['] get IS later #UnknownScore ;",
    },
    "what the terminal test writes": {
        "step": "v @ verify",
        "hooks": ": OnIsTerminal? ( -- ? ) v ON turn-number 4 > ;",
    },
    "a hook before each list that changes more than scratch memory": {
        "words": "{scratch VARIABLE s scratch}",
        "step": "s @ 0= verify",
        "hooks": ": OnGenerateMoves ( -- ) 0 s ! w ++ ; : OnIsTerminal? ( -- ? ) turn-number 4 > ;",
    },
    "a test that restores the board": {
        "words": "{scratch VARIABLE s scratch}",
        "hooks": ": OnIsTerminal? ( -- ? ) 5 board[] @ 0 5 board[] ! 5 board[] ! turn-number 4 > ;",
    },
    "not reset by the hook before each list": {
        "step": "v @ NOT verify here 3 > IF v ON ENDIF",
        "hooks": ": OnGenerateMoves ( -- ) w @ IF v OFF ENDIF ;",
    },
    "reset by a hook, read by another one": {
        "step": "here 3 > IF v ON ENDIF",
        "hooks": ": OnGenerateMoves ( -- ) v OFF ; " + EVALUATE % "v @",
    },
    "a word that removes its return address": {
        "words": ": leave-it ( -- ) R> DROP ;",
        "step": "here 9 = IF leave-it ENDIF",
    },
    "a defining word of the script that writes": {
        "words": ": counter ( -- ) <BUILDS 0 , DOES> ++ ; counter counted",
        "step": "counted",
    },
    "the list, through a constant": {
        "words": "$movesList CONSTANT list",
        "hooks": EVALUATE % "list @ CELLSIZE + @",
    },
    "the list, through a literal": {
        "hooks": EVALUATE % "[ $movesList ] LITERAL @ CELLSIZE + @",
    },
    "the list, through a variable": {
        "words": "VARIABLE list $movesList list !",
        "hooks": EVALUATE % "list @ @ CELLSIZE + @",
    },
    "the list, through a token": {
        "hooks": EVALUATE % "['] $movesList CFA>PFA @ CELLSIZE + @",
    },
    "a pass, through a constant": {
        "words": "$passed CONSTANT passed",
        "step": "Pass",
        "hooks": EVALUATE % "passed @",
    },
    "read through a table": {
        "words": "CREATE table v , w , table CONSTANT tables",
        "step": "here v !",
        "hooks": EVALUATE % "tables @ @",
    },
    "read through data after a definition": {
        "words": ": none ( -- ) ; HERE v , CONSTANT table",
        "step": "here v !",
        "hooks": EVALUATE % "table @ @",
    },
    "read by a word in the turn order": {
        "order": ": owner ( -- player ) v @ 1 AND IF White ELSE Black ENDIF ;"
        " {turn-order {turn} White {for-player} owner {turn} Black turn-order}",
        "step": "here 6 / v !",
    },
    "read by the word for the amount in reserve": {
        "board": "4 {array} reserve[]",
        "words": ": amount ( -- addr ) v @ 3 AND reserve[] ; ' amount _amount-in-reserve !",
        "step": "here v ! remove-from-reserve",
        "hooks": EVALUATE % "1 reserve[] @ 3 * 2 reserve[] @ 5 * +",
    },
    "read by an engine after its search": {
        "step": "here v !",
        "hooks": ": OnSearch ( -- ) 0 v ! OnSearch v @ w ! ;",
    },
    "a token in a variable, compiled": {
        "words": ": get ( -- ) v @ w ! ; VARIABLE action ' get action !",
        "step": "here v ! action @ ,",
        "hooks": EVALUATE % "w @",
    },
    "EXIT as a token": {
        "words": ": set ( -- ) ['] EXIT EXECUTE 7 v ! ;",
        "step": "set v @ 3 AND 3 <> verify here v !",
    },
    "a move word that is replaced through a constant": {
        "words": ": other ( -- ) v ++ v @ 1 AND verify left verify empty? verify here add-move ;",
        "after": "steps CONSTANT list : replace ( -- ) ['] other list CELLSIZE + ! ;",
        "hooks": ": OnNextTurn ( -- ) turn-number 2 > IF replace ENDIF OnNextTurn ;",
    },
    "a deferred word whose body is written": {
        "words": ": get ( -- ) v ++ ; : none ( -- ) ; ' none IS later",
        "step": "later",
        "hooks": ": OnIsGameOver ( -- n ) ['] get ['] later CFA>PFA ! #UnknownScore ;",
    },
    "an array of the board": {
        "board": "4 {array} kept[]",
        "step": "here 0 kept[] !",
        "hooks": EVALUATE % "0 kept[] @",
    },
    "a pass, by evaluation": {
        "step": "here 11 = IF Pass ENDIF",
        "hooks": EVALUATE % "$passed @",
    },
    "a variable that OnNextTurn copies": {
        "step": "here v !",
        "hooks": ": OnNextTurn ( -- ) v @ w ! OnNextTurn ; " + EVALUATE % "w @",
    },
    "a filter": {"hooks": ": OnMovesGenerated ( -- ) ;"},
} | array_scripts.OBSERVED


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", UNOBSERVED)
def test_lists_are_incomplete_where_nothing_observes_them(tmp_path: Path, name: str) -> None:
    mode = mode_for(name)
    assert compare(position_of(tmp_path, **UNOBSERVED[name]), 3, seed=1, mode=mode) is True


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", OBSERVED_AT_LEAVES)
def test_lists_that_evaluation_observes_are_incomplete_above(tmp_path: Path, name: str) -> None:
    assert compare(position_of(tmp_path, **OBSERVED_AT_LEAVES[name]), 3, seed=1) is True


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", OBSERVED)
def test_lists_are_complete_where_they_may_be_observed(tmp_path: Path, name: str) -> None:
    assert compare(position_of(tmp_path, **OBSERVED[name]), 3, seed=1) is False


def test_rare_moves_of_the_best_priority_come_first(tmp_path: Path) -> None:
    rarely = ": rarely ( -- ) here 32 > verify right verify from here move add-move ;"
    position = position_of(
        tmp_path, words=rarely, after=PRIORITIES % "{move} rarely {move-type} rare"
    )
    assert compare(position, 3, seed=1) is True
