"""The original's search may search the first moves of a list before it generates the others.

Owns scripts in which moves, or hooks that run when moves are made, change what move words read, and
the comparison with the search that generates every list completely.  See can_be_continued in
native/game/list_facts.h.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.test_counted_lists import EVALUATE, PRIORITIES, position_of
from tests.engines.test_incomplete_lists import compare

BALANCE = EVALUATE % "current-player material-balance"
SET = ": set ( n -- ) v ! ; : get ( -- n ) v @ ;"

SCRIPTS: dict[str, dict[str, str]] = {
    "undone moves": {},
    "a variable of the board": {"go": "sum @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE add"},
    "a variable that moves change": {
        "words": SET,
        "go": "get 3 AND 3 <> verify here COMPILE-LITERAL COMPILE set",
    },
    "a variable that moves set by ON": {
        "words": ": set ( -- ) v ON ;",
        "go": "v @ 0= from a3 > OR verify COMPILE set",
    },
    "a variable of the board that moves set by OFF": {
        "words": ": add ( n -- ) sum +! ; : clear ( -- ) sum OFF ;",
        "go": "sum @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE add"
        " here 20 > IF COMPILE clear ENDIF",
    },
    "a variable of the library that moves set by ON": {
        "words": ": force ( -- ) $uniqueMoves ON ;",
        "go": "COMPILE force",
    },
    "types and owners that moves change": {
        "words": ": promote ( pos -- ) 2 SWAP (change-type-at) ;"
        " : turn ( pos -- ) current-player SWAP (change-owner-at) ;",
        "go": "here 7 = IF here COMPILE-LITERAL COMPILE promote ENDIF"
        " here 12 = IF c3 COMPILE-LITERAL COMPILE turn ENDIF",
    },
    "a variable that moves count": {
        "words": ": count ( -- ) v ++ ;",
        "go": "v @ 3 AND 3 <> verify COMPILE count",
    },
    "a variable that moves change through its address": {
        "words": ": set ( n -- ) v 0 + ! ;",
        "go": "v @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE set",
    },
    "an array that moves change": {
        "words": "9 [] kept[] : set ( n -- ) 2 kept[] ! ;",
        "go": "2 kept[] @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE set",
    },
    "a token in moves": {
        "words": SET,
        "go": "get 3 AND 3 <> verify here COMPILE-LITERAL ['] set ,",
    },
    "a store in moves": {"go": "v @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE v COMPILE !"},
    "an increment in moves": {"go": "v @ 3 AND 3 <> verify COMPILE v COMPILE ++"},
    "ON in moves": {"go": "v @ 0= from a3 > OR verify COMPILE v COMPILE ON"},
    "ON in moves, with an address": {
        "go": "v @ 0= from a3 > OR verify v COMPILE-LITERAL COMPILE ON",
    },
    "a store in moves to a variable of the board": {
        "go": "sum @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE sum COMPILE +!",
    },
    "a deferred store": {
        "words": "DEFER st ' ! IS st : set ( n -- ) v st ;",
        "go": "v @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE set",
    },
    "a store to an address in the move": {
        "words": ": put ( n a -- ) ! ;",
        "go": "v @ 3 AND 3 <> verify here COMPILE-LITERAL v COMPILE-LITERAL COMPILE put",
    },
    "a store to a variable, or to one of the board": {
        "words": ": count ( n -- ) 1 SWAP 1 AND IF v ELSE sum ENDIF +! ;",
        "go": "v @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE count",
    },
    "attributes of pieces": {
        "words": ": mark ( pos -- ) board[] DUP @ 65536 + SWAP ! ;"
        " : tag ( pos -- ) 4097 SWAP board[] ! ;",
        "go": "here board[] @ 131071 < verify here 12 = IF a1 COMPILE-LITERAL COMPILE tag ENDIF",
    },
    "variables that moves read": {
        "words": ": note ( -- ) from here 8 * + current-piece 64 * + 255 AND sum ! ;",
        "go": "COMPILE note",
        "hooks": EVALUATE % "sum @",
    },
    "a variable that OnNextTurn changes": {
        "go": "v @ 3 AND 3 <> verify",
        "hooks": ": OnNextTurn ( -- ) v ++ OnNextTurn ;",
    },
    "a variable of the board that OnNextTurn changes": {
        "go": "sum @ 3 AND 3 <> verify here COMPILE-LITERAL COMPILE add",
        "hooks": ": OnNextTurn ( -- ) sum ++ OnNextTurn ;",
    },
    "a turn that OnNextTurn repeats": {
        "go": "here COMPILE-LITERAL COMPILE add",
        "hooks": ": OnNextTurn ( -- ) OnNextTurn sum @ 3 MOD 0= IF OnNextTurn ENDIF ;",
    },
    "a turn that moves set": {
        "words": ": again ( -- ) turn-offset next-turn-offset $SetTurn ;",
        "go": "here 12 = IF COMPILE again ENDIF",
    },
    "a variable that OnRetractMove changes": {
        "go": "v @ 3 AND 3 <> verify",
        "hooks": ": OnRetractMove ( -- ) v ++ ;",
    },
    "a variable that OnFriends? changes": {
        "go": "v @ 3 AND 3 <> verify",
        "hooks": ": OnFriends? ( a b -- ? ) v ++ = ;",
    },
    "a variable that the evaluation changes": {
        "go": "v @ 3 AND 3 <> verify",
        "hooks": EVALUATE % "v ++ current-player material-balance",
    },
    "a variable of the library that moves change": {
        "words": ": force ( -- ) $passTurnForced ON ;",
        "go": "COMPILE force",
    },
    "a cell below the stack that another word of the list has overwritten": {
        "words": ": first ( -- ) DROP 9 s verify empty? verify from here move add-move ;"
        " : second ( -- ) DUP 9 = verify n verify empty? verify from here move add-move ;",
        "after": "{moves pair {move} first {move} second moves}"
        " {pieces {piece} man {moves} pair pieces}",
    },
    "two cells below the stack that another word of the list has overwritten": {
        "words": ": first ( -- ) DROP DROP from from s verify empty? verify from here move"
        " add-move ;"
        " : second ( -- ) 2DUP + from 2* = verify n verify empty? verify from here move add-move ;",
        "after": "{moves pair {move} first {move} second moves}"
        " {pieces {piece} man {moves} pair pieces}",
    },
    "home, with scratch memory": {
        "words": "{scratch VARIABLE kept scratch}",
        "go": "here kept ! from piece-type-at 2 = IF from 1+ 24 MIN DUP friend-at?"
        " IF home ELSE DROP ENDIF ENDIF",
    },
    "the list, in a move": {
        "words": ": note ( -- ) move-count sum ! ;",
        "go": "COMPILE note",
        "hooks": EVALUATE % "sum @",
    },
    "HERE, in a move": {
        "words": ": note ( -- ) HERE 1023 AND sum ! ;",
        "go": "COMPILE note",
        "hooks": EVALUATE % "sum @",
    },
    "HERE, in OnNextTurn": {
        "hooks": ": OnNextTurn ( -- ) HERE 1023 AND sum ! OnNextTurn ; " + EVALUATE % "sum @",
    },
    "a deferred word that moves replace": {
        "words": "DEFER test : yes ( -- ? ) TRUE ; : odd ( -- ? ) here 1 AND ; ' yes IS test"
        " : replace ( -- ) ['] odd IS test ;",
        "go": "test verify here 9 = IF COMPILE replace ENDIF",
    },
    "priorities": {"before": PRIORITIES},
    "partial moves": {"go": "here a1 > from a5 > AND IF partial ENDIF"},
    "changes of types": {"after": "", "go": "here 7 = IF 2 change-type ENDIF"},
    "forced passes": {"hooks": "$passTurnForced ON " + BALANCE},
    "random numbers in moves": {
        "words": ": draw ( -- ) 0 9 RAND-WITHIN sum ! ;",
        "go": "COMPILE draw",
        "hooks": EVALUATE % "sum @",
    },
    "unique moves": {"hooks": "$uniqueMoves ON " + BALANCE},
}


@pytest.mark.sampled(13)
@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("name", SCRIPTS)
def test_searches_with_continued_lists_give_the_same_results(
    tmp_path: Path, name: str, depth: int
) -> None:
    parts = {"hooks": BALANCE} | SCRIPTS[name]
    if "OnEvaluate" not in parts["hooks"]:
        parts["hooks"] += " " + BALANCE
    compare(position_of(tmp_path, **parts), depth, seed=4)
