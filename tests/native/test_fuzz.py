"""The core under AddressSanitizer and UBSan: random programs, and every crash ever found.

Owns the budget: FORTHVM_FUZZ_PROGRAMS programs (2,000 by default; CI asks for more).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.native.native_driver import CRASHES, Driver, build, sanitizers_work

PROGRAMS = int(os.environ.get("FORTHVM_FUZZ_PROGRAMS", "2000"))
KINDS = ["grammar", "mutation", "image", "play", "code"]
WAYS = ["--traced", "--tiers"]  # traced, and as machine code beside interpreted
pytestmark = pytest.mark.slow  # the driver is built first


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    folder = tmp_path_factory.mktemp("fuzz")
    if not sanitizers_work(folder):
        pytest.skip("the C compiler has no working AddressSanitizer")
    return build(folder)


@pytest.mark.parametrize("case", sorted(CRASHES.glob("*.case")), ids=lambda path: path.stem)
def test_crash_once_found_stays_fixed(driver: Driver, case: Path) -> None:
    driver.run(cases=[case])


@pytest.mark.parametrize("how", WAYS)
def test_crashes_once_found_stay_fixed_run_otherwise(driver: Driver, how: str) -> None:
    driver.run(how, "1", cases=sorted(CRASHES.glob("*.case")))


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(driver: Driver, kind: str) -> None:
    seed = os.environ.get("FORTHVM_FUZZ_SEED", "1")
    printed = driver.run("--programs", str(PROGRAMS // len(KINDS)), "--kind", kind, "--seed", seed)
    counts = {name: int(count) for name, count in re.findall(r"^  (\S.*?) +(\d+)$", printed, re.M)}
    # A generator whose programs all fail alike explores nothing.
    assert sum(counts.values()) >= PROGRAMS // len(KINDS)
    assert len(counts) >= 4
    assert max(counts.values()) < 0.98 * sum(counts.values())


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_other_ways_to_run_do_and_count_the_same(driver: Driver, kind: str, how: str) -> None:
    # The driver compares statuses, steps, output and the state left, and aborts if they differ.
    programs = PROGRAMS // len(KINDS) // 2
    seed = os.environ.get("FORTHVM_FUZZ_SEED", "1")
    printed = driver.run("--programs", str(programs), "--kind", kind, how, "1", "--seed", seed)
    compared = re.search(r"^(\d+) compared", printed, re.M)
    assert compared is not None
    assert int(compared[1]) > 0.75 * programs  # those that ask for the time are left out


def test_the_same_seed_makes_the_same_programs(driver: Driver) -> None:
    def outcome() -> list[str]:
        # With --tiers, since polls of the host depend on the clock and are left out there.
        printed = driver.run("--programs", "200", "--seed", "7", "--tiers", "1")
        return printed.splitlines()[2:]

    assert outcome() == outcome()
