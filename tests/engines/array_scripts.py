"""Parts of the script in test_incomplete_lists.py that use arrays, by what is special in them.

Owns examples of what the analysis of arrays proves, of what searches must check (WRITTEN), and of
what they must not assume.  See native/game/guarded_memory.h.
"""

from __future__ import annotations

__all__ = ["ARRAY", "ARRAYS", "EVALUATE", "OBSERVED", "UNOBSERVED", "WRITTEN"]

ARRAYS = {"copy": 32, "seeds[]": 12, "mark[]": 169, "a[]": 36, "b[]": 9, "table": 36}
"""The arrays of scripts in which searches may leave differences, with their sizes."""

EVALUATE = ": OnEvaluate ( -- n ) %s ;"
ARRAY = "36 [] a[] 9 [] b[] "
TABLE = (
    "CREATE source 36 CELLS ALLOT CREATE table 36 CELLS ALLOT : item ( i -- addr ) CELLS table + ; "
)
USE = "here DUP a[] ! 20 a[] @ 7 AND 5 <> verify"


def filled(loop: str, words: str = "") -> dict[str, str]:
    """Return a script whose move word runs a loop, writes a cell and reads another one."""
    return {"words": ARRAY + words + f": fill ( -- ) {loop} ;", "step": "fill " + USE}


def found(loop: str, test: str, words: str = "") -> dict[str, str]:
    """Return a script whose move word sets v and w in a loop, and reads w if v is set."""
    step = f"0 v ! 0 BEGIN {loop} 1+ DUP 6 = UNTIL DROP {test}"
    return {"words": words, "step": step}


TEST = "DUP here + 3 AND 2 = IF"

UNOBSERVED = {
    "a cell written, never read": {"words": ARRAY, "step": "1 here a[] !"},
    "hooks use another array": {
        "words": ARRAY,
        "step": "1 here a[] !",
        "hooks": EVALUATE % "3 b[] ++ 3 b[] @",
    },
}

WRITTEN = {
    "DO": filled("36 0 DO 0 I a[] ! LOOP"),
    "DO in the move word": {"words": ARRAY, "step": "36 0 DO 0 I a[] ! LOOP " + USE},
    "DO with the last index + 1": filled("37 1 DO 0 I 1- a[] ! LOOP"),
    "DO with two stores": filled("18 0 DO 0 I a[] ! I 35 I - a[] ! LOOP"),
    "ON": filled("36 0 DO I a[] ON LOOP"),
    "counting up": filled("0 BEGIN 0 OVER a[] ! 1+ DUP 36 = UNTIL DROP"),
    "counting up, tested with >=": filled("0 BEGIN 0 OVER a[] ! 1+ DUP 36 < NOT UNTIL DROP"),
    "counting down": filled("36 BEGIN 1- 0 OVER a[] ! DUP 0= UNTIL DROP"),
    "counting down, tested with 0>": filled("36 BEGIN 1- DUP a[] OFF DUP 0> NOT UNTIL DROP"),
    "constants": filled("rows rows * 0 DO 0 I a[] ! LOOP", "6 CONSTANT rows "),
    "copied from the board": filled("36 0 DO I piece-type-at I a[] ! LOOP"),
    "copied, counting": filled("36 BEGIN 1- DUP piece-type-at OVER a[] ! DUP 0= UNTIL DROP"),
    "by a word that stores": filled("36 0 DO 0 I set LOOP", ": set ( n i -- ) a[] ! ; "),
    "a loop that may end the move word": filled("36 0 DO here 99 <> verify 0 I a[] ! LOOP"),
    "after another loop": filled("9 0 DO I I b[] ! LOOP 36 0 DO 0 I a[] ! LOOP 5 b[] @ DROP"),
    "by a loop that calls a word with branches": filled(
        "36 BEGIN 1- DUP kind OVER a[] ! DUP 0> NOT UNTIL DROP",
        ": kind ( pos -- n ) DUP empty-at? IF DROP 0 ELSE piece-type-at 1+ ENDIF ; ",
    ),
    "by a loop with branches": filled(
        "36 BEGIN 1- DUP empty-at? IF 0 ELSE DUP here = IF 1 ELSE DUP piece-type-at ENDIF ENDIF"
        " OVER a[] ! DUP 0= UNTIL DROP"
    ),
    "by a loop with a branch on the index": filled(
        "36 0 DO I 5 = IF 7 I a[] ! ELSE 0 I a[] ! ENDIF LOOP"
    ),
    "in both branches": {
        "words": ARRAY + ": fill ( n -- ) 36 0 DO DUP I a[] ! LOOP DROP ;",
        "step": "here 3 > IF 1 fill ELSE 2 fill ENDIF " + USE,
    },
    "a table": {
        "words": TABLE,
        "step": "36 0 DO 0 I item ! LOOP here DUP item ! 20 item @ 7 AND 5 <> verify",
    },
    "filled by a hook before each list": {
        "words": ARRAY,
        "step": USE,
        "hooks": ": OnGenerateMoves ( -- ) 36 0 DO 0 I a[] ! LOOP ;",
    },
    "a variable that is set together with a flag": found(
        TEST + " DUP w ! 1 v ! ENDIF", "v @ IF w @ 99 <> verify ENDIF"
    ),
    "the flag is set first": found(
        TEST + " TRUE v ! here w ! ENDIF", "v @ 0> IF ELSE v @ IF w @ 99 <> verify ENDIF ENDIF"
    ),
    "the flag counts": found(TEST + " DUP w ! v ++ ENDIF", "v @ 1 = IF w @ 99 <> verify ENDIF"),
}

OBSERVED = {
    "MOVE to a table": {
        "words": TABLE,
        "step": "source table 36 MOVE here DUP item ! 20 item @ 7 AND 5 <> verify",
    },
    "not filled": {"words": ARRAY, "step": USE},
    "read before it is filled": {
        "words": ARRAY,
        "step": USE + " 36 0 DO 0 I a[] ! LOOP",
    },
    "one cell increased": {"words": ARRAY, "step": "here a[] ++"},
    "a cell read by evaluation": {
        "words": ARRAY,
        "step": "here DUP a[] !",
        "hooks": EVALUATE % "20 a[] @",
    },
    "filled in one branch": {
        "words": ARRAY + ": fill ( -- ) 36 0 DO 0 I a[] ! LOOP ;",
        "step": "here 3 > IF fill ENDIF " + USE,
    },
    "DO without the last cell": filled("35 0 DO 0 I a[] ! LOOP"),
    "DO without the first cell": filled("36 1 DO 0 I a[] ! LOOP"),
    "every other cell": filled("36 0 DO 0 I a[] ! 2 +LOOP"),
    "every other cell, counting": filled("0 BEGIN 0 OVER a[] ! 2 + DUP 36 = UNTIL DROP"),
    "counting down to 1": filled("36 BEGIN 1- 0 OVER a[] ! DUP 1 = UNTIL DROP"),
    "the loop ends at here": filled("0 BEGIN 0 OVER a[] ! 1+ DUP here > UNTIL DROP"),
    "the loop begins at here": filled("36 here DO 0 I a[] ! LOOP"),
    "the limit is a variable": filled("w @ 1+ 0 DO 0 I a[] ! LOOP"),
    "the limit is a deferred word": filled(
        "later 0 DO 0 I a[] ! LOOP", "6 CONSTANT n ' n IS later "
    ),
    "stores in one branch": filled("36 0 DO I empty-at? IF 0 I a[] ! ENDIF LOOP"),
    "stores in the other branch": filled("36 0 DO I empty-at? IF ELSE 0 I a[] ! ENDIF LOOP"),
    "stores in a nested branch": filled(
        "36 0 DO I empty-at? IF I from = IF 0 I a[] ! ENDIF ELSE 0 I a[] ! ENDIF LOOP"
    ),
    "a branch on the index without a store": filled("36 0 DO I 5 = IF ELSE 0 I a[] ! ENDIF LOOP"),
    "the index changed in a branch": filled(
        "36 BEGIN 1- DUP empty-at? IF 1- 0 MAX ENDIF 0 OVER a[] ! DUP 0> NOT UNTIL DROP"
    ),
    "the index changed by a word with branches": filled(
        "36 BEGIN 1- lower 0 OVER a[] ! DUP 0> NOT UNTIL DROP",
        ": lower ( n -- n' ) DUP empty-at? IF 1- 0 MAX ENDIF ; ",
    ),
    "LEAVE": filled("36 0 DO 0 I a[] ! I from = IF LEAVE ENDIF LOOP"),
    "the index changed on the return stack": filled(
        "36 0 DO 0 I a[] ! I from = IF R> DROP 36 >R ENDIF LOOP"
    ),
    "LEAVE in a word": filled("36 0 DO 0 I a[] ! stop LOOP", ": stop ( -- ) LEAVE ; "),
    "EXIT": filled("0 BEGIN 0 OVER a[] ! DUP from = IF DROP EXIT ENDIF 1+ DUP 36 = UNTIL DROP"),
    "the index of an inner loop": filled("36 0 DO 2 0 DO 0 I a[] ! LOOP LOOP"),
    "another array": filled("9 0 DO 0 I b[] ! LOOP"),
    "past the end": {"words": "9 [] b[] VARIABLE u ", "step": "here 9 b[] !"},
    "before the beginning": {"words": "VARIABLE u 9 [] b[] ", "step": "here -3 b[] !"},
    "the address of a cell": {"words": ARRAY, "step": "here 2 a[] 4 + !"},
    "a cell read through the address of another one": {
        "words": ARRAY,
        "step": "here here a[] !",
        "hooks": EVALUATE % "19 a[] CELLSIZE + @",
    },
    "an array's token": {
        "words": ARRAY,
        "step": "here here a[] !",
        "hooks": EVALUATE % "20 ['] a[] EXECUTE @",
    },
    "the token of a table's word": {
        "words": TABLE,
        "step": "here here item !",
        "hooks": EVALUATE % "20 ['] item EXECUTE @",
    },
    "a table, through its address": {
        "words": TABLE,
        "step": "here here item !",
        "hooks": EVALUATE % "table 80 + @",
    },
    "a table, through another word": {
        "words": TABLE + ": other ( i -- addr ) CELLS table + ;",
        "step": "here here item !",
        "hooks": EVALUATE % "20 other @",
    },
    "the first cell of a table": {
        "words": TABLE,
        "step": "0 table ! here DUP item ! 20 item @ 7 AND 5 <> verify",
    },
    "MOVE to a part of a table": {
        "words": TABLE,
        "step": "source table 35 MOVE here DUP item ! 35 item @ 7 AND 5 <> verify",
    },
    "a variable that is set without the flag": found(
        TEST + " DUP w ! ENDIF", "v @ 0= IF w @ 3 <> verify ENDIF"
    ),
    "a flag that is set without the variable": found(
        TEST + " DUP w ! 1 v ! ELSE 1 v ! ENDIF", "v @ IF w @ 3 <> verify ENDIF"
    ),
    "a flag that a word sets": found(
        TEST + " DUP w ! 1 v ! ENDIF set", "v @ IF w @ 3 <> verify ENDIF", ": set ( -- ) v ++ ;"
    ),
    "a word between the flag and the variable": found(
        TEST + " 1 v ! get DUP w ! ENDIF",
        "",
        ": get ( -- ) v @ IF w @ 3 <> verify ENDIF ;",
    ),
    "a token between the flag and the variable": found(
        TEST + " 1 v ! ['] get $CatchExit DROP DUP w ! ENDIF",
        "",
        ": get ( -- ) v @ IF w @ 3 <> verify ENDIF ;",
    ),
    "a flag compared with 0": found(
        TEST + " DUP w ! 1 v ! ENDIF", "v @ 0 = IF w @ 3 <> verify ENDIF"
    ),
    "a flag that is not below 0": found(
        TEST + " DUP w ! 1 v ! ENDIF", "v @ -1 > IF w @ 3 <> verify ENDIF"
    ),
    "a test of another number": found(
        TEST + " DUP w ! 1 v ! ENDIF", "v @ 1 IF w @ 3 <> verify ENDIF DROP"
    ),
    "a flag that is not cleared": {
        "step": "here 3 AND 2 = IF here w ! 1 v ! ENDIF v @ IF w @ 3 <> verify ENDIF"
    },
    "a flag that is cleared to 1": {
        "step": "1 v ! here 3 AND 2 = IF here w ! 1 v ! ENDIF v @ IF w @ 3 <> verify ENDIF"
    },
    "a deferred array": {
        "words": ARRAY + "' a[] IS later",
        "step": "here here a[] !",
        "hooks": EVALUATE % "20 later @",
    },
}
