"""Fixtures for tests of file access."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.vm import VM
from tests.kit.files import write
from tests.security.scripts import SECRET


@pytest.fixture
def vm() -> VM:
    return VM(library="core", output=lambda text: None)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return a file outside the game's folder; an error message that quotes it contains SECRET."""
    return write(tmp_path / "outside" / "secret.4th", f"{SECRET}\n")
