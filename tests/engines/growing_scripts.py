"""Parts of the script in test_incomplete_lists.py that use arrays as lists or stacks that grow.

Owns examples that read only cells that they have written, which the analysis does not know, and
examples that may read others.  See native/game/guarded_memory.h.
"""

from __future__ import annotations

from tests.engines.array_scripts import ARRAY, EVALUATE

__all__ = ["CHECKED", "WRITTEN"]

WORDS = ARRAY + (
    ": empty ( -- ) 0 v ! ; "
    ": add ( n -- ) v @ a[] ! v ++ ; "
    ": add-board ( -- ) 0 BEGIN DUP not-empty-at? IF DUP add ENDIF 1+ DUP 36 = UNTIL DROP ; "
)
# The list is never empty: at least two pieces are on the board.
SUM = "0 v @ BEGIN 1- SWAP OVER a[] @ + SWAP DUP 0> NOT UNTIL DROP"
TO_LAST = "SWAP OVER a[] @ + SWAP 1+ DUP v @ >= UNTIL DROP"
TEST = "13 <> verify"


def listed(read: str, words: str = "") -> dict[str, str]:
    """Return a script whose move word makes a list of the pieces' positions and reads it."""
    return {"words": WORDS + words, "step": f"empty add-board {read} {TEST}"}


def added(add: str, words: str = "", read: str = SUM) -> dict[str, str]:
    """Return a script whose move word adds a cell by an unusual word, and reads the list."""
    words = WORDS.replace(": add-board", f"{words} : add2 ( n -- ) {add} ; : add-board")
    step = f"empty add-board 4 add2 {read} {TEST}"
    return {"words": words, "step": step}


WRITTEN = {
    "a list": listed(SUM),
    "a list, read in a word": listed("sum", f": sum ( -- n ) {SUM} ;"),
    "a list, an index in a called word": listed(
        "0 v @ BEGIN 1- SWAP OVER item + SWAP DUP 0> NOT UNTIL DROP",
        ": item ( i -- n ) a[] @ ; ",
    ),
    "a list, an index that a word returns": listed("last a[] @", ": last ( -- i ) v @ 1- ; "),
    "a list, through a deferred word": listed(
        "v @ 1- later", ": item ( i -- n ) a[] @ ; ' item IS later "
    ),
    "a list, an index that a word leaves on the stack": listed(
        "v @ 1- even? IF DUP a[] @ ELSE 1 ENDIF SWAP DROP",
        ": even? ( n -- n ? ) DUP 1 AND 0= ; ",
    ),
    "a list, counting up": listed(
        "0 0 BEGIN DUP v @ < IF SWAP OVER a[] @ + SWAP 1+ FALSE ELSE TRUE ENDIF UNTIL DROP"
    ),
    "a list, counting up, tested with >=": listed(
        "0 0 BEGIN DUP v @ >= IF TRUE ELSE SWAP OVER a[] @ + SWAP 1+ FALSE ENDIF UNTIL DROP"
    ),
    "a list, counting up, tested with NOT": listed(
        "0 0 BEGIN DUP v @ < NOT IF TRUE ELSE SWAP OVER a[] @ + SWAP 1+ FALSE ENDIF UNTIL DROP"
    ),
    "a list, counting up, the counter first": listed(
        "0 0 BEGIN v @ OVER > IF SWAP OVER a[] @ + SWAP 1+ FALSE ELSE TRUE ENDIF UNTIL DROP"
    ),
    "a list, counting up, tested at the end": listed(f"0 v @ 0> IF 0 BEGIN {TO_LAST} ENDIF"),
    "a list, counting up, after a test with >": listed(f"0 v @ 0 > IF 0 BEGIN {TO_LAST} ENDIF"),
    "a list, its first cell after a test": listed(f"v @ 0 <= IF 1 ELSE 0 a[] @ ENDIF {SUM} +"),
    "a list, its first cell, 0 before the counter": listed(
        f"0 v @ < IF 0 a[] @ ELSE 1 ENDIF {SUM} +"
    ),
    "a list, an index in a variable": listed(
        "0 0 w ! BEGIN w @ v @ < IF w @ a[] @ + w ++ FALSE ELSE TRUE ENDIF UNTIL"
    ),
    "a list, an index in a variable, the counter first": listed(
        "0 0 w ! BEGIN v @ w @ <= IF TRUE ELSE w @ a[] @ + w ++ FALSE ENDIF UNTIL"
    ),
    "a queue": listed(
        "0 0 w ! BEGIN w @ v @ < IF w @ a[] @ DUP 5 MOD 0= IF DUP 1+ add ENDIF + w ++"
        " FALSE ELSE TRUE ENDIF UNTIL"
    ),
    "a list that is searched": listed(
        "TRUE v @ BEGIN 1- DUP 0 >= IF DUP a[] @ here = IF 2DROP FALSE 0 ENDIF ENDIF"
        " DUP 0> NOT UNTIL DROP"
    ),
    "a list that is searched, ended by -1": listed(
        "TRUE v @ BEGIN 1- DUP 0 >= IF DUP a[] @ here = IF 2DROP FALSE -1 ENDIF ENDIF"
        " DUP 0> NOT UNTIL DROP"
    ),
    "a stack whose counter is set": listed("0 BEGIN v @ 1- DUP v ! a[] @ + v @ 0= UNTIL"),
    "a list whose cells are replaced": listed(f"-1 v @ 1- a[] ! {SUM}"),
    "a list that is emptied twice": listed(f"empty 7 add {SUM}"),
    "a list that is limited": added("v @ 36 < IF v @ a[] ! v ++ ELSE DROP ENDIF"),
    "a stack": listed("0 BEGIN v -- v @ a[] @ + v @ 0= UNTIL"),
    "a list with another counter that is not read": added(
        "0 w ! DUP w @ a[] ! w ++ v @ a[] ! v ++"
    ),
    "a list from 1": {
        "words": ARRAY,
        "step": f"1 v ! here 0 a[] ! here 9 > IF 5 v @ a[] ! v ++ ENDIF {SUM} verify",
    },
    "a list from 1, its first cell written last": {
        "words": ARRAY,
        "step": f"1 v ! here 9 > IF 5 v @ a[] ! v ++ ENDIF here 0 a[] ! {SUM} verify",
    },
    "two arrays with one counter": {
        "words": ARRAY,
        "step": "0 v ! here v @ a[] ! here 1+ v @ b[] ! v ++ v @ 1- DUP a[] @ SWAP b[] @ + verify",
    },
    "a list that evaluation makes again": listed(SUM) | {"hooks": EVALUATE % f"empty 5 add {SUM}"},
}

CHECKED = {
    "a list, read at its counter": listed("v @ a[] @"),
    "a list, read above its counter": listed("v @ 1- 2 + a[] @"),
    "a list, read at 0": listed("0 a[] @"),
    "a list, counting up too far": listed(
        "0 0 BEGIN DUP v @ <= IF SWAP OVER a[] @ + SWAP 1+ FALSE ELSE TRUE ENDIF UNTIL DROP"
    ),
    "a list, tested with another variable": listed(
        "0 w ! w ++ 3 DUP w @ < IF DUP a[] @ ELSE 1 ENDIF SWAP DROP"
    ),
    "a list, the test used the wrong way": listed(
        "3 DUP v @ < IF 1 ELSE DUP a[] @ ENDIF SWAP DROP"
    ),
    "a list, the test is not of the index": listed("0 9 DUP v @ < IF OVER a[] @ ELSE 1 ENDIF"),
    "a list, a flag as the index": listed("5 DUP v @ < a[] @ SWAP DROP"),
    "a list, another item above the tested one": listed(
        "3 v @ OVER v @ < IF a[] @ ELSE DROP 1 ENDIF SWAP DROP"
    ),
    "a list, counting up, tested at the end only": listed(f"0 0 BEGIN {TO_LAST}"),
    "a list, counting up, after a test with 0 >=": listed(f"0 v @ 0 >= IF 0 BEGIN {TO_LAST} ENDIF"),
    "a list, counting up, after a test of another variable": listed(
        f"w ON 0 w @ 0= NOT IF 0 BEGIN {TO_LAST} ENDIF"
    ),
    "a list, its first cell, tested the wrong way": listed(
        f"v @ 0> IF 1 ELSE 0 a[] @ ENDIF {SUM} +"
    ),
    "a list, its first cell, the counter before 0": listed(
        f"v @ 0 < IF 0 a[] @ ELSE 1 ENDIF {SUM} +"
    ),
    "a list, its first cell after a test on one path": listed(
        f"here 9 > IF v @ 0> IF 1 ELSE 2 ENDIF ELSE 3 ENDIF DROP 0 a[] @ {SUM} +"
    ),
    "a list, its first cell after a test and on another path": listed(
        f"here 9 > IF v @ 0> NOT IF EXIT ENDIF ENDIF 0 a[] @ {SUM} +"
    ),
    "a list, an index in a variable that changes": listed(
        "5 w ! w @ v @ < IF w ++ w @ a[] @ ELSE 1 ENDIF"
    ),
    "a list, an index in a variable that a word changes": listed(
        "5 w ! w @ v @ < IF more w @ a[] @ ELSE 1 ENDIF", ": more ( -- ) w ++ ; "
    ),
    "a list, an index in a variable, tested the wrong way": listed(
        "5 w ! w @ v @ > IF w @ a[] @ ELSE 1 ENDIF"
    ),
    "a list, an index in a variable, tested on one path": listed(
        "5 w ! here 9 > IF w @ v @ < ELSE TRUE ENDIF IF w @ a[] @ ELSE 1 ENDIF"
    ),
    "a list, another index in a variable": listed(
        "5 w ! 6 x ! w @ v @ < IF x @ a[] @ ELSE 1 ENDIF", "VARIABLE x "
    ),
    "a list, an index on one path": listed("here 9 > IF v @ 1- ELSE 8 ENDIF a[] @"),
    "a list, an index from two words": listed(
        "v @ 1- item here item +", ": item ( i -- n ) a[] @ ; "
    ),
    "a list, an index of a word that EXECUTE runs": listed(
        "here ['] item EXECUTE", ": item ( i -- n ) a[] @ ; "
    ),
    "a list, an index of a word that EXECUTE and another word run": listed(
        "v @ 1- item here ['] item EXECUTE +", ": item ( i -- n ) a[] @ ; "
    ),
    "a list, an index of a word in the move": listed(
        "v @ 1- item COMPILE-LITERAL COMPILE item",
        ": item ( i -- n ) a[] @ ; ",
    ),
    "a list, an index under a varying number of items": listed(
        "v @ 1- 7 some a[] @ SWAP DROP", ": some ( n -- n ? ) here 9 > IF DUP ENDIF ; "
    ),
    "a list that is searched, ended by 1": listed(
        "TRUE v @ BEGIN 1- DUP 0 >= IF DUP a[] @ here = IF 2DROP FALSE 1 ENDIF ENDIF"
        " DUP 0> NOT UNTIL DROP"
    ),
    "an index that is 0 or counted": listed("here 9 > IF v @ 1- ELSE 0 ENDIF a[] @"),
    "a counter that is set to another one": added("v @ a[] ! w @ v !"),
    "a counter that is set to -1": added("v @ a[] ! -1 v !"),
    "a list that is not emptied": {
        "words": WORDS,
        "step": f"v @ 30 > IF empty ENDIF add-board {SUM} {TEST}",
    },
    "a counter without a cell": added("DROP v ++"),
    "a counter without a cell, on one path": added("here 9 > IF v @ a[] ! ELSE DROP ENDIF v ++"),
    "a cell of another array": added("v @ b[] ! v ++"),
    "a cell above the counter": added("v @ 1+ a[] ! v ++"),
    "a cell at an older counter": added(
        "v @ other a[] ! v ++", ": other ( n i -- n i ) OVER add ; "
    ),
    "a cell before another word counts": added("v @ a[] ! other v ++", ": other ( -- ) 3 add ; "),
    "a cell, then counting twice": added("v @ a[] ! v ++ v ++"),
    "a cell, then counting in a loop": added("v @ a[] ! BEGIN v ++ v @ 9 > UNTIL"),
    "a counter that is set": added("v @ a[] ! 9 v !"),
    "a counter that ON sets": added("v @ a[] ! 0 v ON DROP"),
    "a counter that is increased by 2": added("v @ a[] ! 2 v +!"),
    "a counter that is set by its address": added("v @ a[] ! 9 v 0 + !"),
    "two counters of an array": added("w @ a[] ! w ++", read=f"0 w ! {SUM}"),
    "a list from 1 without a first cell": {
        "words": ARRAY,
        "step": f"1 v ! here 9 > IF 5 v @ a[] ! v ++ ENDIF {SUM} {TEST}",
    },
    "a list from 1, its first cell written on one path": {
        "words": ARRAY,
        "step": f"1 v ! here 9 > IF 5 0 a[] ! ENDIF {SUM} {TEST}",
    },
    "a list from 1, its first cell written by a hook": {
        "words": ARRAY,
        "step": f"1 v ! here 9 > IF 5 v @ a[] ! v ++ ENDIF {SUM} {TEST}",
        "hooks": ": OnIsGameOver ( -- n ) here 0 a[] ! #UnknownScore ;",
    },
    "a list that evaluation reads": listed(SUM) | {"hooks": EVALUATE % SUM},
    "a list that a word in the move reads": {
        "words": WORDS + f": sum ( -- ) {SUM} w ! ; ",
        "step": "empty add-board COMPILE sum",
    },
}
