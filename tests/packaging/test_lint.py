"""Tests that the linter reports a fault that tests of behaviour miss."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.kit.processes import run

CHECKOUT = Path(__file__).resolve().parents[2]
USED_AT_RUN_TIME = """\
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def load(name: str) -> argparse.Namespace:
    '''Load a game.'''
    return argparse.Namespace(name=name)
"""


@pytest.mark.skipif(importlib.util.find_spec("ruff") is None, reason="needs ruff")
def test_linter_finds_type_checking_names_used_at_run_time() -> None:
    """Such a use raises NameError when the function runs."""
    command = (sys.executable, "-m", "ruff", "check", "--stdin-filename", "forthvm/one.py", "-")
    done = run(*command, stdin=USED_AT_RUN_TIME, folder=CHECKOUT)
    assert done.returncode == 1
    assert "TC004" in done.stdout
