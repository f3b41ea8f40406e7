"""The blocks of docs/guides/observations.md that need numpy; doctest runs the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import forthvm

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "observations.md"


@pytest.mark.slow
def test_blocks_with_numpy_run() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n((?!>>>).*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    game = forthvm.load("breakthrough")
    namespace: dict[str, object] = {
        "forthvm": forthvm,
        "game": game,
        "observer": forthvm.observer(game),
    }
    for block in blocks:
        exec(block, namespace)
