"""A browser for the board view, and the built parts of the extension."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.kit.processes import output_of
from tests.web.conftest import driver

__all__ = ["driver", "extension"]


@pytest.fixture(scope="session")
def extension() -> Path:
    """The folder of the extension; the test is skipped without Node.js and its packages."""
    folder = Path(__file__).resolve().parents[3] / "editors" / "vscode"
    if shutil.which("node") is None or not (folder / "node_modules").exists():
        pytest.skip("needs Node.js and `npm ci` in editors/vscode")
    if not (folder / "out" / "test" / "boardPage.js").exists():
        output_of("node", "build.mjs", "--tests", folder=folder)
    return folder
