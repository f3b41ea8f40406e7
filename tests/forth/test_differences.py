"""Tests that each row of differences-from-forth-2012.md quotes a test line of this folder."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER.parent.parent / "docs" / "reference" / "differences-from-forth-2012.md"
ROW = re.compile(r"^\| .+ \| `(?P<test>.+)` \|$")


def lines_under_test() -> set[str]:
    """Return the lines of all .4th files of this folder, without their `expect` comments."""
    found: set[str] = set()
    for path in FOLDER.glob("*.4th"):
        for row in path.read_text(encoding="latin-1").splitlines():
            found.add(row.partition("\\ expect")[0].strip())
    return found


def test_every_deviation_is_tested() -> None:
    rows = [row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    rows = [row for row in rows if not row.startswith("| ForthScript")]
    assert len(rows) > 25
    lines = lines_under_test()
    for row in rows:
        matched = ROW.match(row)
        assert matched, row
        assert matched["test"] in lines, f"no such line in tests/forth: {matched['test']}"
