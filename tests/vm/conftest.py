"""One VM with the core library for every property; properties leave its stack empty."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from forthvm.core.vm import VM

# The interpreter under a sanitizer is slow, so no deadline; FORTHVM_EXAMPLES asks for more.
settings.register_profile(
    "forthvm", deadline=None, max_examples=int(os.environ.get("FORTHVM_EXAMPLES", "100"))
)
settings.load_profile("forthvm")


@pytest.fixture(scope="module")
def vm() -> VM:
    """Core library, silent."""
    return VM(library="core", output=lambda text: None)
