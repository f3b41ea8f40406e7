"""Tests that SECURITY.md names a test for each promise, and that these tests exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.kit.cases import each_case

ROOT = Path(__file__).resolve().parents[2]
NAMED_TESTS = re.findall(
    r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "SECURITY.md").read_text("utf-8")
)


def test_every_promise_names_a_test() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    promised = text[text.index("## What is promised") : text.index("## What is not promised")]
    rows = [line for line in promised.splitlines() if line.startswith("| ")]
    promises = [row for row in rows if row != "| promise | test |"]
    assert promises
    assert [row for row in promises if "`tests/" not in row] == []


@each_case(("file", "name"), NAMED_TESTS, ids=lambda part: part)
def test_named_tests_exist(file: str, name: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert f"def {name or 'test_'}" in text
