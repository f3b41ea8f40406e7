"""Searches give the same results where a script finds memory by computed addresses.

Owns the comparison with complete lists for scripts that read or write outside an array, compute
addresses, or read positions outside the board.  See native/analysis/memory_accesses.c.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import forthvm
from forthvm import ForthVMError, engines
from forthvm.core.records import ListMode
from forthvm.game import Position
from tests.engines.list_modes import list_mode
from tests.engines.random_addresses import script
from tests.kit.boards import grid
from tests.kit.files import write

ENGINES = (
    "axiom:depth=3",
    "negamax:depth=3",
    "negamax:depth=3,quiescence=off,nodes=25",
    "brs:depth=2",
    "maxn:depth=2",
)
MODES = (ListMode.USUAL, ListMode.GUARDED, ListMode.PROVEN)

OUTSIDE = {
    "an index after an array": ("a>u a[] @", "u !"),
    "an index before an array": ("b>u b[] @", "u !"),
    "an index at run time": ("a>u here - here + a[] @", "u !"),
    "an index of a table": ("t>u t[] @", "u !"),
    "an offset from a table": ("t>u CELLS t + @", "u !"),
    "an offset to a table": ("t t>u CELLS + @", "u !"),
    "an address after a variable": ("w w>u CELLS + @", "u !"),
    "an address from another word": ("beyond @", "u !"),
    "an offset from an empty table": ("e>u CELLS empty + @", "u !"),
    "an address from a word that calls itself": ("3 nested @", "u !"),
    "an address from words with many ways": ("ways-32 @", "u !"),
    "an address in a variable": ("pointer @ @", "u !"),
    "an address on the stack": ("w get", "u !"),
    "a byte after a variable": ("w w>u CELLS + C@", "u !"),
    "cells that are moved": ("w pointer 1 w>u + MOVE pointer w>u CELLS + @", "u !"),
    "cells that are moved to a whole array": ("w w>u 3 - CELLS + m 4 MOVE 3 m[] @", "u !"),
    "a text": ('w w>u CELLS + S" a" "=', "DROP here 2 MOD 97 * u !"),
    "an offset scaled by a word of the script": ("t>u scaled[] @", "u !"),
    "an address after a text": ('w w>u CELLS + FALSE ABORT" no" @', "u !"),
    "a record that is none": ("w w>u 1- CELLS + .moveType @", "u !"),
    "a deferred word that reads": ("t>u scaled[] fetch", "u !"),
    "a deferred word that runs another": ("t>u scaled[] fetch-by", "u !"),
    "the record after one that is none": ("w w>u CELLS + $NextMove", "u !"),
    "a store after an array": ("u @", "a>u a[] !"),
    "a store before an array": ("u @", "b>u b[] !"),
    "a store after a table": ("u @", "t>u CELLS t + !"),
    "a store by another word": ("u @", "w put"),
    "an addition after an array": ("u @", "a>u a[] +!"),
    "a byte that is stored": ("u @", "beyond C!"),
    "a flag that is stored": ("u @", "2 MOD IF beyond ON ELSE beyond OFF ENDIF"),
    "bytes that are stored": ("u @", "w 4 w>u 1+ * ROT FILL"),
    "an index after an array of the board": ("board>u counter[] @", "u !"),
    "a store to an array of the board": ("u @", "board>u counter[] !"),
    "a position outside the board": ("board>u board[] @", "u !"),
}
"""How the evaluation reads the variable u, and how the move word stores a number in it."""

MANY_WAYS = ": ways-0 ( -- addr ) u ;" + "".join(
    f" : ways-{i + 1} ( -- addr ) here IF ways-{i} ELSE ways-{i} ENDIF ;" for i in range(32)
)
"""Each word doubles the number of ways to the end."""

GAME = (
    """
{board 6 6 {grid} 4 {array} counter[] board}
{directions 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
CREATE t 1 , 2 , 3 ,  CREATE empty  CREATE m 4 CELLS ALLOT
VARIABLE w  4 [] a[]  VARIABLE u  4 [] b[]  VARIABLE pointer 8 CELLS ALLOT
u pointer !
: t[] ( n -- addr ) CELLS t + ;  : m[] ( n -- addr ) CELLS m + ;
: 4* ( n -- n' ) 4 * ;  : scaled[] ( n -- addr ) 4* t + ;
DEFER fetch  ' @ IS fetch   DEFER fetch-by  ' fetch IS fetch-by
: distance ( addr addr -- n ) - 4 / ;
u 0 a[] distance CONSTANT a>u   u 0 b[] distance CONSTANT b>u
u t distance CONSTANT t>u       u w distance CONSTANT w>u
u empty distance CONSTANT e>u
: board>u ( -- n ) u 0 %(board)s distance ;
: beyond ( -- addr ) w w>u CELLS + ;
: nested ( n -- addr ) DUP IF 1- RECURSE ELSE DROP u ENDIF ;
"""
    + MANY_WAYS
    + """
: get ( addr -- n ) w>u CELLS + @ ;
: put ( n addr -- ) w>u CELLS + ! ;
: work ( -- ) 0 BEGIN 1+ DUP 1000 = UNTIL DROP ;
: step ( -- ) right verify empty? verify from here move work from here * %(store)s add-move ;
{moves steps {move} step moves}
{pieces {piece} man {moves} steps pieces}
{board-setup
	{setup} White man a1 {setup} White man a2 {setup} White man a3
	{setup} Black man a4 {setup} Black man a5 {setup} Black man a6
board-setup}
: OnEvaluate ( -- n ) %(read)s 255 AND ;
: OnIsGameOver ( -- result ) turn-number 30 > IF #DrawScore ELSE #UnknownScore ENDIF ;
"""
)

ONLY_IN_OMITTED_LISTS = grid(4, 3, "right")
ONLY_IN_OMITTED_LISTS += """\
VARIABLE u  CREATE t 1 , 2 ,
: t[] ( n -- addr ) CELLS t + ;
u t - 4 / CONSTANT t>u
: step ( -- ) right verify empty? verify from here move add-move ;
: mark ( -- ) from t>u t[] ! step ;
{moves steps {move} step moves}
{moves marks {move} mark moves}
{pieces {piece} man {moves} steps {piece} lady {moves} marks pieces}
{board-setup {setup} White man a1 {setup} Black lady a2 board-setup}
: OnEvaluate ( -- n ) u @ ;
: OnIsGameOver ( -- result ) turn-number 30 > IF #DrawScore ELSE #UnknownScore ENDIF ;
"""
"""The first list stores nothing, that of Black stores the square of the lady in the variable u."""


def result(path: Path, engine: str, mode: ListMode) -> object:
    """Return the engine's move, score and number of nodes, or the error."""
    position: Position = forthvm.load(path).start()
    with list_mode(position, mode):
        try:
            found = engines.get(engine).play(position)
        except ForthVMError as error:
            return type(error)
    return str(found.move), found.score, found.nodes


def compare(path: Path, names: tuple[str, ...] = ENGINES) -> None:
    for engine in names:
        complete = result(path, engine, ListMode.COMPLETE)
        for mode in MODES:
            assert result(path, engine, mode) == complete, (engine, mode.name)


@pytest.mark.slow
@pytest.mark.parametrize("name", OUTSIDE)
def test_memory_outside_an_array(tmp_path: Path, name: str) -> None:
    read, store = OUTSIDE[name]
    path = tmp_path / "outside.4th"
    board = "counter[]" if "counter[]" in read + store else "board[]"
    path.write_text(GAME % {"read": read, "store": store, "board": board}, encoding="utf-8")
    compare(path, ("axiom:depth=3", "negamax:depth=3", "mcts:playouts=20,seed=1"))


@pytest.mark.slow
def test_a_store_outside_a_table_that_an_omitted_list_would_make(tmp_path: Path) -> None:
    """A constant index is checked without running the word, which the search omits."""
    path = write(tmp_path / "marks.4th", ONLY_IN_OMITTED_LISTS)
    compare(path, ("negamax:depth=1,quiescence=off",))
    assert result(path, "negamax:depth=1,quiescence=off", ListMode.USUAL) == ("man a1 - b1", -6, 1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_random_scripts(tmp_path: Path, part: int) -> None:
    path = tmp_path / "random.4th"
    for seed in range(2 * part, 2 * part + 2):
        path.write_text(script(seed), encoding="utf-8")
        compare(path)


@pytest.mark.slow
def test_variables_beyond_the_board(tmp_path: Path) -> None:
    """A `{position}` after a `{variable}` makes the board shorter: a search warns once."""
    text = GAME.replace("4 {array} counter[]", "{variable} seen {variable} kept {position} off")
    store = "here COMPILE-LITERAL COMPILE note"
    parts = {"read": "kept @", "store": f"u ! {store}", "board": "board[]"}
    words = ": note ( n -- ) kept @ + kept ! ;\n: step ("
    path = write(tmp_path / "beyond.4th", (text % parts).replace(": step (", words))
    with pytest.warns(RuntimeWarning, match=r"does not contain `kept`.*W407"):
        compare(path)
    position = forthvm.load(path).start()
    engine = engines.get("negamax:depth=2")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        engine.play(position)
        engine.play(position)
    assert [one.category for one in warned] == [RuntimeWarning]
