"""Tests of the core under AddressSanitizer and UBSan: random programs and recorded crashes.

Owns the number of random programs per test: FORTHVM_FUZZ_PROGRAMS (default 2,000; CI sets more),
divided among the kinds of programs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.native.native_driver import CRASHES, Driver, build, sanitizers_work

PROGRAMS = int(os.environ.get("FORTHVM_FUZZ_PROGRAMS", "2000"))
# Kinds of random programs: the values of the driver's option --kind.
KINDS = ["grammar", "mutation", "image", "play", "code"]
# Options of the driver: compare the interpreter with the traced interpreter, or with the JIT.
COMPARISONS = ["--traced", "--tiers"]
pytestmark = pytest.mark.slow  # compiles the fuzz driver


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    folder = tmp_path_factory.mktemp("fuzz")
    if not sanitizers_work(folder):
        pytest.skip("the C compiler has no working AddressSanitizer")
    return build(folder)


@pytest.mark.parametrize("case", sorted(CRASHES.glob("*.case")), ids=lambda path: path.stem)
def test_recorded_crash_stays_fixed(driver: Driver, case: Path) -> None:
    driver.run(cases=[case])


@pytest.mark.parametrize("option", COMPARISONS)
def test_recorded_crashes_give_equal_outcomes(driver: Driver, option: str) -> None:
    driver.run(option, "1", cases=sorted(CRASHES.glob("*.case")))


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs_do_not_crash(driver: Driver, kind: str) -> None:
    seed = os.environ.get("FORTHVM_FUZZ_SEED", "1")
    printed = driver.run("--programs", str(PROGRAMS // len(KINDS)), "--kind", kind, "--seed", seed)
    lines = re.findall(r"^  (\S.*?) +(\d+)$", printed, re.M)
    runs_by_status = {status: int(runs) for status, runs in lines}
    assert sum(runs_by_status.values()) >= PROGRAMS // len(KINDS)
    # The generator explores too little if nearly all runs end with the same status.
    assert len(runs_by_status) >= 4
    assert max(runs_by_status.values()) < 0.98 * sum(runs_by_status.values())


@pytest.mark.parametrize("option", COMPARISONS)
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs_give_equal_outcomes(driver: Driver, kind: str, option: str) -> None:
    # The driver compares statuses, steps, output and final state, and aborts if they differ.
    programs = PROGRAMS // len(KINDS) // 2
    seed = os.environ.get("FORTHVM_FUZZ_SEED", "1")
    printed = driver.run("--programs", str(programs), "--kind", kind, option, "1", "--seed", seed)
    compared = re.search(r"^(\d+) compared", printed, re.M)
    assert int(compared[1]) > 0.75 * programs  # programs that read the time are not compared


def test_equal_seeds_generate_equal_programs(driver: Driver) -> None:
    def outcome() -> list[str]:
        # With --tiers the driver does not use the poll hook, whose calls depend on the clock.
        printed = driver.run("--programs", "200", "--seed", "7", "--tiers", "1")
        # The first two lines contain the number of files and the running time.
        return printed.splitlines()[2:]

    assert outcome() == outcome()
