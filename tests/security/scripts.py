"""Scripts in temporary folders, and commands that run there, for tests of file access."""

from __future__ import annotations

import subprocess
from pathlib import Path

from forthvm.catalogue.bundled import find_game
from tests.kit.files import write
from tests.kit.processes import FORTHVM, run

__all__ = [
    "SECRET",
    "TICTACTOE",
    "run_command",
    "write_main",
]

SECRET = "TOP-SECRET-LINE"
TICTACTOE = find_game("tictactoe")[1].read_text(encoding="utf-8")


def write_main(tmp_path: Path, text: str) -> Path:
    """Write the main script of a game and return its path."""
    return write(tmp_path / "game" / "main.4th", text)


def run_command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run(*FORTHVM, *words, folder=cwd)
