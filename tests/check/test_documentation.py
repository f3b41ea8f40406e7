"""Tests that docs/reference/checks.md equals the output of docs/make_checks.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_page_is_up_to_date() -> None:
    script = CHECKOUT / "docs" / "make_checks.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
