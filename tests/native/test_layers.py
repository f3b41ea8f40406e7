"""Tests that calls and includes between the folders of native/ go only downwards.

native/check_layers.py defines the order of the folders and prints the violations.
"""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.kit.processes import run
from tests.native.native_driver import CHECKOUT, compiler

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        compiler() is None or shutil.which("nm") is None, reason="needs a C compiler and nm"
    ),
]


def test_no_call_and_no_include_goes_upwards() -> None:
    done = run(sys.executable, CHECKOUT / "native" / "check_layers.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 upward calls and includes\n", "")
