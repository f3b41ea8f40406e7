"""The tests beside the bundled games, as `forthvm test` runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.testing import read_suite, run_cases
from tests.kit.samples import sample

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.mark.parametrize(
    "path", sample(sorted(SCRIPTS.rglob("*.test")), 3), ids=lambda path: path.stem
)
def test_position_tests_pass(path: Path) -> None:
    suite = read_suite(path)
    results = list(run_cases(suite, suite.cases))
    assert len(results) == len(suite.cases) > 0
    assert [result.message for result in results if result.outcome != "passed"] == []
