"""Provides one VM with the core library per module; tests must leave its stack empty."""

from __future__ import annotations

import pytest

from forthvm.core.vm import VM


@pytest.fixture(scope="module")
def vm() -> VM:
    """Return a VM with the core library that discards output."""
    return VM(library="core", output=lambda text: None)
