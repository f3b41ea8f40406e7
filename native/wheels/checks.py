"""Check sdists and wheels with the tools of the Python Packaging Authority and others.

Owns which tools check what.  All of them come from the extra `wheels`.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools import ToolError, run_module

__all__ = ["check_files"]

# Variants of a game may have the same numbers of moves (W002: duplicate files).
IGNORED = "W002"


def check_linux_wheel(wheel: Path) -> None:
    """Check that a wheel needs no newer C library than its tag says."""
    shown = run_module("auditwheel", "show", wheel)
    found = re.search(r'consistent\s+with\s+the\s+following\s+platform\s+tag:\s+"(\w+)"', shown)
    if found is None or found[1] not in wheel.stem.split("-")[-1].split("."):
        raise ToolError(f"{wheel.name}: auditwheel shows another platform:\n{shown}")


def check_files(files: list[Path]) -> None:
    """Check sdists and wheels.

    Raises:
        ToolError: There is a mistake.
    """
    run_module("twine", "check", "--strict", *files)
    for wheel in (path for path in files if path.suffix == ".whl"):
        run_module("check_wheel_contents", "--ignore", IGNORED, wheel)
        run_module("abi3audit", "--strict", wheel)
        if "linux" in wheel.name:
            check_linux_wheel(wheel)
