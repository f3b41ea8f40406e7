"""Counts the instructions with which forthvm starts.  They hardly vary, so CI has limits for them.

    python -m benchmarks.start

Callgrind counts what Python executes from its start to its end.  Each program runs once before, so
that its modules are compiled.  The exit status is 1 if a program needs more than the limit.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.runner import check

__all__ = ["instructions", "main"]


class Program(NamedTuple):
    """A program of Python that is measured."""

    name: str
    arguments: tuple[str, ...]
    lines: int
    """Number of lines that it prints."""
    limit: float
    """Million instructions that it may need."""


PROGRAMS = (
    Program("python -c pass", ("-c", "pass"), 0, float("inf")),
    Program("forthvm moves tictactoe", ("-m", "forthvm", "moves", "tictactoe"), 9, 250),
    Program(
        "import forthvm; load; legal_moves",
        ("-c", "import forthvm; print(*forthvm.load('tictactoe').start().legal_moves, sep='\\n')"),
        9,
        200,
    ),
)
_COUNT = re.compile(r"Collected : (\d+)")


def instructions(program: Program) -> float:
    """Return the number of instructions of a program in millions.

    Raises:
        FileNotFoundError: Valgrind is not installed.
        WrongResultError: The program did not print what it should.
    """
    command = [sys.executable, "-P", *program.arguments]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        counter = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={Path(folder, 'counts')}",
        ]
        for before in ([], counter):
            done = subprocess.run(
                [*before, *command], capture_output=True, text=True, check=True, env=environment
            )
            check(f"lines printed by {program.name}", len(done.stdout.splitlines()), program.lines)
    found = _COUNT.search(done.stderr)
    assert found is not None, done.stderr
    return int(found[1]) / 1e6


def main() -> int:
    """Print the numbers; return 1 if one is above its limit."""
    status = 0
    for program in PROGRAMS:
        count = instructions(program)
        limit = f"  (limit {program.limit:.0f})" if program.limit < float("inf") else ""
        print(f"{program.name:36}{count:6.0f} million instructions{limit}")
        status |= count > program.limit
    return status


if __name__ == "__main__":
    sys.exit(main())
