"""Bundled games play as they did: see transcripts.py, which also writes the files."""

from __future__ import annotations

import json

import pytest

from tests.bundled_games import transcripts
from tests.bundled_games.kit import CASES, Case


@pytest.mark.parametrize("case", [case for case in CASES if case.bundled], ids=str)
def test_transcript(case: Case) -> None:
    path = transcripts.path_of(case)
    assert path.is_file(), (
        f"{case.name} has no transcript: python -m tests.bundled_games.transcripts"
    )
    kept = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    for wanted, found in zip(kept, transcripts.transcript(case), strict=True):
        assert found == wanted
