"""Runs two sets of small Forth programs in both tiers of forthvm and in gforth-fast.

Owns the sizes of the programs, the results of the first set, and the comparison of times.  Each
text defines `run ( n -- result )` and runs unchanged in forthvm and gforth.

- `unseen`: 25 programs, whose author had seen some superinstructions of an earlier version of the
  table native/tables/superinstructions.def.  These and other programs were used to choose the
  current superinstructions.  The expected results come
  from gforth.
- `held_out`: 20 programs of other kinds, written after that choice by an author who had not seen
  the table of superinstructions.  They were not used for the choice.  The expected results are
  computed in Python (held_out/expected.py).

    python -m benchmarks.small_programs                      check the results
    python -m benchmarks.small_programs --time 9 held_out    check one set and compare times

Times are medians over rounds; in each round the systems run one after the other.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.held_out.expected import expected_result
from forthvm.core.vm import VM

FOLDER = Path(__file__).resolve().parent
UNSEEN = {  # name: (size, result)
    "ackermann": (300, 620), "base": (2000, 23917), "bigint": (300, 2466),
    "bits": (20000, 884208), "collatz": (10000, 6171262), "crc": (20, 1914680),
    "dijkstra": (4, 574), "factors": (5000, 7598457), "gcd": (120, 6408816),
    "hanoi": (14, 16943), "hash": (20000, 598778), "heap": (3, 3060408), "josephus": (500, 5563),
    "knight": (1, 1735383), "life": (6, 144269), "list": (5, 6672268),
    "mandelbrot": (2, 269600), "matrix": (60, 90519), "permutations": (7, 57960),
    "queens": (7, 40), "roman": (1500, 1133550), "sieve2": (10, 3420), "sorting": (3, 13149951),
    "strings": (10, 521574), "trees": (4, 11796110),
}  # fmt: skip
HELD_OUT = (
    "base64", "determinant", "edit", "fenwick", "fermat", "flood", "floyd", "formula", "hadamard",
    "histogram", "justify", "kayles", "knapsack", "machine", "magic", "pascal", "puzzle", "runs",
    "shell", "unions",
)  # fmt: skip
ROUNDS = 3  # argument of the held-out programs
SETS = {
    "unseen": UNSEEN,
    "held_out": {name: (ROUNDS, expected_result(name, ROUNDS)) for name in HELD_OUT},
}
TIERS = ("native", "interpreter")
MINIMUM = 0.1  # seconds of a measurement
# Times are processor time, measured inside each system after compiling the text.
GFORTH = "cputime d+ {repeats} 0 [do] {size} run drop [loop] cputime d+ 2swap d- d. bye"


def load(text: Path, tier: str) -> VM:
    """Return a VM with the core library and one program."""
    vm = VM(library="core", tier=tier)
    vm.load(text)
    return vm


def seconds(vm: VM, size: int, repeats: int) -> float:
    """Return the seconds of one run in forthvm."""
    start = time.process_time()
    for _ in range(repeats):
        vm.call("run", size)
    return (time.process_time() - start) / repeats


def gforth_seconds(text: Path, size: int, repeats: int) -> float:
    """Return the seconds of one run in gforth-fast."""
    measure = GFORTH.format(repeats=repeats, size=size)
    command = ["gforth-fast", "-e", "warnings off", str(text), "-e", measure]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) * 1e-6 / repeats


def ratios(text: Path, size: int, rounds: int) -> list[float]:
    """Return the time of each tier divided by gforth-fast's: medians of interleaved rounds."""
    vms = [load(text, tier) for tier in TIERS]
    repeats = []
    for vm in vms:
        vm.call("run", size)  # the first run includes translation
        once = seconds(vm, size, 1)
        repeats.append(max(1, math.ceil(MINIMUM / max(once, 1e-6))))
    found: list[list[float]] = [[] for _ in TIERS]
    for _ in range(rounds):
        gforth = gforth_seconds(text, size, repeats[-1])
        for tier_ratios, vm, count in zip(found, vms, repeats, strict=True):
            tier_ratios.append(seconds(vm, size, count) / gforth)
    return [statistics.median(tier_ratios) for tier_ratios in found]


def compare(name: str, programs: dict[str, tuple[int, int]], rounds: int) -> int:
    """Check a set, print its ratios and return the number of wrong results."""
    wrong = 0
    found: list[list[float]] = []
    for program, (size, expected) in programs.items():
        text = FOLDER / name / f"{program}.4th"
        results = [load(text, tier).call("run", size) for tier in TIERS]
        correct = results == [(expected,)] * len(TIERS)
        wrong += not correct
        columns = "ok" if correct else f"{results} instead of {expected}"
        if rounds:
            found.append(ratios(text, size, rounds))
            columns += "".join(f"  {ratio:.2f}" for ratio in found[-1])
        print(f"{program:14}{columns}", flush=True)
    for tier, column in zip(TIERS, zip(*found, strict=True), strict=False):
        mean = statistics.geometric_mean(column)
        print(f"{name}, {tier}: {mean:.3f} of gforth-fast's time (geometric mean)")
    return wrong


def main() -> int:
    """Check every program; with --time compare times. Return 1 if a result is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--time", type=int, metavar="ROUNDS", default=0)
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(SETS))
    options = parser.parse_args()
    unknown = set(options.sets) - set(SETS)
    if unknown:
        parser.error(f"unknown sets: {', '.join(sorted(unknown))}")
    wrong = sum(compare(name, SETS[name], options.time) for name in options.sets or SETS)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
