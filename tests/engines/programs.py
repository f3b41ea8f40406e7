"""Command lines of the sample programs in ugi_programs.py, and engines that run them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from forthvm.engines.ugi import UgiEngine

__all__ = ["EngineFactory", "command"]

SAMPLE = Path(__file__).with_name("ugi_programs.py")

EngineFactory = Callable[..., UgiEngine]


def command(mode: str, *arguments: object) -> list[str]:
    return [sys.executable, "-I", "-S", str(SAMPLE), mode, *map(str, arguments)]
