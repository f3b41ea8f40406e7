"""Tests that `check` finds exactly the errors planted in complete games.

expected.json has, for each script or folder, the code, file, line and name of each planted error.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm.check import check_files

PLANTED = Path(__file__).parent / "planted"
EXPECTED: dict[str, list[list[str | int]]] = json.loads(
    (PLANTED / "expected.json").read_text(encoding="utf-8")
)


def test_every_script_has_an_expectation() -> None:
    names = {path.name for path in PLANTED.iterdir() if path.suffix != ".json"}
    assert names == set(EXPECTED)
    assert len(EXPECTED) >= 20


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", EXPECTED)
def test_exactly_the_planted_errors_are_found(name: str) -> None:
    found = [
        (finding.code, Path(finding.location.file).name, finding.location.line, finding)
        for finding in check_files([PLANTED / name], ignore=["I"]).findings
        if finding.location is not None
    ]
    expected = EXPECTED[name]
    assert [list(each[:3]) for each in found] == [
        [code, Path(str(file)).name, line] for code, file, line, _ in expected
    ]
    for (*_, finding), (*_, name_in_message) in zip(found, expected, strict=True):
        assert str(name_in_message) in f"{finding.message} {finding.word}"
