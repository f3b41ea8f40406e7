"""One VM with the core library for every property; properties leave its stack empty."""

from __future__ import annotations

import pytest

from forthvm.core.vm import VM


@pytest.fixture(scope="module")
def vm() -> VM:
    """Core library, silent."""
    return VM(library="core", output=lambda text: None)
