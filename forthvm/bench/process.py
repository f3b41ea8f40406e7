"""Benches of whole processes: start-up from a shell, and memory.

Owns the child processes; each runs the same Python as this one.
"""

from __future__ import annotations

import subprocess
import sys
import time

from forthvm.bench.runner import Bench, check

__all__ = ["BENCHES"]


def _moves() -> float:
    """Milliseconds of `forthvm moves tictactoe`, process start included."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "forthvm", "moves", "tictactoe"],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - start
    check("first moves of tic-tac-toe", len(done.stdout.splitlines()), 9)
    return seconds * 1000


def _python() -> float:
    """Milliseconds of a Python that does nothing: the part of start-up that is not ours."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return (time.perf_counter() - start) * 1000


# ru_maxrss would count what importing needed for a moment; /proc tells what is resident now.
_MEMORY = """
import sys, resource
def resident():
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
import forthvm
before = resident()
game = forthvm.load("splut")
print(resident() - before, len(game.start().legal_moves))
"""


def _memory() -> float:
    """MiB that loading splut adds to a process that has imported forthvm."""
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY], capture_output=True, text=True, check=True
    )
    added, moves = map(int, done.stdout.split())
    check("splut has first moves", moves > 0, True)
    return added / 2**20


BENCHES = (
    Bench(name="start-python", unit="ms", summary="python -c pass, for comparison", run=_python),
    Bench(
        name="start-moves",
        unit="ms",
        summary="`forthvm moves tictactoe` from a shell",
        run=_moves,
        target="below 150",
    ),
    Bench(
        name="memory-splut",
        unit="MiB",
        summary="resident memory added by load('splut')",
        run=_memory,
        repeats=3,
        target="below 40",
    ),
)
