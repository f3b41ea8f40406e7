"""Tests of docs/decisions: every record is complete, numbered once and listed in the index."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
RECORD = re.compile(r"^## (\d+)\. (.+)\n\n\*Status: (accepted|superseded)\b", re.MULTILINE)


def test_records_are_complete_and_listed() -> None:
    rows = []
    for page in FOLDER.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        if page.name == "index.md":
            continue
        sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
        for section in sections:
            match = RECORD.match(section)
            assert match is not None, section[:80]
            for part in ("**Context.**", "**Decision.**", "**Consequence.**"):
                assert section.count(part) == 1, match[2]
            number, title, status = match.groups()
            rows.append((int(number), title, page.name, status))
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (\d+) \| \[(.+)\]\(([a-z]+\.md)#[^)]+\) \| (\w+) \|$", index, re.M)
    assert [(int(number), *columns) for number, *columns in listed] == sorted(rows)
    assert [number for number, *_ in sorted(rows)] == list(range(1, len(rows) + 1))
