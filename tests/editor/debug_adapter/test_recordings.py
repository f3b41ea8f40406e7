"""Recorded sessions, replayed.

FORTHVM_WRITE_SESSIONS=1 writes the recordings anew, with the requests that they have.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forthvm.core.loading.library import games_folder

from .client import connected
from .recording import replay

FOLDER = Path(__file__).parent / "sessions"
RULES = Path(__file__).parents[2] / "zrf" / "idioms"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_recording(path: Path) -> None:
    recording = path.read_text(encoding="utf-8")
    paths = {
        "<sessions>": str(FOLDER),
        "<rules>": str(RULES.resolve()),
        "<games>": str(games_folder()),
        "<library>": str(games_folder().parent / "axiom_lib"),
    }
    with connected() as client:
        found = replay(client, recording, paths)
    if os.environ.get("FORTHVM_WRITE_SESSIONS"):
        path.write_text(found, encoding="utf-8")
    assert found == recording
