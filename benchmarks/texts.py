"""Lists the Forth programs that forthvm and gforth run from the same text, with expected results.

Owns the list of programs and their sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.plain import PROGRAMS as PLAIN

__all__ = ["FILES", "PROGRAMS", "Program", "expected_result", "read"]

FOLDER = Path(__file__).resolve().parent / "programs"
"""The folder of the programs and of their versions in C and Lua."""
FILES = (
    "fib.4th",
    "sieve.4th",
    "bubble.4th",
    "matmul.4th",
    "defer.4th",
    "scan.4th",
    "breakthrough.4th",
    "measure.h",
    "micro.c",
    "breakthrough.c",
    "peers.lua",
)
"""The files of the folder: the programs in Forth, their versions in C and Lua, and a C header."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """A word ( size -- result ) of a Forth file, and the names of its versions in C and Lua."""

    name: str
    group: str
    text: str
    """The name of the Forth file without suffix."""
    c: str
    """The name of the C file without suffix."""
    size: int
    """The argument of the word when speed is measured."""
    tiny: int
    """The argument when only the result is checked."""
    summary: str

    @property
    def word(self) -> str:
        """The word to call."""
        return f"run-{self.peer_name}"

    @property
    def peer_name(self) -> str:
        """The name of the program in C, Lua and Python."""
        return self.name.removeprefix("bt-")


def _micro(name: str, size: int, tiny: int, summary: str) -> Program:
    return Program(
        name=name,
        group="interpreter",
        text=name,
        c="micro",
        size=size,
        tiny=tiny,
        summary=summary,
    )


def _breakthrough(name: str, size: int, tiny: int, summary: str) -> Program:
    return Program(
        name=f"bt-{name}",
        group="script",
        text="breakthrough",
        c="breakthrough",
        size=size,
        tiny=tiny,
        summary=summary,
    )


PROGRAMS = (
    _micro("fib", 27, 10, "Fibonacci number 27 by recursion: calls and returns"),
    _micro("sieve", 20, 1, "20 sieves of 8,190 flags: bytes and loops"),
    _micro("bubble", 400, 20, "bubble sort of 400 cells: arrays and comparisons"),
    _micro("matmul", 10, 1, "10 products of 40 x 40 matrices: nested loops"),
    _micro("defer", 100_000, 100, "100,000 calls through DEFER and EXECUTE"),
    _micro("scan", 1000, 1, "1,000 scans of an 8 x 8 board of bytes: directions, conditions"),
    _breakthrough("perft", 4, 2, "Breakthrough in plain Forth: 4 plies counted"),
    _breakthrough("negamax", 6, 3, "Breakthrough in plain Forth: alpha-beta 6 plies deep"),
    _breakthrough("playouts", 200, 3, "Breakthrough in plain Forth: 200 random games"),
)


def read(name: str) -> str:
    """Return the text of a file, one of FILES."""
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def expected_result(program: Program, size: int) -> int:
    """Return the result of the program in Python."""
    return PLAIN[program.peer_name](size)
