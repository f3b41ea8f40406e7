"""The script of a test module as a file."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Write the text SCRIPT of the module."""
    path = tmp_path / "game.4th"
    path.write_text(request.module.SCRIPT)
    return path
