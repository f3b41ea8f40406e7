"""Clocks that jump: the time by which limits are measured follows them only while they run."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.harness import number_from_environment, seed
from tests.kit.processes import output_of

CASES = number_from_environment("FORTHVM_FUZZ_CLOCK", 2000)
NATIVE = Path(__file__).parents[2] / "native"
PROGRAM = """\
#include "os/os.h"
#include <stdio.h>
#include <time.h>

static double given;

int timespec_get(struct timespec *to, int base) {
    to->tv_sec = (time_t)given;
    to->tv_nsec = (long)((given - (double)to->tv_sec) * 1e9);
    return base;
}

int main(void) {
    while (scanf("%lf", &given) == 1)
        printf("%.6f\\n", fvm_now());
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that reads times of the system's clock, and prints those of the core."""
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("clock")
    (folder / "main.c").write_text(PROGRAM)
    command = [compiler, "-DFVM_OS_STANDARD", f"-I{NATIVE}", f"-I{NATIVE / 'include'}"]
    files = [str(folder / "main.c"), str(NATIVE / "os" / "standard.c")]
    output_of(*command, *files, "-o", folder / "clock")
    return folder / "clock"


@pytest.mark.slow
def test_jumps_of_the_time_of_day(program: Path) -> None:
    chooser = Random(seed())
    time, times, ticks = 1.7e9, [], []
    for _ in range(CASES):
        tick = chooser.choice((0.001, 0.01, 0.5))
        jump = chooser.choice((0, 0, 0, -3600, 3600, -1e9, 1e9, -0.5))
        time = max(time + tick + jump, 0.0)
        times.append(f"{time:.6f}")
        ticks.append((tick, jump))
    printed = output_of(program, stdin="\n".join(times))
    found = [float(line) for line in printed.split()]
    assert len(found) == CASES
    for before, after, (tick, jump) in zip(found, found[1:], ticks[1:], strict=False):
        assert -1e-5 <= after - before <= 1 + 1e-5
        if not jump:
            assert abs(after - before - tick) < 1e-4  # a clock that runs is followed
