"""Tests that the small benchmark programs have the expected results in both tiers."""

from __future__ import annotations

import pytest

from benchmarks.small_programs import HERE, SETS, TIERS, load


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", SETS)
def test_small_programs_give_the_expected_results(name: str, tier: str) -> None:
    for program, (size, expected) in SETS[name].items():
        assert load(HERE / name / f"{program}.4th", tier).call("run", size) == (expected,), program
    texts = {path.stem for path in (HERE / name).glob("*.4th")}
    assert texts == set(SETS[name])
