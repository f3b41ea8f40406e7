"""Advice on unknown names that exist in other Forths or languages.

This file owns the advice.
"""

from __future__ import annotations

import re

__all__ = ["advice"]

_ALTERNATIVES = {
    "?DUP": "there is no ?DUP: write DUP IF ... ELSE DROP ENDIF",
    "NIP": "there is no NIP: write SWAP DROP",
    "TUCK": "there is no TUCK: write SWAP OVER",
    "-ROT": "there is no -ROT: write ROT ROT",
    "ROLL": "there is no ROLL: to copy a cell, write PICK",
    "AGAIN": "there is no AGAIN: write FALSE UNTIL",
    "?DO": "there is no ?DO: DO runs its body at least once, so test before it",
    "UNLOOP": "there is no UNLOOP, and EXIT cannot leave a DO loop: use LEAVE",
    "CASE": "there is no CASE: nest IF ... ELSE ... ENDIF",
    "OF": "there is no CASE: nest IF ... ELSE ... ENDIF",
    "VALUE": "there is no VALUE: write VARIABLE, or CONSTANT and change its value by IS",
    "TO": "there is no TO: IS changes the value of a CONSTANT (`to` sets the current position)",
    "POSTPONE": "there is no POSTPONE: write COMPILE or [COMPILE]",
    "LSHIFT": "there is no LSHIFT: multiply",
    "RSHIFT": "there is no RSHIFT: divide",
    "CELL+": "there is no CELL+: write CELLSIZE +",
    "CELL": "the size of a cell is CELLSIZE",
    "CHAR": "write ASCII",
    "[CHAR]": "write ASCII",
    "SPACES": "there is no SPACES: SPACE prints one blank",
    "U<": "there are no unsigned comparisons",
    "COUNT": "texts end with a zero and have no count: TYPE takes the address alone",
    "0<=": "write 1 <",
    "0>=": "write -1 >",
}
_RULES = (
    (re.compile(r"^\(.+"), "a comment needs a blank after its bracket: `( ...`"),
    (re.compile(r"^\\.+"), "a comment needs a blank after the backslash"),
    (re.compile(r"^//|^#!|^/\*"), "comments are `\\ ...` and `( ... )`"),
    (
        re.compile(r"^\$[0-9A-Fa-f]+$|^0x[0-9A-Fa-f]+$"),
        "write hexadecimal numbers as HEX FF DECIMAL",
    ),
    (re.compile(r"^'.'$"), "write the code of a character as ASCII x"),
    (re.compile(r"^[+-]?\d+[eE][+-]?\d+$"), "a float needs a point: 1.e3"),
    (re.compile(r"^[+-]?\d{10,}$"), "numbers range from -2147483648 to 2147483647"),
    (re.compile(r"^[+-]?[0-9A-Fa-f]{8,}$"), "numbers must fit 32 bits with their sign"),
    (re.compile("\u00a0"), "there is a no-break space in this name"),
    (re.compile(r'^[.S^]"\S'), "a text needs a blank after its first quote"),
)


def advice(name: str) -> str:
    """Return what to write instead of an unknown name; "" without advice."""
    for pattern, text in _RULES:
        if pattern.search(name):
            return text
    return _ALTERNATIVES.get(name, "") or _ALTERNATIVES.get(name.upper(), "")
