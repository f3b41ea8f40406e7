"""The tests beside the bundled games, as `forthvm test` runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.testing import read_suite, run_cases

SCRIPTS = Path(__file__).parents[2] / "scripts"
QUICK = {"breakthrough", "draughts", "go", "hex", "splut", "tictactoe", "ur"}


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[] if path.stem in QUICK else [pytest.mark.slow], id=path.stem)
        for path in sorted(SCRIPTS.rglob("*.test"))
    ],
)
def test_position_tests_pass(path: Path) -> None:
    suite = read_suite(path)
    results = list(run_cases(suite, suite.cases))
    assert len(results) == len(suite.cases) > 0
    assert [result.message for result in results if result.outcome != "passed"] == []
