"""Programs that tests run in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["FORTHVM", "output_of", "run"]

FORTHVM = (sys.executable, "-m", "forthvm")
"""The beginning of a command line of forthvm."""


def run(
    *command: object,
    folder: Path | None = None,
    stdin: str | None = None,
    timeout: float = 300,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run a program until it ends; return its status, output and messages.

    Args:
        command: The words of the command line, which may be paths and numbers.
        folder: The current folder of the program.
        stdin: A text to read; without it, the standard input is empty.
        timeout: The seconds after which the program is ended, and the test fails.
        environment: Variables that the program has besides those of this process.
    """
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
        env={**os.environ, **environment},
    )


def output_of(*code: object, **options: object) -> str:
    """Return what Python prints for a program that succeeds, given as text, and its arguments.

    The options are those of `run`.
    """
    done = run(sys.executable, "-c", *code, **options)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr
    return done.stdout
