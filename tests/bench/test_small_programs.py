"""Tests that the small benchmark programs have the expected results in both tiers."""

from __future__ import annotations

import pytest

from benchmarks.small_programs import FOLDER, SETS, TIERS, load


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", SETS)
def test_small_programs_give_the_expected_results(name: str, tier: str) -> None:
    for program, (size, expected) in SETS[name].items():
        vm = load(FOLDER / name / f"{program}.4th", tier)
        assert vm.call("run", size) == (expected,), program
    texts = {path.stem for path in (FOLDER / name).glob("*.4th")}
    assert texts == set(SETS[name])
