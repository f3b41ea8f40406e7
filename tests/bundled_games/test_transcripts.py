"""Bundled games play as in their transcripts, which transcripts.py writes."""

from __future__ import annotations

import json

import pytest

from tests.bundled_games import transcripts
from tests.bundled_games.kit import CASES, Case


@pytest.mark.sampled(13)
@pytest.mark.parametrize("case", [case for case in CASES if case.bundled], ids=str)
def test_transcript(case: Case) -> None:
    path = transcripts.path_of(case)
    assert path.is_file(), (
        f"{case.name} has no transcript: python -m tests.bundled_games.transcripts"
    )
    recorded = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    for expected, row in zip(recorded, transcripts.transcript(case), strict=True):
        assert row == expected
