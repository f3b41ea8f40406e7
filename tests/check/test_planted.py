"""Complete games with planted errors: exactly these errors are found."""

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
    there = {path.name for path in PLANTED.iterdir() if path.suffix != ".json"}
    assert there == set(EXPECTED)
    assert len(EXPECTED) >= 20


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
    for (*_, finding), (*_, named) in zip(found, expected, strict=True):
        assert str(named) in f"{finding.message} {finding.word}"
