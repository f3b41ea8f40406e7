"""forthvm beside gforth, gforth-fast, C and CPython on the same small programs.

Owns how each peer is run and timed; the programs are in ``programs/``, where forthvm and
gforth run the same Forth text.  Every run checks its answer; a peer that is not installed
is skipped by name.  Times are medians of processor time, taken inside each peer, so without its
start and little moved by what else the machine does.

    python benchmarks/compare.py [--runs N] [--json] [PROGRAM ...]
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import forthvm

PROGRAMS = Path(__file__).resolve().parent / "programs"

# Worked out apart from any peer: fib(30) with fib(0) = fib(1) = 1 is the 31st Fibonacci
# number; 1,899 is the classic count of this sieve; the scan's is 2,000 times 182, counted by
# tests/native/test_benchmarks.py over rays on a board of coordinates.
ANSWERS = {"fib": 1346269, "sieve": 1899, "scan": 2000 * 182}

# A peer: runs a program, returns (seconds, answer).
Peer = Callable[[str], tuple[float, int]]


def run_printed(command: list[str]) -> tuple[float, int]:
    """Runs a command that prints microseconds and the answer last."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    micros, answer = done.stdout.split()[-2:]
    return int(micros) / 1e6, int(answer)


def run_forthvm(program: str) -> tuple[float, int]:
    """A fresh VM each time, so that nothing is translated in advance."""
    vm = forthvm.VM(library="core")
    vm.interpret((PROGRAMS / f"{program}.4th").read_text(encoding="utf-8"))
    began = time.process_time()
    (answer,) = vm.call("answer")
    return time.process_time() - began, answer


def gforth(engine: str) -> Peer:
    """The peer that runs the same text in a gforth engine."""
    timed = ": timed cputime 2drop answer >r cputime 2drop 2swap d- d. r> . ; timed bye"

    def run(program: str) -> tuple[float, int]:
        # -e after the file, and `warnings off` for names that gforth has too.
        source = str(PROGRAMS / f"{program}.4th")
        return run_printed([engine, "-e", "warnings off", source, "-e", timed])

    return run


def c_peer(folder: Path) -> Peer:
    """The peer compiled by the C compiler with -O2."""
    binary = str(folder / "peer")
    subprocess.run(["cc", "-O2", str(PROGRAMS / "peer.c"), "-o", binary], check=True)
    return lambda program: run_printed([binary, program])


def run_python(program: str) -> tuple[float, int]:
    """CPython, the interpreter that runs this file."""
    return run_printed([sys.executable, str(PROGRAMS / "peer.py"), program])


def peers(folder: Path) -> tuple[dict[str, Peer], list[str]]:
    """Those that are here, and the names of those that are not."""
    found: dict[str, Peer] = {"forthvm": run_forthvm}
    absent: list[str] = []
    for engine in ("gforth", "gforth-fast"):
        if shutil.which(engine):
            found[engine] = gforth(engine)
        else:
            absent.append(engine)
    if shutil.which("cc"):
        found["C -O2"] = c_peer(folder)
    else:
        absent.append("C -O2")
    found["CPython"] = run_python
    return found, absent


def measure(program: str, run: Peer, runs: int) -> float:
    """Median seconds of so many runs.

    Raises:
        ValueError: a run gave a wrong answer.
    """
    seconds = []
    for _ in range(runs):
        took, answer = run(program)
        if answer != ANSWERS[program]:
            raise ValueError(f"{program}: {answer} instead of {ANSWERS[program]}")
        seconds.append(took)
    return statistics.median(seconds)


def show(results: dict[str, dict[str, float]], absent: list[str]) -> None:
    """A table: milliseconds, and how many times forthvm's time each peer takes."""
    names = list(next(iter(results.values())))
    print("ms (times forthvm)".ljust(20) + "".join(name.rjust(19) for name in names))
    for program, times in results.items():
        cells = (
            f"{1e3 * took:9.1f} ({took / times['forthvm']:6.2f})".rjust(19)
            for took in times.values()
        )
        print(program.ljust(20) + "".join(cells))
    for name in absent:
        print(f"skipped: {name} is not installed")


def main(arguments: list[str] | None = None) -> int:
    """Measures and prints; see the module's docstring."""
    parser = argparse.ArgumentParser(description="forthvm beside its peers")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="fib, sieve, scan")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    unknown = set(options.programs) - set(ANSWERS)
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        found, absent = peers(Path(folder))
        results = {
            program: {name: measure(program, run, options.runs) for name, run in found.items()}
            for program in options.programs or ANSWERS
        }
    if options.json:
        print(json.dumps({"seconds": results, "absent": absent}, indent=2))
    else:
        show(results, absent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
