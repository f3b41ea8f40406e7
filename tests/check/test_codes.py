"""Tests of every code of the table with its bad and its good example."""

from __future__ import annotations

import pytest

from forthvm.check import CODES, CodeInfo
from tests.check.conftest import Checker


@pytest.mark.sampled(19)
@pytest.mark.parametrize("info", CODES.values(), ids=list(CODES))
def test_only_the_bad_example_has_the_finding(check: Checker, info: CodeInfo) -> None:
    bad, good = check(info.bad, steps=10_000), check(info.good, steps=10_000)
    assert info.code in {finding.code for finding in bad.findings}
    assert info.code not in {finding.code for finding in good.findings}
    assert not good.count("error")
    assert {finding.severity for finding in good.findings} <= {"warning", "info"}


def test_codes_have_severities_and_are_sorted_by_number() -> None:
    assert {info.severity for info in CODES.values()} == {"error", "warning", "info"}
    assert all(code == info.code for code, info in CODES.items())
    assert list(CODES) == sorted(CODES, key=lambda code: code[1:])
