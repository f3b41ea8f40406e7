"""Random code that makes lists in arrays and reads them, mostly below their counter.

Owns a generator of such code, for the script in test_incomplete_lists.py.
"""

from __future__ import annotations

import random

__all__ = ["WORDS", "code"]

CELLS = 200
"""The cells of an array: more than a script adds."""

WORDS = f"""
{CELLS} [] a[] {CELLS} [] b[] VARIABLE index
: item ( i -- n ) a[] @ ;
: before ( i -- n ) 1- item ;
: add ( n -- ) v @ a[] ! v ++ ;
: add-both ( n -- ) DUP v @ a[] ! v @ b[] ! v ++ ;
"""


def index(rng: random.Random, *, counted: bool) -> str:
    """Return code that pushes an index, which is often below the counter."""
    good = ["v @ 1-", "v @ 1- DUP v !", "v -- v @"] + 8 * ["DUP"] * counted
    return rng.choice(good if rng.random() < 0.9 else ["0", "v @", "here 7 AND"])


def statement(rng: random.Random, depth: int, *, counted: bool) -> str:
    """Return code that uses the arrays; counted: an index is on the stack."""
    choice = rng.random()
    if choice < 0.1:
        return rng.choice(("0 v !", "0 v !", "1 v !", "v ++"))
    if choice < 0.4:
        return rng.choice(
            ("here add", "3 add", "from v @ a[] ! v ++", "here add-both", "5 0 a[] !")
        )
    if choice < 0.6 or depth == 0:
        use = rng.choice(("a[] @", "a[] @", "item", "before", "b[] @"))
        return f"{index(rng, counted=counted)} {use} w +!"
    if choice < 0.7:
        then, other = (code(rng, depth - 1, counted=counted) for _ in range(2))
        test = rng.choice(("here 9 >", "v @ 0>", "w @ 1 AND"))
        return f"{test} IF {then} ELSE {other} ENDIF"
    return loop(rng, depth)


def loop(rng: random.Random, depth: int) -> str:
    """Return a loop in which an index is on the stack or in a variable."""
    choice = rng.random()
    if choice < 0.3:
        read = "index @ a[] @ w +!" if rng.random() < 0.8 else code(rng, 0)
        less = rng.choice(("index @ v @ <", "v @ index @ >", "index @ v @ >= NOT"))
        more = f"{read} {code(rng, 0)} index ++ index @ 3 >"  # no loop, which would use the index
        return f"0 index ! BEGIN {less} IF {more} ELSE TRUE ENDIF UNTIL"
    if choice < 0.5:
        test = rng.choice(("v @ 0>", "0 v @ <", "v @ 0 >", "TRUE"))
        read = f"{index(rng, counted=True)} a[] @ w +!"  # add nothing, or the loop may not end
        return f"{test} IF 0 BEGIN {read} 1+ DUP v @ >= UNTIL DROP ENDIF"
    body = code(rng, depth - 1, counted=True)
    if choice < 0.8:
        end = rng.choice(("", "DUP 3 = IF DROP 0 ENDIF", "here 20 > IF DROP -1 ENDIF"))
        return f"v @ BEGIN 1- DUP 0 >= IF {body} ENDIF {end} DUP 0> NOT UNTIL DROP"
    less = rng.choice(("<", "<", "<="))
    return f"0 BEGIN DUP v @ {less} IF {body} 1+ DUP 12 > ELSE TRUE ENDIF UNTIL DROP"


def code(rng: random.Random, depth: int, *, counted: bool = False) -> str:
    """Return a random sequence of statements."""
    return " ".join(statement(rng, depth, counted=counted) for _ in range(rng.randint(1, 3)))
