"""A VM with the core library for each test."""

from __future__ import annotations

import pytest

from forthvm.core.vm import VM


@pytest.fixture
def vm() -> VM:
    """Return a VM that discards output."""
    return VM(library="core", output=lambda text: None)
