"""Small Forth programs of all kinds written without a look at the superinstructions.

Owns the programs' sizes and answers, and how forthvm is compared with gforth-fast over them.  Each
text defines `run ( n -- answer )` and runs unchanged in both systems; the answers come from gforth.

    python benchmarks/unseen/run.py              check the answers
    python benchmarks/unseen/run.py --time 9     and compare times: medians of 9 interleaved pairs

FORTHVM_TIER=interpreter chooses the tier, as everywhere.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import time
from pathlib import Path

from forthvm.core.vm import VM

HERE = Path(__file__).resolve().parent
PROGRAMS = {  # name: (size, answer)
    "ackermann": (300, 620), "base": (2000, 23917), "bigint": (300, 2466),
    "bits": (20000, 884208), "collatz": (10000, 6171262), "crc": (20, 1914680),
    "dijkstra": (4, 574), "factors": (5000, 7598457), "gcd": (120, 6408816),
    "hanoi": (14, 16943), "hash": (20000, 598778), "heap": (3, 3060408), "josephus": (500, 5563),
    "knight": (1, 1735383), "life": (6, 144269), "list": (5, 6672268),
    "mandelbrot": (2, 269600), "matrix": (60, 90519), "permutations": (7, 57960),
    "queens": (7, 40), "roman": (1500, 1133550), "sieve2": (10, 3420), "sorting": (3, 13149951),
    "strings": (10, 521574), "trees": (4, 11796110),
}  # fmt: skip
TARGET = 0.1  # seconds that a measured run takes at least
# Times are processor time, taken inside each system after the text has been compiled.
GFORTH = "cputime d+ {repeats} 0 [do] {size} run drop [loop] cputime d+ 2swap d- d. bye"


def load(name: str) -> VM:
    """A VM with the library's core words and one program."""
    vm = VM(library="core")
    vm.load(HERE / f"{name}.4th")
    return vm


def ours(vm: VM, size: int, repeats: int) -> float:
    """Seconds of one run in forthvm."""
    start = time.process_time()
    for _ in range(repeats):
        vm.call("run", size)
    return (time.process_time() - start) / repeats


def theirs(name: str, size: int, repeats: int) -> float:
    """Seconds of one run in gforth-fast."""
    measure = GFORTH.format(repeats=repeats, size=size)
    command = ["gforth-fast", "-e", "warnings off", str(HERE / f"{name}.4th"), "-e", measure]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) * 1e-6 / repeats


def ratio(name: str, size: int, pairs: int) -> float:
    """Time of forthvm divided by that of gforth-fast, the median of interleaved pairs."""
    vm = load(name)
    vm.call("run", size)  # the first run pays for translation
    repeats = max(1, math.ceil(TARGET / ours(vm, size, 1)))
    found = [ours(vm, size, repeats) / theirs(name, size, repeats) for _ in range(pairs)]
    return statistics.median(found)


def main() -> int:
    """Check every program; with --time compare each with gforth-fast. 1 on a wrong answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=int, metavar="PAIRS", default=0)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    wrong, ratios = 0, []
    for name, (size, answer) in PROGRAMS.items():
        if options.names and name not in options.names:
            continue
        (found,) = load(name).call("run", size)
        wrong += found != answer
        shown = "ok" if found == answer else f"{found} instead of {answer}"
        if options.time:
            ratios.append(ratio(name, size, options.time))
            shown += f"  {ratios[-1]:.2f}"
        print(f"{name:14}{shown}", flush=True)
    if ratios:
        print(f"geometric mean  {statistics.geometric_mean(ratios):.3f} of gforth-fast's time")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
