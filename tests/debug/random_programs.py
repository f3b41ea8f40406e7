"""Random terminating Forth programs, which the tests of reverse execution step through.

Owns the generator, which returns the same program for a seed everywhere.  It must not import
forthvm.
"""

from __future__ import annotations

from random import Random

__all__ = ["PRELUDE", "program"]

PRELUDE = """\
VARIABLE a VARIABLE b CREATE buffer 64 ALLOT
: bump ( n -- ) a +! ;
: twice ( 'x -- ) DUP EXECUTE EXECUTE ;
: one ( -- ) 1 bump ;
"""

# Each statement leaves the stack unchanged and stores values that depend on stored values.
_STATEMENTS = (
    "{n} bump",
    "a @ {n} XOR b !",
    "b @ a @ < IF {n} a ! ELSE a @ 1+ b ! ENDIF",
    "['] one twice",
    "{n} >R R@ bump R> b +!",
    "buffer buffer 8 + {m} CMOVE a @ buffer C!",
    "buffer {m} 32 FILL",
    "buffer 16 {m} FILL buffer @ b !",
    "{n} {m} SWAP OVER + SWAP DROP b +!",
    "1 2 3 ROT DROP + a +!",
    "a @ .",
    "a @ 7 AND 0= IF b @ a ! ENDIF",
)
_LOOPS = (
    "{k} 0 DO I bump {body} LOOP",
    "{k} 0 DO {body} 2 +LOOP",
    "{k} BEGIN {body} 1- DUP 0= UNTIL DROP",
)


def program(seed: int) -> str:
    """Return definitions `w0`, `w1` and so on, and `main`, which runs the last of them."""
    random = Random(seed)
    words = []
    for number in range(random.randint(1, 4)):
        body = _body(random, number, depth=0)
        words.append(f": w{number} ( -- )\n  {body} ;")
    return PRELUDE + "\n".join(words) + f"\n: main ( -- ) w{len(words) - 1} a @ b @ + buffer ! ;\n"


def _body(random: Random, callable_words: int, depth: int) -> str:
    parts = []
    for _ in range(random.randint(1, 3)):
        if depth < 2 and random.random() < 0.3:
            loop = random.choice(_LOOPS)
            inner = _body(random, callable_words, depth + 1)
            parts.append(loop.format(k=random.randint(1, 3), body=inner))
        elif callable_words and random.random() < 0.2:
            parts.append(f"w{random.randrange(callable_words)}")
        else:
            statement = random.choice(_STATEMENTS)
            parts.append(statement.format(n=random.randint(-9, 9), m=random.randint(1, 8)))
    return "\n  ".join(parts)
