"""Command lines of the program in sample_program.py, and the type of the engine factory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from forthvm.engines.protocols import UgiEngine

__all__ = ["EngineFactory", "command"]

SAMPLE = Path(__file__).with_name("sample_program.py")

EngineFactory = Callable[..., UgiEngine]
"""A function that creates an engine for a mode of the sample program, as the fixture returns."""


def command(mode: str, *arguments: object, protocol: str = "ugi") -> list[str]:
    """Return the command line that runs the sample program in a mode, which selects a fault."""
    return [sys.executable, "-I", "-S", str(SAMPLE), protocol, mode, *map(str, arguments)]
