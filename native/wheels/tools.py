"""Run programs that are modules of Python, such as `build` and `twine`.

Owns how they report failures.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["ToolError", "run_module"]


class ToolError(Exception):
    """A program failed, or found a mistake; the text contains its output."""


def run_module(module: str, *arguments: str | Path, **variables: str) -> str:
    """Run a module with environment variables; return what it prints.

    Raises:
        ToolError: Its exit status is not 0.
    """
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(
        command,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ToolError(f"{' '.join(command[2:])}:\n{done.stdout}")
    return done.stdout
