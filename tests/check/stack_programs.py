"""Generators of random definitions for tests of the static analysis.

The effect of a balanced definition is known by construction.  Conditions are the results of `coin`,
which reads the next bit of `bits`, so that a test can make a program execute any of its paths.  The
variables c0 to c4 count the iterations of BEGIN loops, one variable for each depth of nesting.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

__all__ = ["PRELUDE", "Balanced", "Draw", "balanced", "unbalanced"]

PRELUDE = """\
VARIABLE bits
: coin ( -- ? ) bits @ DUP 2/ bits ! 1 AND ;
VARIABLE c0 VARIABLE c1 VARIABLE c2 VARIABLE c3 VARIABLE c4
: helper ( a b -- c ) OVER coin IF SWAP ENDIF DROP + ;
: run ( 'x -- ) EXECUTE ;
: two ( -- a b ) 1 2 ;
: found ( -- n TRUE | FALSE ) coin IF 7 TRUE ELSE FALSE ENDIF ;
"""

Draw = st.DrawFn

# For each word, the numbers of cells that it takes and leaves.
_WORDS = {
    "DUP": (1, 2),
    "DROP": (1, 0),
    "SWAP": (2, 2),
    "OVER": (2, 3),
    "ROT": (3, 3),
    "2DUP": (2, 4),
    "2DROP": (2, 0),
    "+": (2, 1),
    "NEGATE": (1, 1),
    "5": (0, 1),
    "coin": (0, 1),
    "helper": (2, 1),
    "two": (0, 2),
    "['] two run": (0, 2),
    "['] + run": (2, 1),
    "['] DROP EXECUTE": (1, 0),
    "1 PICK": (2, 3),
    ">R coin R> SWAP": (1, 2),
    "found IF DROP ENDIF": (0, 0),
    "found NOT IF 3 ENDIF": (0, 1),
    "bits @": (0, 1),
}


class Balanced(NamedTuple):
    """Code of known effect: cells needed, and the net effect."""

    text: str
    need: int
    net: int


def _sequence(first: Balanced, second: Balanced) -> Balanced:
    need = max(first.need, second.need - first.net)
    return Balanced(f"{first.text} {second.text}".strip(), need, first.net + second.net)


def _with_net_effect(code: Balanced, net: int) -> Balanced:
    """Return the code with a given net effect, by appending literals or DROPs."""
    while code.net < net:
        code = _sequence(code, Balanced("4", 0, 1))
    while code.net > net:
        code = _sequence(code, Balanced("DROP", 1, -1))
    return code


@st.composite
def balanced(draw: Draw, depth: int = 3) -> Balanced:
    """Generate code of known effect, with balanced branches and loops."""
    code = Balanced("", 0, 0)
    for _ in range(draw(st.integers(1, 5))):
        code = _sequence(code, draw(_part(depth)))
    return code


@st.composite
def _part(draw: Draw, depth: int) -> Balanced:
    kind = draw(st.sampled_from(["word"] * 6 + (["if-else", "if", "do", "begin"] if depth else [])))
    if kind == "word":
        name = draw(st.sampled_from(sorted(_WORDS)))
        takes, leaves = _WORDS[name]
        return Balanced(name, takes, leaves - takes)
    body = draw(balanced(depth=depth - 1))
    if kind == "if-else":
        other = _with_net_effect(draw(balanced(depth=depth - 1)), body.net)
        text = f"coin IF {body.text} ELSE {other.text} ENDIF"
        return Balanced(text, max(body.need, other.need), body.net)
    body = _with_net_effect(body, 0)
    if kind == "if":
        return body._replace(text=f"coin IF {body.text} ENDIF")
    if kind == "do":
        return body._replace(text=f"{draw(st.integers(2, 3))} 0 DO {body.text} LOOP")
    counter = f"c{depth}"
    loop = f"2 {counter} ! BEGIN {body.text} {counter} -- {counter} @ 0> NOT UNTIL"
    return body._replace(text=loop)


@st.composite
def unbalanced(draw: Draw, depth: int = 3) -> str:
    """Generate code whose branches and loops may change the depth in any way, with EXIT."""
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        nested = ["if", "if-else", "do", "begin", "flag"] if depth else []
        kinds = ["word"] * 4 + ["exit"] + nested
        kind = draw(st.sampled_from(kinds))
        if kind == "word":
            parts.append(draw(st.sampled_from(sorted(_WORDS))))
        elif kind == "exit":
            parts.append("coin IF EXIT ENDIF")
        elif kind == "flag":  # the flag on top of the stack decides whether a DROP runs
            first, second = draw(unbalanced(depth=0)), draw(unbalanced(depth=0))
            parts.append(f"coin IF {first} 8 TRUE ELSE {second} FALSE ENDIF IF DROP ENDIF")
        else:
            inner = draw(unbalanced(depth=depth - 1))
            parts.append(_wrapped(kind, inner, draw(unbalanced(depth=depth - 1)), depth))
    return " ".join(parts)


def _wrapped(kind: str, inner: str, other: str, depth: int) -> str:
    if kind == "if":
        return f"coin IF {inner} ENDIF"
    if kind == "if-else":
        return f"coin IF {inner} ELSE {other} ENDIF"
    if kind == "do":
        return f"2 0 DO {inner.replace('EXIT', 'LEAVE')} LOOP"
    return f"2 c{depth} ! BEGIN {inner} c{depth} -- c{depth} @ 0> NOT UNTIL"
