"""Random scripts that find memory by indexes outside arrays, and by computed addresses.

Owns the generator: variables and arrays in any order, stores in move words and hooks, and reads in
move words, evaluation and OnIsGameOver.
"""

from __future__ import annotations

import random

__all__ = ["script"]

MEMORY = (
    "VARIABLE u",
    "VARIABLE w",
    "VARIABLE pointer",
    "4 [] a[]",
    "3 [] b[]",
    "CREATE bytes 8 ALLOT",
    "CREATE t 1 , 2 , 3 , 4 ,  : t[] ( n -- addr ) CELLS t + ;",
)
WORDS = """
: distance ( addr addr -- n ) - 4 / ;
u 0 a[] distance CONSTANT a>u   w 0 b[] distance CONSTANT b>w
u t distance CONSTANT t>u       w u distance CONSTANT u>w
: next ( addr -- n ) 4 + @ ;    : get ( addr -- n ) @ ;    : put ( n addr -- ) ! ;
: u-by-t ( -- addr ) t t>u CELLS + ;
: one-of ( ? -- addr ) IF u ELSE w ENDIF ;
: put-next ( n addr -- ) u>w CELLS + ! ;
: cell-at ( n -- addr ) CELLS u + ;
: 4* ( n -- n' ) 4 * ;  : scaled[] ( n -- addr ) 4* t + ;
DEFER fetch  ' @ IS fetch
"""
ADDRESSES = (
    "u",
    "w",
    "1 a[]",
    "2 t[]",
    "a>u a[]",
    "b>w b[]",
    "t>u t[]",
    "t>u scaled[]",
    "t t>u CELLS +",
    "t>u CELLS t +",
    "u-by-t",
    "pointer @",
    "here 3 MOD a[]",
    "here 2 MOD IF a>u ELSE 0 ENDIF a[]",
    "here 2 MOD one-of",
    "here 2 MOD CELLS t +",
    "u>w cell-at",
)
"""Of cells of the memory: some are reached past the end of other memory, or before its start."""

STORES = (
    "%(n)s %(at)s !",
    "%(n)s %(at)s !",
    "%(n)s %(at)s +!",
    "%(n)s %(at)s C!",
    "%(n)s %(at)s put",
    "%(n)s u put-next",
    "%(at)s ON",
    "%(at)s OFF",
    "%(at)s ++",
    "t u 1 MOVE",
    "u 4 7 FILL",
    "w 4 ERASE",
)
READS = (
    "%(at)s @ 255 AND",
    "%(at)s @ 255 AND",
    "%(at)s C@ 127 AND",
    "%(at)s get 255 AND",
    "%(at)s next 255 AND",
    "%(at)s fetch 255 AND",
    "%(at)s ['] @ EXECUTE 255 AND",
    "%(some)d a[] @ 255 AND",
    "%(some)d t[] @ 255 AND",
    "%(some)d counter[] @ 255 AND",
    "%(some)d flag[] C@ 127 AND",
    "%(position)d board[] @ 255 AND",
    "%(position)d empty-at? 3 AND",
    "t u 1 MOVE u @ 255 AND",
)
GAME = """
{board %(rows)d %(columns)d {grid} {variable} sum 3 {array} counter[] 6 {carray} flag[] board}
{directions 0 1 {direction} right 1 0 {direction} down directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
%(memory)s
%(words)s
%(pointer)s pointer !
: work ( -- ) 0 BEGIN 1+ DUP 400 = UNTIL DROP ;
: step ( -- ) right verify empty? verify %(step)s from here move work add-move ;
: fall ( -- ) down verify empty? verify from here move %(fall)s add-move ;
{moves steps {move} step {move} fall moves}
{pieces {piece} man {moves} steps pieces}
{board-setup %(setup)s board-setup}
: OnEvaluate ( -- n ) %(evaluation)s ;
: OnIsGameOver ( -- n ) stalemate? IF #LossScore ELSE %(end)s ENDIF ;
%(hooks)s
"""


def store(rng: random.Random, value: str) -> str:
    """Return code that stores a value."""
    return rng.choice(STORES) % {"n": value, "at": rng.choice(ADDRESSES)}


def read(rng: random.Random) -> str:
    """Return code that pushes a small number from memory."""
    some, position = rng.randrange(-4, 9), rng.randrange(-2, 22)
    return rng.choice(READS) % {"at": rng.choice(ADDRESSES), "some": some, "position": position}


def script(seed: int) -> str:
    """Return a script."""
    rng = random.Random(seed)
    rows, columns = rng.choice(((3, 4), (4, 4), (4, 3)))
    squares = [f"{chr(97 + x)}{y + 1}" for y in range(rows) for x in range(columns)]
    owners = 3 * ["White"] + 3 * ["Black"]
    value = rng.choice(("from here * 1+", "here", "u @ 1+", "here 3 *"))
    hooks = (": OnGenerateMoves ( -- ) %s ;", ": OnNextTurn ( -- ) OnNextTurn %s ;")
    return GAME % {
        "rows": rows,
        "columns": columns,
        "memory": "\n".join(rng.sample(MEMORY, len(MEMORY))),
        "words": WORDS,
        "pointer": rng.choice(("u", "t t>u CELLS +")),
        "step": " ".join(
            [store(rng, value) for _ in range(rng.randrange(1, 3))]
            + [f"{read(rng)} 3 MOD verify" for _ in range(rng.randrange(3) // 2)]
        ),
        "fall": rng.choice(("", store(rng, "from"))),
        "setup": " ".join(
            f"{{setup}} {owner} man {square}"
            for owner, square in zip(owners, rng.sample(squares, 6), strict=True)
        ),
        "evaluation": rng.choice(("5", f"{read(rng)} {read(rng)} +", f"{read(rng)} here +")),
        "end": rng.choice(
            (
                "#UnknownScore",
                f"{read(rng)} 97 = IF #DrawScore ELSE #UnknownScore ENDIF",
            )
        ),
        "hooks": rng.choice(("", "", rng.choice(hooks) % store(rng, "turn-number"))),
    }
